"""The documents that are open in the editor. Their text, not the disk's, is what everybody reads."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """As of one version. The editor keeps the encoding; we only ever see characters."""

    uri: str
    version: int
    text: str


class Documents:
    """Changed by the editor's notifications only; each change replaces one entry, so that any thread may read."""

    def __init__(self) -> None:
        self._by_uri: dict[str, Document] = {}
        # Grows with every change, so that whoever derives something from the documents knows when it is stale.
        self.revision = 0

    def show(self, document: Document) -> None:
        """The document was opened or changed."""
        self._by_uri[document.uri] = document
        self.revision += 1

    def close(self, uri: str) -> None:
        self._by_uri.pop(uri, None)
        self.revision += 1

    def get(self, uri: str) -> Document | None:
        return self._by_uri.get(uri)

    def all(self) -> tuple[Document, ...]:
        return tuple(self._by_uri.values())
