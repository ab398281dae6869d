"""A compaction: what it replaces, what the model is asked for it, and bare traces where the model fails.

The latest turns stay word for word, and what is asked begins with the very messages that were sent before, so that the
provider's cache serves it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import anyio

from teamwright.models.errors import ModelError
from teamwright.models.port import Deadlines, Model, ModelRequest, UserPrompt
from teamwright.prompts.assistant.history import Digest, digest_text, summary_instruction
from teamwright.prompts.assistant.quoting import excerpt
from teamwright.protocol.events import SessionCompacted
from teamwright.protocol.ids import TurnId
from teamwright.runtime.context.conversation import SessionConversation
from teamwright.runtime.context.entry import ContextEntry, UserEntry
from teamwright.runtime.context.layout import Forms, Layout
from teamwright.runtime.context.one_answer import Spent, one_answer
from teamwright.runtime.context.request import Outlook, layout_of, messages_of, opening_of

_CHARACTERS_PER_WORD: Final = 6
_LONGEST_SUMMARY: Final = 12_000
_LONGEST_DIGEST: Final = 3_000
# What is shorter than this is not worth a model call, nor the cache.
_LEAST_REPLACED: Final = 2_000
_DEADLINES: Final = Deadlines(connect=10, first_byte=60, idle=30, whole=120)


@dataclass(frozen=True, slots=True)
class Summarising:
    """Everything up to a record of the log, how to ask for its summary, and what stands in where there is none.

    `longest` is what a summary may have and still be of help.
    """

    up_to_seq: int
    request: ModelRequest
    longest: int
    digest: str


def summarise(conversation: SessionConversation, outlook: Outlook, *, on_request: bool = False) -> Summarising | None:
    """None where nothing can be gained: there is little, or all of it belongs to the latest turn.

    On request all but the latest turn is summed up; else those before it stay, too, as far as they are short.
    """
    room = outlook.room
    layout = layout_of(conversation, room)
    kept_from = _first_kept(conversation, layout, 0 if on_request else room.whole // 4)
    replaced = conversation.entries[:kept_from]
    size = opening_of(conversation).size + Forms(replaced, layout).size
    if not replaced or size < _LEAST_REPLACED:
        return None
    longest = min(_LONGEST_SUMMARY, room.whole // 6, size // 2)
    asked = UserPrompt(summary_instruction(longest // _CHARACTERS_PER_WORD))
    kept = conversation.entries[kept_from:]
    return Summarising(
        up_to_seq=kept[0].seq - 1 if kept else conversation.last_seq,
        request=ModelRequest(
            messages=(*messages_of(conversation, replaced, layout, room), asked),
            system=outlook.system,
            tools=outlook.tools,
            tool_choice="none",
            deadlines=_DEADLINES,
        ),
        longest=longest,
        digest=digest_text(_digest(conversation, kept_from), min(_LONGEST_DIGEST, longest)),
    )


def _first_kept(conversation: SessionConversation, layout: Layout, most: int) -> int:
    """The beginning of the earliest turn from which on there is no more than that; of the latest turn in any case."""
    entries = conversation.entries
    beginnings = _beginnings(entries)
    size, first = 0, len(entries)
    for index in reversed(range(len(entries))):
        size += _size(conversation, index, layout)
        if index in beginnings:
            if first < len(entries) and size > most:
                break
            first = index
    return first


def _beginnings(entries: Sequence[ContextEntry]) -> frozenset[int]:
    """Where a turn begins; a later word of the user in the same turn is no beginning."""
    first: dict[TurnId | None, int] = {}
    for index, entry in enumerate(entries):
        if isinstance(entry, UserEntry):
            first.setdefault(entry.turn_id, index)
    return frozenset(first.values())


def _size(conversation: SessionConversation, index: int, layout: Layout) -> int:
    entry = conversation.entries[index]
    return entry.brief_size if index < layout.brief_until else entry.full_size


def _digest(conversation: SessionConversation, kept_from: int) -> Digest:
    requests = [entry.text for entry in conversation.entries[:kept_from] if isinstance(entry, UserEntry)]
    runs = [f"{run.run_id} {finished.outcome}: {run.task}" for run, finished in conversation.runs.ended()]
    return Digest(conversation.summary, requests, runs)


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
            summary = await one_answer(model, summarising.request, spent)
    except ModelError as fault:
        raise _NoSummary(fault.message) from fault
    except TimeoutError as fault:
        raise _NoSummary("the model took too long to write one.") from fault
    if not summary:
        raise _NoSummary("the model wrote none.")
    return excerpt(summary, summarising.longest)
