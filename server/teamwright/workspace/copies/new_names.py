"""Whether what an agent has made anew would be taken for something else. Blocks on the disk."""

from typing import Protocol

from teamwright.permissions.names import fault_in_name, fault_in_new_name
from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.errors import UserError
from teamwright.workspace.copies.staging import StagedWrites
from teamwright.workspace.files.beneath import DirectoryEntry
from teamwright.workspace.files.folders import STYLE
from teamwright.workspace.files.live_files import LiveFiles


class CopiedFiles(Protocol):
    """A working copy: the agent's own writes, over what there is without them."""

    shown: LiveFiles
    staged: StagedWrites

    def entries(self, path: WorkspacePath) -> tuple[DirectoryEntry, ...]: ...


class NewNames:
    """Looks at each directory once: make one for a write, or for all that a command has written."""

    def __init__(self, files: CopiedFiles) -> None:
        self._files = files
        self._accepted = {
            WorkspacePath(path.folder, path.parts[:depth])
            for path, exists in files.staged.presence().items()
            if exists
            for depth in range(1, len(path.parts) + 1)
        }
        self._there: dict[WorkspacePath, frozenset[str]] = {}
        self._in_copy: dict[WorkspacePath, frozenset[str]] = {}

    def fault(self, path: WorkspacePath) -> str | None:
        """From its first new folder on; None for what was there before the agent came, or was accepted of it."""
        for depth, name in enumerate(path.parts):
            if (fault := fault_in_name(name, STYLE)) is not None:
                return fault
            parent = WorkspacePath(path.folder, path.parts[:depth])
            if WorkspacePath(path.folder, path.parts[: depth + 1]) in self._accepted or name in self._without(parent):
                continue
            if (fault := fault_in_new_name(name, self._siblings(parent, name))) is not None:
                return fault
        return None

    def _siblings(self, parent: WorkspacePath, name: str) -> frozenset[str]:
        """What the agent has removed may stay by a person's choice; only another spelling of a name is a new name."""
        removed = (each for each in self._without(parent) if each.lower() != name.lower())
        return self._within(parent).union(removed)

    def _without(self, parent: WorkspacePath) -> frozenset[str]:
        if parent not in self._there:
            self._there[parent] = _names(self._files.shown, parent)
        return self._there[parent]

    def _within(self, parent: WorkspacePath) -> frozenset[str]:
        if parent not in self._in_copy:
            self._in_copy[parent] = _names(self._files, parent)
        return self._in_copy[parent]


def _names(files: CopiedFiles | LiveFiles, parent: WorkspacePath) -> frozenset[str]:
    try:
        return frozenset(entry.name for entry in files.entries(parent))
    except UserError:
        return frozenset()
