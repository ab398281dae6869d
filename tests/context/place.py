"""Where a session takes place: folders that the editor has open, what it shows of them, and the user's own folder."""

from pathlib import Path

from teamwright.protocol.items import Attachment, Position, Range
from teamwright.runtime.context.given_files import Given, read_given
from teamwright.workspace.files.documents import Document, Documents
from teamwright.workspace.files.folders import Folders, uri_of_path
from teamwright.workspace.files.live_files import LiveFiles


class Place:
    def __init__(self, directory: Path) -> None:
        self.app, self.library, self.own = (directory / name for name in ("app", "library", "own"))
        for folder in (self.app, self.library, self.own):
            folder.mkdir()
        self.documents = Documents()
        folders = Folders.at(self.app, self.library)
        self.live = LiveFiles(lambda: folders, self.documents)

    def put(self, folder: Path, path: str, content: str | bytes) -> Path:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def edit(self, path: str, text: str) -> None:
        """The user types in a document, and has not saved it."""
        self.documents.show(Document(self.uri(path), 1, text))

    def uri(self, path: str) -> str:
        return uri_of_path(self.app / path)

    def attachment(self, path: str, *places: int) -> Attachment:
        """The whole file, or from line, character to line, character, counted from 0."""
        if not places:
            return Attachment(uri=self.uri(path))
        first, start, last, end = places
        chosen = Range(start=Position(line=first, character=start), end=Position(line=last, character=end))
        return Attachment(uri=self.uri(path), range=chosen)

    def given(self, *, trusted: bool = True, project: str | None = None) -> Given:
        return read_given(self.live, self.own, trusted=trusted, project=project)
