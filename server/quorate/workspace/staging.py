"""Writes to the workspace that nobody has agreed to yet, kept on disk so that a crash loses none.

Each remembers what the editor showed when it was first written: the base that a change set is compared with.
"""

import threading
from dataclasses import dataclass

from quorate.permissions.paths import WorkspacePath
from quorate.protocol.base import Wire
from quorate.protocol.errors import LimitReached
from quorate.workspace.blobs import Blobs
from quorate.workspace.hashes import ContentHash
from quorate.workspace.safe_files import Root

_MOST_FILES = 500
_MANIFEST = "staged.json"


@dataclass(frozen=True, slots=True)
class StagedFile:
    """None: there is no such file."""

    path: WorkspacePath
    base: str | None
    text: str | None


class _SavedFile(Wire):
    folder: str
    parts: tuple[str, ...]
    base: ContentHash | None
    text: ContentHash | None


class _SavedFiles(Wire):
    files: tuple[_SavedFile, ...] = ()


class StagedWrites:
    def __init__(self, home: Root, blobs: Blobs) -> None:
        self._home = home
        self._blobs = blobs
        # Tools of one agent may run side by side.
        self._lock = threading.Lock()
        self._saved = {WorkspacePath(file.folder, file.parts): file for file in self._load().files}

    def get(self, path: WorkspacePath) -> StagedFile | None:
        saved = self._saved.get(path)
        return None if saved is None else self._staged(path, saved)

    def all(self) -> tuple[StagedFile, ...]:
        return tuple(self._staged(path, saved) for path, saved in sorted(self._saved.items(), key=_order))

    def presence(self) -> dict[WorkspacePath, bool]:
        """Which staged files exist and which are deleted, without reading any."""
        return {path: saved.text is not None for path, saved in self._saved.items()}

    def stage(self, file: StagedFile) -> None:
        """What ends as it began is no longer staged."""
        with self._lock:
            changed = {path: saved for path, saved in self._saved.items() if path != file.path}
            if file.text != file.base:
                changed[file.path] = _SavedFile(
                    folder=file.path.folder,
                    parts=file.path.parts,
                    base=self._blobs.put_text(file.base),
                    text=self._blobs.put_text(file.text),
                )
            if len(changed) > _MOST_FILES:
                raise LimitReached(f"No more than {_MOST_FILES} files can be changed at once.", _MOST_FILES)
            manifest = _SavedFiles(files=tuple(changed.values()))
            self._home.write((_MANIFEST,), manifest.to_json().encode("utf-8"))
            self._saved = changed

    def _staged(self, path: WorkspacePath, saved: _SavedFile) -> StagedFile:
        return StagedFile(path, self._blobs.get_text(saved.base), self._blobs.get_text(saved.text))

    def _load(self) -> _SavedFiles:
        saved = self._home.read_if_present((_MANIFEST,))
        return _SavedFiles() if saved is None else _SavedFiles.model_validate_json(saved)


def _order(item: tuple[WorkspacePath, _SavedFile]) -> tuple[str, tuple[str, ...]]:
    return item[0].folder, item[0].parts
