"""What every adapter is: one try at an answer, a decoder for it, and what it is told about its model."""

from base64 import b64encode
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias

from teamwright.models.assembly import ToolCallAssembly
from teamwright.models.errors import ModelError
from teamwright.models.faults import Target
from teamwright.models.port import (
    FinishReason,
    Image,
    Message,
    ModelRequest,
    ModelUsage,
    Part,
    Replay,
    StreamFinished,
    UserPrompt,
)

Effort: TypeAlias = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
_MEDIA_TYPES: Final = ("image/gif", "image/jpeg", "image/png", "image/webp")
JsonObject: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Generation:
    """How a model is to answer, as its backend is configured. What is None is left to the provider."""

    model: str
    temperature: float | None = None
    max_output_tokens: int | None = None
    effort: Effort | None = None
    summary: Literal["auto", "concise", "detailed"] | None = None


class Adapter(Protocol):
    def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        """One try, without a second: a ModelError says whether another can help."""
        ...


def base64_of(image: Image) -> str:
    if image.media_type not in _MEDIA_TYPES:
        message = f"Models cannot read {image.media_type}: attach the image as PNG, JPEG, GIF or WebP."
        raise ModelError("unsupported_image", message)
    return b64encode(image.data).decode("ascii")


def data_url(image: Image) -> str:
    return f"data:{image.media_type};base64,{base64_of(image)}"


def refuse_images(messages: tuple[Message, ...], target: Target) -> None:
    if any(isinstance(message, UserPrompt) and message.images for message in messages):
        raise ModelError(
            "unsupported_image", f"{target.provider} takes no images: attach text, or choose another backend."
        )


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
class StreamEnding:
    """What an answer's last parts are made of, gathered while it is streamed."""

    target: Target
    calls: ToolCallAssembly
    spoke: bool = False
    """Whether there was any text but white space."""
    reason: FinishReason | None = None
    usage: ModelUsage | None = None

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
        yield StreamFinished(reason, replay)
