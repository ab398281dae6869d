"""The port to a provider's wire format."""

from collections.abc import Sequence
from typing import Protocol

from tests.support.model_server.faults import Fault
from tests.support.model_server.frames import Frame, JsonObject
from tests.support.model_server.replies import Answer
from tests.support.model_server.request import Request


class Format(Protocol):
    """How one endpoint says an answer and an error, streamed and in one piece."""

    def body(self, answer: Answer, request: Request) -> JsonObject: ...

    def frames(self, answer: Answer, request: Request) -> Sequence[Frame]: ...

    def error_body(self, fault: Fault, request: Request) -> JsonObject: ...

    def error_frames(self, fault: Fault, request: Request, sent: int, /) -> Sequence[Frame]:
        """What reports the fault inside a stream of which so many frames have been sent."""
        ...

    def headers(self, request: Request) -> dict[str, str]: ...

    def objection(self, request: Request) -> str | None:
        """Why the provider would refuse this request as malformed, if it would."""
        ...
