"""Commands in an agent's working copy: it is made real on disk for them, and what they write is in it afterwards."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from teamwright.permissions.paths import ScratchPath, WorkspacePath
from teamwright.permissions.rules import Roots
from teamwright.protocol.errors import LimitReached, NotFound, UserError
from teamwright.workspace.copies.cleaning import remove_copies
from teamwright.workspace.copies.confined.plan import Change
from teamwright.workspace.copies.left_out import LeftOut, is_worth_keeping, left_out, reason_against
from teamwright.workspace.copies.new_names import NewNames
from teamwright.workspace.copies.sandbox import CommandEnd, CommandLimits, OnOutput, Sandbox, SandboxedCommand, run
from teamwright.workspace.copies.scratch import AgentFiles
from teamwright.workspace.copies.staging import MOST_STAGED_FILES, StagedFile
from teamwright.workspace.copies.trees import Tree, TreeFolder, lay_texts, unsaved_texts
from teamwright.workspace.files.folders import Folder
from teamwright.workspace.files.safe_files import Root, make_private_directories
from teamwright.workspace.files.text import Text, decode

SCRATCH_INSIDE: Final = Path("/tmp/scratch")  # noqa: S108 - a name inside the box, where nobody else is
SCRATCH_VARIABLE: Final = "TEAMWRIGHT_SCRATCH"
_TREES: Final = "trees"
_MOST_LEFT_OUT: Final = 10


@dataclass(frozen=True, slots=True)
class CopyCommand:
    """`cwd` is a directory in the workspace or in scratch."""

    argv: tuple[str, ...]
    cwd: WorkspacePath | ScratchPath
    limits: CommandLimits
    toolchains: tuple[Path, ...] = ()
    sandbox: Sandbox = "auto"


class WorkingCopy:
    """One command at a time: the next one sees what this one has written."""

    def __init__(self, files: AgentFiles, roots: Roots) -> None:
        """What a command writes within `roots` is the agent's own change; all else it writes stays in the copy."""
        self._files = files
        self._roots = roots
        self._turn = anyio.Lock()

    async def run(self, command: CopyCommand, on_output: OnOutput | None = None) -> tuple[CommandEnd, list[LeftOut]]:
        """How it ended, and what it has written that is no change of the agent's."""
        async with self._turn:
            tree = await to_thread.run_sync(self._laid_out)
            not_taken: list[LeftOut] = []
            try:
                cwd = self._inside(command.cwd)
                sandboxed = SandboxedCommand(
                    command.argv,
                    cwd,
                    tree,
                    environment={SCRATCH_VARIABLE: str(SCRATCH_INSIDE)},
                    limits=command.limits,
                    toolchains=command.toolchains,
                    sandbox=command.sandbox,
                )
                end = await run(sandboxed, on_output)
                with anyio.CancelScope(shield=True):
                    not_taken = await to_thread.run_sync(self._take_in, end.changes)
                return end, not_taken
            finally:
                with anyio.CancelScope(shield=True):
                    await to_thread.run_sync(remove_copies, tree.directory)

    def _inside(self, path: WorkspacePath | ScratchPath) -> Path:
        match path:
            case WorkspacePath(_, parts):
                return self._files.folders.root(path).path.joinpath(*parts)
            case ScratchPath(parts):
                return SCRATCH_INSIDE.joinpath(*parts)

    def _laid_out(self) -> Tree:
        files, folders = self._files, self._files.folders
        parent = files.copy_directory / _TREES
        try:
            make_private_directories(parent)
            own = Path(tempfile.mkdtemp(dir=parent))
            unsaved = lay_texts(own / "unsaved", folders, unsaved_texts(files.shown))
            staged = lay_texts(own / "staged", folders, {file.path: file.text for file in files.staged.all()})
        except OSError as error:
            raise LimitReached(
                f"A working copy could not be made: {(error.strerror or 'failed').lower()}.", 0
            ) from error
        scratch = files.lend_scratch()
        laid = [
            TreeFolder(
                folder.root.path,
                folder.root.path,
                layers=(*staged.of(folder.name), files.lend_kept(folder.name), *unsaved.of(folder.name)),
                removed=staged.removed.get(folder.name, ()),
                kept=files.lend_kept(folder.name),
            )
            for folder in folders.folders
        ]
        return Tree(own, (*laid, TreeFolder(scratch, SCRATCH_INSIDE, kept=scratch)))

    def _take_in(self, changes: Sequence[Change]) -> list[LeftOut]:
        """Texts become writes of the agent's own, as far as a change of the workspace can hold them."""
        folders = self._files.folders.folders
        found: dict[WorkspacePath, StagedFile] = {}
        names = NewNames(self._files)
        for number, kind, name in changes:
            if number >= len(folders) or kind == "link":
                continue
            path = WorkspacePath(folders[number].name, tuple(name.split("/")))
            for changed in [path] if kind == "file" else self._below(folders[number], path):
                if len(found) < 2 * MOST_STAGED_FILES and (staged := self._taken(changed, names)) is not None:
                    found[changed] = staged
        known = self._files.staged.presence()
        new = [staged for staged in found.values() if staged.path not in known][: MOST_STAGED_FILES - len(known)]
        again = [staged for staged in found.values() if staged.path in known]
        if new or again:
            self._files.staged.stage(*again, *new, keep_equal=True)
        written = [
            WorkspacePath(folders[number].name, tuple(name.split("/")))
            for number, kind, name in changes
            if number < len(folders) and kind in {"file", "link"}
        ]
        return list(islice(left_out(self._files, self._roots, names, written), _MOST_LEFT_OUT))

    def _taken(self, path: WorkspacePath, names: NewNames) -> StagedFile | None:
        """As the command has left it; None for what no change of ours holds."""
        files = self._files
        if names.fault(path) is not None or reason_against(self._roots, path) is not None:
            return None
        if not is_worth_keeping(files, path):
            return None
        layer = files.kept_layers()[path.folder]
        try:
            staged = files.staged.get(path)
            base = files.shown.read_if_present(path) if staged is None else staged.base
            if layer.says_of(path.parts) != "here":
                return StagedFile(path, base, None)
            decoded = decode(layer.read(path.parts))
        except UserError:
            return None
        return StagedFile(path, base, decoded.text) if isinstance(decoded, Text) else None

    def _below(self, folder: Folder, path: WorkspacePath) -> Iterator[WorkspacePath]:
        """The files that were at or below a path which is gone, or was made anew."""
        yield from (known for known in self._files.staged.presence() if known.within(path))
        yield from _files_below(folder.root, path)


def _files_below(root: Root, path: WorkspacePath) -> Iterator[WorkspacePath]:
    try:
        entries = root.entries(path.parts)
    except NotFound:
        if root.exists(path.parts):
            yield path
        return
    except UserError:
        return
    for entry in entries:
        below = replace(path, parts=(*path.parts, entry.name))
        if entry.kind == "directory":
            yield from _files_below(root, below)
        elif entry.kind == "file":
            yield below
