"""What agents have staged: contents kept once by their hash, and which file is to hold which of them."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass

from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.base import Wire
from teamwright.protocol.errors import LimitReached, NotFound
from teamwright.workspace.files.safe_files import READ_LIMIT_BYTES, ContentHash, Root, hash_of

MOST_STAGED_FILES = 500
_MANIFEST = "staged.json"
# Texts are kept in UTF-8, which may take more room than the encoding they came in.
_LIMIT_BYTES = 4 * READ_LIMIT_BYTES


@dataclass(frozen=True, slots=True)
class Blobs:
    root: Root

    def put(self, data: bytes) -> ContentHash:
        content = hash_of(data)
        if self.root.read_if_present(_parts(content), _LIMIT_BYTES) is None:
            self.root.write(_parts(content), data)
        return content

    def get(self, content: ContentHash) -> bytes:
        """Raises NotFound, also where it is no longer what was saved."""
        data = self.root.read(_parts(content), _LIMIT_BYTES)
        if hash_of(data) != content:
            raise NotFound(f"The saved content {content[:12]} is damaged.")
        return data

    # An editor may show what no file can hold, such as half of a surrogate pair; it is kept all the same.

    def put_text(self, text: str | None) -> ContentHash | None:
        return None if text is None else self.put(text.encode("utf-8", "surrogatepass"))

    def get_text(self, content: ContentHash | None) -> str | None:
        return None if content is None else self.get(content).decode("utf-8", "surrogatepass")


def _parts(content: ContentHash) -> tuple[str, ...]:
    return ("blobs", content[:2], content[2:])


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

    def stage(self, *files: StagedFile, keep_equal: bool = False) -> None:
        """All of them or none. What ends as it began is no longer staged, unless something else lies beneath it."""
        with self._lock:
            changed = dict(self._saved)
            for file in files:
                changed.pop(file.path, None)
                if keep_equal or file.text != file.base:
                    changed[file.path] = self._as_saved(file)
            self._save(changed)

    def replace(self, files: Iterable[StagedFile]) -> None:
        """By these, whatever is staged."""
        with self._lock:
            changed = {file.path: self._as_saved(file) for file in files if file.text != file.base}
            if changed or self._saved:
                self._save(changed)

    @property
    def is_unchanged(self) -> bool:
        """Whether nothing differs, without a look at the disk."""
        return all(saved.text == saved.base for saved in self._saved.values())

    def _as_saved(self, file: StagedFile) -> _SavedFile:
        return _SavedFile(
            folder=file.path.folder,
            parts=file.path.parts,
            base=self._blobs.put_text(file.base),
            text=self._blobs.put_text(file.text),
        )

    def _save(self, changed: dict[WorkspacePath, _SavedFile]) -> None:
        if sum(saved.text != saved.base for saved in changed.values()) > MOST_STAGED_FILES:
            raise LimitReached(f"No more than {MOST_STAGED_FILES} files can be changed at once.", MOST_STAGED_FILES)
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
