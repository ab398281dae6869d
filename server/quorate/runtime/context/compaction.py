"""A compaction carried out: the model's summary of what was said earlier, or bare traces of it where that fails."""

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass

import anyio

from quorate.models.errors import ModelError
from quorate.models.port import Finished, Model, ModelRequest, Restarted, TextDelta, UsageReported
from quorate.prompts.assistant.excerpts import excerpt
from quorate.protocol.events import SessionCompacted
from quorate.runtime.context.summarising import Summarising

Spent = Callable[[UsageReported], None]


@dataclass(frozen=True, slots=True)
class Compaction:
    """The fact to append. `notice` is a sentence for the user where no summary could be made."""

    event: SessionCompacted
    notice: str | None = None


class _NoSummary(Exception):
    """Its text is a sentence for the user: why not."""


async def compact(model: Model, summarising: Summarising, spent: Spent) -> Compaction:
    """Never fails and never waits for ever: whatever becomes of the summary, what is left fits."""
    try:
        summary = await _summary(model, summarising, spent)
    except _NoSummary as fault:
        notice = f"Earlier messages were left out of what the model sees, without a summary: {fault}"
        return Compaction(SessionCompacted(summary=summarising.digest, up_to_seq=summarising.up_to_seq), notice)
    return Compaction(SessionCompacted(summary=summary, up_to_seq=summarising.up_to_seq))


async def _summary(model: Model, summarising: Summarising, spent: Spent) -> str:
    try:
        with anyio.fail_after(summarising.request.deadlines.whole):
            summary = await _streamed(model, summarising.request, spent)
    except ModelError as fault:
        raise _NoSummary(fault.message) from fault
    except TimeoutError as fault:
        raise _NoSummary("the model took too long to write one.") from fault
    if not summary:
        raise _NoSummary("the model wrote none.")
    return excerpt(summary, summarising.longest)


async def _streamed(model: Model, request: ModelRequest, spent: Spent) -> str:
    said: list[str] = []
    async with aclosing(model.stream(request)) as parts:
        async for part in parts:
            match part:
                case TextDelta(text):
                    said.append(text)
                case Restarted():
                    said.clear()
                case UsageReported():
                    spent(part)
                case Finished(reason="content_filter"):
                    said.clear()
                case _:
                    pass
    return "".join(said).strip()
