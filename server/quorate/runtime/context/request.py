"""A request from a conversation. Pure and linear: everything that was read before is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from quorate.models.port import Message, ModelRequest, ToolSpec, UserMessage
from quorate.prompts.assistant.facts import Facts, facts_message
from quorate.prompts.assistant.notes import EARLIER_MISSING
from quorate.prompts.assistant.summary import summary_message
from quorate.runtime.context.conversation import Conversation
from quorate.runtime.context.entry import NOTHING, Entry, Rendering, rendering
from quorate.runtime.context.layout import Forms, Layout, lay_out
from quorate.runtime.context.room import Room
from quorate.runtime.context.said import Said
from quorate.runtime.context.squeezing import squeezed

_MISSING: Final = rendering(UserMessage(EARLIER_MISSING))


@dataclass(frozen=True, slots=True)
class Outlook:
    """What stands around the conversation, the same for every call of a turn.

    `problems` are sentences for the user; each is told once.
    """

    system: str
    tools: tuple[ToolSpec, ...]
    room: Room
    problems: tuple[str, ...] = ()


def build(conversation: Conversation, outlook: Outlook, facts: Facts | None = None) -> ModelRequest:
    layout = layout_of(conversation, outlook.room)
    said = messages_of(conversation, conversation.entries, layout, outlook.room)
    last = (UserMessage(facts_message(facts)),) if facts is not None else ()
    return ModelRequest(messages=(*said, *last), system=outlook.system, tools=outlook.tools)


def layout_of(conversation: Conversation, room: Room) -> Layout:
    return lay_out(conversation.entries, room, opening_of(conversation).size)


def needs_compaction(conversation: Conversation, room: Room) -> bool:
    """Whether there is too much even without the old output. A turn is only helped once."""
    return not conversation.is_freshly_compacted and layout_of(conversation, room).size > room.tight


def opening_of(conversation: Conversation) -> Rendering:
    return rendering(UserMessage(summary_message(conversation.summary))) if conversation.summary else NOTHING


def messages_of(
    conversation: Conversation, entries: Sequence[Entry], layout: Layout, room: Room
) -> tuple[Message, ...]:
    """The messages for some first entries of the conversation."""
    forms = Forms(entries, layout)
    opening = opening_of(conversation)
    first = next((form.messages[0] for form in chain((opening,), forms) if form.messages), None)
    if not isinstance(first, UserMessage):
        # A conversation begins with the user, say the providers; a damaged log may not.
        opening = _MISSING
    if opening.size + forms.size <= room.whole:
        return (*opening.messages, *chain.from_iterable(form.messages for form in forms))
    question = max((index for index, entry in enumerate(entries) if isinstance(entry, Said)), default=len(forms) - 1)
    return squeezed(opening, forms, question, room)
