"""The client, as the rest of the server meets it: what it can do, what we ask it, what we tell it."""

import asyncio
import json
from collections.abc import Hashable, Mapping
from itertools import count
from typing import Any, Final, Literal, cast

from teamwright.lsp.transport.messages import Failure, Json, Malformed, MessageId, ResponseMessage
from teamwright.lsp.transport.outbox import Outbox, Plain
from teamwright.protocol.visible_text import spoken

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]
_ENCODINGS: Final[dict[str, PositionEncoding]] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}

_CANCEL: Final = "$/cancelRequest"
MessageLevel = Literal["error", "warning", "info"]
_LEVELS: Final[dict[MessageLevel, int]] = {"error": 1, "warning": 2, "info": 3}


class PeerError(Exception):
    """The client answered a request of ours with an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Peer:
    """`request` and `notify` are for the event loop's thread; neither ever waits for the client to read."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._ids = count(1)
        self._asked: dict[MessageId, asyncio.Future[Any]] = {}
        self.capabilities: Json = {}
        self.position_encoding: PositionEncoding = "utf-16"

    def meet(self, capabilities: Json, encoding: str | None) -> None:
        """What the client said of itself, and what was agreed upon for positions."""
        self.capabilities = capabilities
        self.position_encoding = _ENCODINGS.get(encoding or "", "utf-16")

    def can(self, *path: str) -> bool:
        """Whether the client said so of itself: `peer.can("workspace", "applyEdit")`."""
        found: object = self.capabilities
        for key in path:
            found = cast("Mapping[str, object]", found).get(key) if isinstance(found, Mapping) else None
        return found not in (None, False)

    @property
    def knows_our_protocol(self) -> bool:
        """Else it is a plain client: it is asked and told by the means of LSP alone."""
        return self.can("experimental", "teamwright")

    def notify(self, method: str, params: object, *, latest_of: Hashable = None, may_be_lost: bool = False) -> None:
        """`latest_of` names what this is the newest state of; an older one that has not been read yet is not sent.

        What may be lost is not sent to a client that is too slow for it.
        """
        key = None if latest_of is None else (method, latest_of)
        self._send({"method": method, "params": params}, key=key, is_vital=not may_be_lost)

    def say(self, level: MessageLevel, text: str) -> None:
        """To the person at the client. Whosever words they are, no link in them is live."""
        self.notify("window/showMessage", {"type": _LEVELS[level], "message": spoken(text)})

    async def request(self, method: str, params: object, *, deadline: float | None) -> Any:
        """The client's result. `deadline` in seconds; None only where a person is asked.

        Raises PeerError, and TimeoutError when the deadline has passed. Whoever stops waiting takes the request back.
        """
        message_id = f"teamwright-{next(self._ids)}"
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[message_id] = answer
        self._send({"id": message_id, "method": method, "params": params})
        try:
            async with asyncio.timeout(deadline):
                return await answer
        finally:
            if self._asked.pop(message_id, None) is not None:
                self.notify(_CANCEL, {"id": message_id})

    def take(self, response: ResponseMessage) -> None:
        """An answer of the client's. One that nobody waits for any more is passed over."""
        answer = self._asked.pop(response.id, None)
        if answer is None or answer.done():
            return
        if response.error is None:
            answer.set_result(response.result)
        else:
            code, message = response.error.get("code"), response.error.get("message")
            answer.set_exception(PeerError(code if isinstance(code, int) else 0, str(message)))

    def answer(self, message_id: MessageId | None, answer: Any) -> None:
        """To a request of the client's. Raises TypeError or ValueError for what is not JSON."""
        if isinstance(answer, Failure):
            # Clients show it as a message.
            error = {"code": answer.code, "message": spoken(answer.message)}
            self._send({"id": message_id, "error": error if answer.data is None else {**error, "data": answer.data}})
        else:
            self._send({"id": message_id, "result": answer})

    def refuse(self, message: Malformed) -> None:
        self.answer(message.id, message.failure)

    def _send(self, message: Json, *, key: Hashable = None, is_vital: bool = True) -> None:
        # ASCII: half characters, which JSON can escape and UTF-8 cannot hold, go through.
        body = json.dumps({"jsonrpc": "2.0", **message}, allow_nan=False, separators=(",", ":"))
        self._outbox.put(Plain(body.encode("ascii"), is_vital), key)
