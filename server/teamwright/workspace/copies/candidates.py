"""What answers change in the user's files: named by its bytes, kept by content, readable for as long as the run is."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.base import Wire
from teamwright.protocol.errors import NotFound
from teamwright.workspace.copies.staging import Blobs, StagedFile
from teamwright.workspace.files.safe_files import ContentHash, Root

_DIRECTORY = "candidates"


class _KeptFile(Wire):
    folder: str
    parts: tuple[str, ...]
    base: ContentHash | None
    text: ContentHash | None


class _KeptFiles(Wire):
    files: tuple[_KeptFile, ...]


def change_set_id(files: Iterable[StagedFile]) -> str:
    """A hash of every path with the bytes it is to have; the same whoever brings it, from wherever it came."""
    named = sorted((file.path.folder, file.path.parts, _hashed(file.text)) for file in files)
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()


def _hashed(text: str | None) -> str:
    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Candidates:
    """Those of one run. Everything here blocks on the disk."""

    root: Root

    def keep(self, files: Iterable[StagedFile]) -> str:
        """Its id. What is kept already stays as it is."""
        files, blobs = tuple(files), Blobs(self.root)
        name = change_set_id(files)
        if self.root.read_if_present(_place(name)) is None:
            kept = tuple(
                _KeptFile(
                    folder=file.path.folder,
                    parts=file.path.parts,
                    base=blobs.put_text(file.base),
                    text=blobs.put_text(file.text),
                )
                for file in files
            )
            self.root.write(_place(name), _KeptFiles(files=kept).to_json().encode("utf-8"))
        return name

    def load(self, name: str) -> tuple[StagedFile, ...]:
        saved = self.root.read_if_present(_place(name))
        if saved is None:
            raise NotFound("What this answer changes is no longer there.")
        blobs = Blobs(self.root)
        return tuple(
            StagedFile(WorkspacePath(file.folder, file.parts), blobs.get_text(file.base), blobs.get_text(file.text))
            for file in _KeptFiles.model_validate_json(saved).files
        )


def _place(name: str) -> tuple[str, ...]:
    return (_DIRECTORY, f"{name}.json")
