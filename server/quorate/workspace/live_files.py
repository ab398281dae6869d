"""The workspace as the editor shows it: open documents over the disk.

Reads touch the disk: call them in a worker thread.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

from quorate.permissions.paths import Target, WorkspacePath
from quorate.protocol.errors import NotFound, NotPermitted
from quorate.workspace.beneath import Entry
from quorate.workspace.documents import Document, Documents
from quorate.workspace.folders import Folders
from quorate.workspace.safe_files import is_leftover
from quorate.workspace.text import Binary, Text, decode, encode


@dataclass(frozen=True, slots=True)
class LiveText:
    text: str
    origin: Literal["disk", "document", "staged"]


class Readable(Protocol):
    """What tools read from: the live workspace for the assistant, an agent's own view of it in a run."""

    @property
    def folders(self) -> Folders: ...

    def read(self, path: Target) -> LiveText: ...

    def entries(self, path: Target) -> tuple[Entry, ...]: ...


class LiveFiles:
    def __init__(self, folders: Folders, documents: Documents) -> None:
        self._folders = folders
        self._documents = documents
        self._located: dict[str, WorkspacePath | None] = {}
        self._open_as_of: tuple[int, dict[WorkspacePath, Document]] = (-1, {})

    @property
    def folders(self) -> Folders:
        return self._folders

    def read(self, path: Target) -> LiveText:
        path = _in_workspace(path)
        document = self.document(path)
        if document is not None:
            return LiveText(document.text, "document")
        return LiveText(text_or_refusal(self._folders.root(path).read(path.parts), path.parts), "disk")

    def read_if_present(self, path: WorkspacePath) -> str | None:
        try:
            return self.read(path).text
        except NotFound:
            return None

    def entries(self, path: Target) -> tuple[Entry, ...]:
        """Files that are open but not yet saved are there, too."""
        path = _in_workspace(path)
        below = [open_path.parts[len(path.parts) :] for open_path in self._open() if open_path.within(path)]
        try:
            on_disk = self._folders.root(path).entries(path.parts)
        except NotFound:
            if not below:
                raise
            on_disk = ()
        found = {parts[0]: Entry(parts[0], "directory") for parts in below if len(parts) > 1}
        found |= {entry.name: entry for entry in on_disk if not is_leftover(entry.name)}
        found |= {parts[0]: Entry(parts[0], "file") for parts in below if len(parts) == 1}
        return tuple(found[name] for name in sorted(found))

    def open_paths(self) -> tuple[WorkspacePath, ...]:
        return tuple(self._open())

    def document(self, path: WorkspacePath) -> Document | None:
        return self._open().get(path)

    def uri(self, path: WorkspacePath) -> str:
        """In the editor's own spelling when it has the file open."""
        document = self.document(path)
        return document.uri if document is not None else self._folders.uri(path)

    def _open(self) -> dict[WorkspacePath, Document]:
        """The editor's spelling of a URI may differ from ours; the path does not."""
        revision, found = self._documents.revision, dict[WorkspacePath, Document]()
        if self._open_as_of[0] == revision:
            return self._open_as_of[1]
        for document in self._documents.all():
            if document.uri not in self._located:
                self._located[document.uri] = self._folders.locate(document.uri)
            path = self._located[document.uri]
            if path is not None:
                found[path] = document
        self._open_as_of = (revision, found)
        return found


def _in_workspace(path: Target) -> WorkspacePath:
    if not isinstance(path, WorkspacePath):
        raise NotFound("Only agents of a run have scratch folders and answers.")
    return path


def text_or_refusal(data: bytes, parts: tuple[str, ...]) -> str:
    match decode(data):
        case Text(text, _):
            return text
        case Binary():
            raise NotPermitted(f"`{'/'.join(parts)}` is binary, or not in UTF-8 or UTF-16, and is not read as text.")


def bytes_or_refusal(text: Text, parts: tuple[str, ...]) -> bytes:
    try:
        return encode(text)
    except UnicodeEncodeError:
        raise NotPermitted(f"The text for `{'/'.join(parts)}` holds characters that no file can store.") from None
