"""What a compaction replaces, and what the model is asked for it. Pure. The latest turns stay word for word, and what
is asked begins with the very messages that were sent before, so that the provider's cache serves it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from quorate.models.port import Deadlines, ModelRequest, UserMessage
from quorate.prompts.assistant.summary import Digest, digest_text, summary_instruction
from quorate.protocol.ids import TurnId
from quorate.runtime.context.conversation import Conversation
from quorate.runtime.context.entry import Entry
from quorate.runtime.context.layout import Forms, Layout
from quorate.runtime.context.request import Outlook, layout_of, messages_of, opening_of
from quorate.runtime.context.said import Said

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


def summarise(conversation: Conversation, outlook: Outlook, *, on_request: bool = False) -> Summarising | None:
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
    asked = UserMessage(summary_instruction(longest // _CHARACTERS_PER_WORD))
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


def _first_kept(conversation: Conversation, layout: Layout, most: int) -> int:
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


def _beginnings(entries: Sequence[Entry]) -> frozenset[int]:
    """Where a turn begins; a later word of the user in the same turn is no beginning."""
    first: dict[TurnId | None, int] = {}
    for index, entry in enumerate(entries):
        if isinstance(entry, Said):
            first.setdefault(entry.turn_id, index)
    return frozenset(first.values())


def _size(conversation: Conversation, index: int, layout: Layout) -> int:
    entry = conversation.entries[index]
    return entry.brief_size if index < layout.brief_until else entry.full_size


def _digest(conversation: Conversation, kept_from: int) -> Digest:
    requests = [entry.text for entry in conversation.entries[:kept_from] if isinstance(entry, Said)]
    runs = [f"{run.run_id} {finished.outcome}: {run.task}" for run, finished in conversation.runs.ended()]
    return Digest(conversation.summary, requests, runs)
