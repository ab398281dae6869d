"""The workspace as the editor shows it: open documents over the disk.

Reads touch the disk: call them in a worker thread.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol

from teamwright.permissions.paths import Target, WorkspacePath
from teamwright.protocol.errors import NotFound, NotPermitted
from teamwright.workspace.files.beneath import DirectoryEntry
from teamwright.workspace.files.documents import Document, Documents
from teamwright.workspace.files.folders import Folders
from teamwright.workspace.files.safe_files import is_leftover
from teamwright.workspace.files.text import Binary, Text, decode, encode


@dataclass(frozen=True, slots=True)
class LiveText:
    text: str
    origin: Literal["disk", "document", "staged"]


class Readable(Protocol):
    """What tools read from: the live workspace for the assistant, an agent's own view of it in a run."""

    @property
    def folders(self) -> Folders: ...

    def read(self, path: Target) -> LiveText: ...

    def entries(self, path: Target) -> tuple[DirectoryEntry, ...]: ...


class LiveFiles:
    def __init__(self, folders: Callable[[], Folders], documents: Documents) -> None:
        """The folders are those of the moment: a person opens and closes them."""
        self._get_folders = folders
        self._documents = documents
        self._located: tuple[Folders, dict[str, WorkspacePath | None]] = (Folders(), {})
        self._open_as_of: tuple[int, Folders, dict[WorkspacePath, Document]] = (-1, Folders(), {})

    @property
    def folders(self) -> Folders:
        return self._get_folders()

    def pinned(self) -> "LiveFiles":
        """The same with the folders of now, whatever is opened and closed later."""
        folders = self.folders
        return LiveFiles(lambda: folders, self._documents)

    def as_of_now(self) -> "LiveFiles":
        """The same folders, and open documents with the text that they show now, whatever is typed later."""
        return LiveFiles(self._get_folders, self._documents.copied())

    def read(self, path: Target) -> LiveText:
        path = _in_workspace(path)
        document = self.document(path)
        if document is not None:
            # What is open may be a link to what is closed.
            self.folders.root(path).require_own(path.parts)
            return LiveText(document.text, "document")
        return LiveText(text_or_refusal(self.folders.root(path).read(path.parts), path.parts), "disk")

    def read_if_present(self, path: WorkspacePath) -> str | None:
        try:
            return self.read(path).text
        except NotFound:
            return None

    def entries(self, path: Target) -> tuple[DirectoryEntry, ...]:
        """Files that are open but not yet saved are there, too."""
        path = _in_workspace(path)
        below = [
            open_path.parts[len(path.parts) :]
            for open_path in self._open()
            if open_path.within(path) and open_path != path
        ]
        try:
            on_disk = self.folders.root(path).entries(path.parts)
        except NotFound:
            if not below:
                raise
            on_disk = ()
        found = {parts[0]: DirectoryEntry(parts[0], "directory") for parts in below if len(parts) > 1}
        found |= {entry.name: entry for entry in on_disk if not is_leftover(entry.name)}
        found |= {parts[0]: DirectoryEntry(parts[0], "file") for parts in below if len(parts) == 1}
        return tuple(found[name] for name in sorted(found))

    def open_paths(self) -> tuple[WorkspacePath, ...]:
        return tuple(self._open())

    def document(self, path: WorkspacePath) -> Document | None:
        return self._open().get(path)

    @contextmanager
    def watched(self, watcher: Callable[[WorkspacePath], None]) -> Generator[None]:
        """Tells of every file that is opened, changed or closed in the editor."""

        def tell(uri: str) -> None:
            path = self._locate(uri)
            if path is not None:
                watcher(path)

        with self._documents.watched(tell):
            yield

    def uri(self, path: WorkspacePath) -> str:
        """In the editor's own spelling when it has the file open."""
        document = self.document(path)
        return document.uri if document is not None else self.folders.uri(path)

    def _open(self) -> dict[WorkspacePath, Document]:
        """The editor's spelling of a URI may differ from ours; the path does not."""
        revision, folders, found = self._documents.revision, self.folders, dict[WorkspacePath, Document]()
        if self._open_as_of[0] == revision and self._open_as_of[1] is folders:
            return self._open_as_of[2]
        for document in self._documents.all():
            path = self._locate(document.uri)
            if path is not None:
                found[path] = document
        self._open_as_of = (revision, folders, found)
        return found

    def _locate(self, uri: str) -> WorkspacePath | None:
        folders, located = self.folders, self._located
        if located[0] is not folders:
            located = self._located = (folders, {})
        if uri not in located[1]:
            located[1][uri] = folders.locate(uri)
        return located[1][uri]


def _in_workspace(path: Target) -> WorkspacePath:
    if not isinstance(path, WorkspacePath):
        raise NotFound("Only agents of a run have scratch folders and answers.")
    return path


def text_or_refusal(data: bytes, parts: tuple[str, ...]) -> str:
    """Raises NotPermitted for what is no text."""
    match decode(data):
        case Text(text, _):
            return text
        case Binary():
            raise NotPermitted(f"`{'/'.join(parts)}` is binary, or not in UTF-8 or UTF-16, and is not read as text.")


def bytes_or_refusal(text: Text, parts: tuple[str, ...]) -> bytes:
    """Raises NotPermitted for a text that no file can hold."""
    try:
        return encode(text)
    except UnicodeEncodeError:
        raise NotPermitted(f"The text for `{'/'.join(parts)}` holds characters that no file can store.") from None
