"""What the client shows in its documents: one list for each, of all that our features have to say about it."""

from typing import Final, Literal

from quorate.lsp.transport.messages import Json
from quorate.lsp.transport.peer import Peer

Source = Literal["review", "configuration"]
NAME: Final = "quorate"


class Diagnostics:
    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._by_uri: dict[str, dict[Source, list[Json]]] = {}

    def put(self, source: Source, uri: str, diagnostics: list[Json]) -> None:
        """In place of what this source has said of the document before."""
        of_document = self._by_uri.setdefault(uri, {})
        if of_document.get(source, []) == diagnostics:
            return
        of_document[source] = diagnostics
        every = [each for said in of_document.values() for each in said]
        if not every:
            del self._by_uri[uri]
        self._peer.notify("textDocument/publishDiagnostics", {"uri": uri, "diagnostics": every}, latest_of=uri)
