"""Who handles which method of the client. Features register themselves here; params are dicts.

Notifications are handled at once, in the order in which they were read: whatever a later request sees, it sees them
done. Requests run side by side, and are cancelled when the client says so.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from quorate.lsp.transport.messages import Json

RequestHandler = Callable[[Json], Awaitable[Any]]
NotificationHandler = Callable[[Json], None]


class Methods:
    def __init__(self) -> None:
        self._requests: dict[str, RequestHandler] = {}
        self._notifications: dict[str, list[NotificationHandler]] = {}

    def on_request(self, method: str, handler: RequestHandler) -> None:
        """What it returns is the result, as JSON. A UserError that it raises is the answer, with its status."""
        if method in self._requests:
            raise ValueError(f"{method} is handled already")
        self._requests[method] = handler

    def on_notification(self, method: str, handler: NotificationHandler) -> None:
        """Several may listen; they are told in the order in which they came."""
        self._notifications.setdefault(method, []).append(handler)

    def request(self, method: str) -> RequestHandler | None:
        return self._requests.get(method)

    def notification(self, method: str) -> tuple[NotificationHandler, ...]:
        return tuple(self._notifications.get(method, ()))
