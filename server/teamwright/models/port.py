"""The port to a model: what is asked of it, and what it streams back. Nothing above this room knows a provider."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from teamwright.protocol.usage import Usage

FinishReason = Literal["stop", "tool_calls", "length", "content_filter"]


@dataclass(frozen=True, slots=True)
class Image:
    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model is shown it. The schema describes an object: the tool's arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModelToolCall:
    call_id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Replay:
    """What a provider wants back with the next request (signed or encrypted reasoning).

    JSON, so that it can be stored. Only the backend named by `origin` reads it; every other one ignores it.
    """

    origin: str
    content: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class UserPrompt:
    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelReply:
    """An earlier answer of the model. An invalid call stands in it with empty arguments, and its result is an error."""

    text: str
    tool_calls: tuple[ModelToolCall, ...] = ()
    replay: Replay | None = None


@dataclass(frozen=True, slots=True)
class ToolResultMessage:
    call_id: str
    text: str
    is_error: bool = False


Message: TypeAlias = UserPrompt | ModelReply | ToolResultMessage


@dataclass(frozen=True, slots=True)
class NamedTool:
    name: str


ToolChoice: TypeAlias = Literal["auto", "required", "none"] | NamedTool


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds. `first_byte` and `idle` are silences before and within the answer; `whole` covers retries too."""

    connect: float = 10.0
    first_byte: float = 180.0
    idle: float = 120.0
    whole: float = 1800.0


@dataclass(frozen=True, slots=True)
class ModelRequest:
    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: ToolChoice = "auto"
    max_output_tokens: int | None = None
    deadlines: Deadlines = field(default_factory=Deadlines)


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ToolCallStarted:
    call_id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolArgumentsDelta:
    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolCallCompleted:
    """The only part that a tool may be run from: the answer ended properly and the arguments fit the schema."""

    call: ModelToolCall


@dataclass(frozen=True, slots=True)
class ToolCallInvalid:
    """A call that must not run. The problem is a sentence for the model: send it back as the call's result.

    `arguments` only where there is no such tool: they may tell a person what the model wanted.
    """

    call_id: str
    name: str
    problem: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What one call to the provider used: `input_tokens` are all of them, the cached ones included.

    `estimated` where the provider did not say. A price that is not known is None, never zero.
    """

    usage: Usage
    cache_write_tokens: int = 0
    cost_usd: float | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Restarted:
    """The answer begins anew: whatever was streamed before this part is to be discarded, usage aside."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the user while they wait, such as a retry that is due."""

    text: str


@dataclass(frozen=True, slots=True)
class StreamFinished:
    """The last part of every answer that did not fail."""

    reason: FinishReason
    replay: Replay | None = None


Part: TypeAlias = (
    TextDelta
    | ReasoningDelta
    | ToolCallStarted
    | ToolArgumentsDelta
    | ToolCallCompleted
    | ToolCallInvalid
    | ModelUsage
    | Restarted
    | Notice
    | StreamFinished
)


class Model(Protocol):
    @property
    def name(self) -> str: ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[Part]:
        """The answer as it comes; raises ModelError. Wrap it in `contextlib.aclosing`.

        Closing it, or cancelling the task that reads it, closes the connection or ends the program behind it.
        """
        ...

    async def window(self) -> int:
        """How many tokens a request and its answer may have together."""
        ...

    def estimated_tokens(self, request: ModelRequest) -> int:
        """About how many input tokens the request has; it learns from what the provider reports."""
        ...

    async def cost_usd(self, usage: Usage) -> float | None:
        """What that usage costs; None when the price is not known."""
        ...
