"""What a decoder is: a provider's events in, parts out. Pure; every adapter has one for each answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from quorate.models.assembly import ToolCallAssembly
from quorate.models.errors import ModelError
from quorate.models.faults import Target
from quorate.models.port import Finished, FinishReason, Part, Replay, UsageReported

JsonObject: TypeAlias = dict[str, Any]


class Decoder(Protocol):
    @property
    def finished(self) -> bool:
        """Whether the terminal event was seen, so that losing the connection now loses nothing."""
        ...

    def decode(self, event: JsonObject) -> Sequence[Part]:
        """Raises ModelError for an error that the provider reports inside the stream."""
        ...

    def end(self) -> Iterator[Part]:
        """The last parts of a complete answer. Raises ModelError if it is none."""
        ...


@dataclass(slots=True)
class Ending:
    """What an answer's last parts are made of, gathered while it is streamed."""

    target: Target
    calls: ToolCallAssembly
    spoke: bool = False
    """Whether there was any text but white space."""
    reason: FinishReason | None = None
    usage: UsageReported | None = None

    def note_text(self, text: str) -> None:
        if not self.spoke and text.strip():
            self.spoke = True

    def parts(self, replay: Replay | None = None) -> Iterator[Part]:
        if self.reason is None:
            message = f"{self.target.provider} broke the answer off before its end: try again."
            raise ModelError("truncated_stream", message)
        if self.usage is not None:
            yield self.usage
        results = list(self.calls.finish(self.reason))
        yield from results
        reason = self.reason
        if results and reason == "stop":
            reason = "tool_calls"
        elif not results and reason == "tool_calls":
            reason = "stop"
        if reason == "stop" and not self.spoke:
            message = f"{self.target.model} gave an empty answer: try again, or choose another model."
            raise ModelError("empty_answer", message)
        yield Finished(reason, replay)
