"""What each model will say: replies in their order, and what it says when these are used up."""

from collections import deque
from dataclasses import dataclass, field

from tests.support.model_server.replies import Reply, Scripted
from tests.support.model_server.request import Request


class Unscripted(Exception):
    """A call that the script does not foresee."""


@dataclass
class ModelScript:
    name: str
    _queue: deque[Scripted] = field(default_factory=deque[Scripted])
    _afterwards: Scripted | None = None

    def replies(self, *replies: Scripted) -> "ModelScript":
        """One reply for each call, in this order. A function gets the request and returns the reply."""
        self._queue.extend(replies)
        return self

    def always(self, reply: Scripted) -> "ModelScript":
        """What it says to every call for which no other reply is left."""
        self._afterwards = reply
        return self

    @property
    def unused(self) -> int:
        """How many replies nobody has asked for."""
        return len(self._queue)

    def next_reply(self, request: Request) -> Reply:
        if self._queue:
            scripted = self._queue.popleft()
        elif self._afterwards is not None:
            scripted = self._afterwards
        else:
            raise Unscripted(f"{self.name!r} has no reply left for request {request.order} to {request.path}")
        return scripted(request) if callable(scripted) else scripted
