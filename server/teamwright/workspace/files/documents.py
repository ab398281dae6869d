"""The documents that are open in the editor. Their text, not the disk's, is what everybody reads."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """As of one version. The editor keeps the encoding; we only ever see characters."""

    uri: str
    version: int
    text: str


# Told the URI of a document that was opened, changed or closed, as soon as it was.
Watcher = Callable[[str], None]


class Documents:
    """Changed by the editor's notifications only; each change replaces one entry, so that any thread may read."""

    def __init__(self) -> None:
        self._by_uri: dict[str, Document] = {}
        self._watchers: list[Watcher] = []
        # Grows with every change, so that whoever derives something from the documents knows when it is stale.
        self.revision = 0

    def show(self, document: Document) -> None:
        """The document was opened or changed."""
        self._by_uri[document.uri] = document
        self._tell(document.uri)

    def close(self, uri: str) -> None:
        self._by_uri.pop(uri, None)
        self._tell(uri)

    def get(self, uri: str) -> Document | None:
        return self._by_uri.get(uri)

    def copied(self) -> "Documents":
        """What is open now, for whoever must not see it change."""
        copy = Documents()
        copy._by_uri = dict(self._by_uri)
        return copy

    def all(self) -> tuple[Document, ...]:
        return tuple(self._by_uri.values())

    @contextmanager
    def watched(self, watcher: Watcher) -> Generator[None]:
        self._watchers.append(watcher)
        try:
            yield
        finally:
            self._watchers.remove(watcher)

    def _tell(self, uri: str) -> None:
        self.revision += 1
        for watcher in tuple(self._watchers):
            watcher(uri)
