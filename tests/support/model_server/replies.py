"""What a scripted model says: the vocabulary of the scripts, independent of any provider's format."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import format_datetime
from typing import Any, Literal, Self, TypeAlias

from tests.support.model_server.delivery import (
    Breaks,
    Cut,
    Delivery,
    Ending,
    EndsBefore,
    Hold,
    Noise,
    Point,
    Stall,
)
from tests.support.model_server.faults import Fault, fault_of_status
from tests.support.model_server.frames import json_text
from tests.support.model_server.request import Request
from tests.support.model_server.waiting import Gate
from tests.support.usage import Usage

Finish = Literal["complete", "length", "filtered", "refused", "window_full"]


@dataclass(frozen=True)
class Text:
    fragments: tuple[str, ...]


@dataclass(frozen=True)
class Reasoning:
    fragments: tuple[str, ...]
    signature: str


@dataclass(frozen=True)
class Refusal:
    fragments: tuple[str, ...]


@dataclass(frozen=True)
class ToolCall:
    name: str
    fragments: tuple[str, ...]
    call_id: str | None = None

    @property
    def arguments(self) -> str:
        return "".join(self.fragments)

    def with_id(self, call_id: str) -> "ToolCall":
        return replace(self, call_id=call_id)


Block: TypeAlias = Text | Reasoning | Refusal | ToolCall


@dataclass(frozen=True)
class Quirks:
    """What servers that only resemble a provider do differently."""

    tool_index: bool = True
    interleaved_calls: bool = False
    reasoning_field: Literal["reasoning_content", "reasoning"] = "reasoning_content"
    usage: bool = True


@dataclass(frozen=True)
class _Delivered:
    delivery: Delivery = field(default_factory=Delivery, kw_only=True)

    def after(self, seconds: float) -> Self:
        """The model's latency: nothing is sent before."""
        return self._deliver(first_byte_after=seconds)

    def waits_for(self, gate: Gate, at: Point = "headers") -> Self:
        return self._deliver(holds=(*self.delivery.holds, Hold(gate, at)))

    def _deliver(self, **changes: Any) -> Self:
        return replace(self, delivery=replace(self.delivery, **changes))


@dataclass(frozen=True)
class Answer(_Delivered):
    """What the model says, and how it is delivered."""

    blocks: tuple[Block, ...]
    finish: Finish = "complete"
    usage: Usage = field(default_factory=Usage)
    quirks: Quirks = field(default_factory=Quirks)

    def costing(self, usage: Usage) -> "Answer":
        return replace(self, usage=usage)

    def truncated(self) -> "Answer":
        """The provider stopped it at the limit of output tokens."""
        return replace(self, finish="length")

    def overflowing(self) -> "Answer":
        """The answer met the end of the context window while it was generated."""
        return replace(self, finish="window_full")

    def paced(self, seconds: float) -> "Answer":
        """So long between two deltas."""
        return self._deliver(pace=seconds)

    def cut(self, after: int = 1) -> "Answer":
        return self._ending(Cut(after))

    def stalls(self, after: int = 1) -> "Answer":
        return self._ending(Stall(after))

    def ends_before(self, part: Literal["finish", "done"]) -> "Answer":
        return self._ending(EndsBefore(part))

    def breaks(self, failure: "Failure", *, after: int = 1) -> "Answer":
        """The failure comes inside the stream, when the status has long been 200."""
        return self._ending(Breaks(after, failure.fault))

    def with_lines(self, *lines: str, after: int = 0) -> "Answer":
        noise = Noise("".join(f"{line}\n" for line in lines), after)
        return self._deliver(noise=(*self.delivery.noise, noise))

    def with_keep_alives(self) -> "Answer":
        """A comment before every delta, as proxies send them."""
        deltas = sum(len(block.fragments) for block in self.blocks)
        noise = tuple(Noise(": keep-alive\n\n", number) for number in range(deltas))
        return self._deliver(noise=(*self.delivery.noise, *noise))

    def with_crlf(self) -> "Answer":
        return self._deliver(line_end="\r\n")

    def in_writes_of(self, size: int) -> "Answer":
        """Every so many bytes travel alone, so that characters and lines are split between reads."""
        return self._deliver(write_size=size)

    def with_quirks(self, quirks: Quirks) -> "Answer":
        return replace(self, quirks=quirks)

    def _ending(self, ending: Ending) -> "Answer":
        return self._deliver(ending=ending)


@dataclass(frozen=True)
class Failure(_Delivered):
    """An HTTP error in the provider's shape."""

    fault: Fault
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class NoAnswer(_Delivered):
    """The request is read and then: silence until the client goes away, or the socket closes."""

    manner: Literal["silence", "hang_up"]


Reply: TypeAlias = Answer | Failure | NoAnswer
Scripted: TypeAlias = Reply | Callable[[Request], Reply]


def text(*fragments: str) -> Answer:
    """An answer of text alone. One string is streamed word by word, several are streamed as they are given."""
    return Answer((Text(_fragments(fragments, _WORD)),))


def calls(*tools: ToolCall) -> Answer:
    return Answer(tools)


def answer(*blocks: Block | str) -> Answer:
    """Anything in any order: strings are text, beside `thinking` and `tool`."""
    return Answer(tuple(Text(_fragments([block], _WORD)) if isinstance(block, str) else block for block in blocks))


def empty() -> Answer:
    """The model had nothing to say."""
    return Answer((), usage=Usage(output=0))


def refuses(reason: str) -> Answer:
    """The model declines, in words."""
    return Answer((Refusal(_fragments([reason], _WORD)),), finish="refused")


def filtered(*fragments: str) -> Answer:
    """The provider's filter stops the answer, possibly in its middle."""
    return Answer((Text(_fragments(fragments, _WORD)),) if fragments else (), finish="filtered")


def thinking(*fragments: str, signature: str = "sig_scripted") -> Reasoning:
    return Reasoning(_fragments(fragments, _WORD), signature)


def tool(name: str, /, **arguments: Any) -> ToolCall:
    return raw_tool(name, json_text(arguments))


def raw_tool(name: str, *fragments: str) -> ToolCall:
    """A call whose arguments are exactly this text, be it JSON or not."""
    return ToolCall(name, _fragments(fragments, _PIECE))


def fails(
    status: int,
    message: str | None = None,
    *,
    retry_after: int | datetime | None = None,
    headers: Mapping[str, str] | None = None,
) -> Failure:
    """An HTTP error. `retry_after` is sent as seconds, or as an HTTP date if it is a time (in UTC)."""
    sent = dict(headers or {})
    if isinstance(retry_after, datetime):
        sent["retry-after"] = format_datetime(retry_after, usegmt=True)
    elif retry_after is not None:
        sent["retry-after"] = str(retry_after)
    return Failure(fault_of_status(status, message), sent)


def out_of_quota() -> Failure:
    """A 429 that no waiting cures."""
    return Failure(Fault("quota", 429))


def context_exceeded() -> Failure:
    return Failure(Fault("context_length", 400))


def never_answers() -> NoAnswer:
    return NoAnswer("silence")


def hangs_up() -> NoAnswer:
    return NoAnswer("hang_up")


_WORD = re.compile(r"\S+\s*|\s+")
_PIECE = re.compile(r".{1,12}", re.DOTALL)


def _fragments(given: Sequence[str], pattern: re.Pattern[str]) -> tuple[str, ...]:
    return tuple(pattern.findall(given[0])) if len(given) == 1 else tuple(given)
