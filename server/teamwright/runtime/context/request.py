"""A request from a conversation. Pure and linear: everything that was read before is given.

Whatever the conversation holds, the outcome fits: as a last resort the question and the latest entries are cut.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from teamwright.models.metering import CHARACTERS_PER_MESSAGE
from teamwright.models.port import (
    Message,
    ModelReply,
    ModelRequest,
    ModelToolCall,
    ToolResultMessage,
    ToolSpec,
    UserPrompt,
)
from teamwright.prompts.assistant.facts import Facts, facts_message
from teamwright.prompts.assistant.history import summary_message
from teamwright.prompts.assistant.notes import EARLIER_MISSING, TOO_LONG
from teamwright.prompts.assistant.quoting import excerpt
from teamwright.protocol.events import HiddenTextFound
from teamwright.runtime.context.conversation import SessionConversation
from teamwright.runtime.context.entry import NOTHING, ContextEntry, Rendering, UserEntry, rendering
from teamwright.runtime.context.layout import Forms, HistoryBudget, Layout, lay_out

_MISSING: Final = rendering(UserPrompt(EARLIER_MISSING))
_LEAST_OF_A_PAIR: Final = 500
_LONGEST_NAME: Final = 64
_NOTICE: Final = rendering(UserPrompt(TOO_LONG))


@dataclass(frozen=True, slots=True)
class Outlook:
    """What stands around the conversation, the same for every call of a turn.

    `problems` are sentences for the user; each is told once. `hidden` are facts that the log does not have yet.
    """

    system: str
    tools: tuple[ToolSpec, ...]
    room: HistoryBudget
    problems: tuple[str, ...] = ()
    hidden: tuple[HiddenTextFound, ...] = ()


def build(conversation: SessionConversation, outlook: Outlook, facts: Facts | None = None) -> ModelRequest:
    layout = layout_of(conversation, outlook.room)
    said = messages_of(conversation, conversation.entries, layout, outlook.room)
    last = (UserPrompt(facts_message(facts)),) if facts is not None else ()
    return ModelRequest(messages=(*said, *last), system=outlook.system, tools=outlook.tools)


def layout_of(conversation: SessionConversation, room: HistoryBudget) -> Layout:
    return lay_out(conversation.entries, room, opening_of(conversation).size)


def needs_compaction(conversation: SessionConversation, room: HistoryBudget) -> bool:
    """Whether there is too much even without the old output. A turn is only helped once."""
    return not conversation.is_freshly_compacted and layout_of(conversation, room).size > room.tight


def opening_of(conversation: SessionConversation) -> Rendering:
    return rendering(UserPrompt(summary_message(conversation.summary))) if conversation.summary else NOTHING


def messages_of(
    conversation: SessionConversation, entries: Sequence[ContextEntry], layout: Layout, room: HistoryBudget
) -> tuple[Message, ...]:
    """The messages for some first entries of the conversation."""
    forms = Forms(entries, layout)
    opening = opening_of(conversation)
    first = next((form.messages[0] for form in chain((opening,), forms) if form.messages), None)
    if not isinstance(first, UserPrompt):
        # A conversation begins with the user, say the providers; a damaged log may not.
        opening = _MISSING
    if opening.size + forms.size <= room.whole:
        return (*opening.messages, *chain.from_iterable(form.messages for form in forms))
    question = max(
        (index for index, entry in enumerate(entries) if isinstance(entry, UserEntry)), default=len(forms) - 1
    )
    return squeezed(opening, forms, question, room)


def squeezed(opening: Rendering, forms: Forms, question: int, room: HistoryBudget) -> tuple[Message, ...]:
    """`forms[question]` is what the user asked last; it is kept, whatever else is not."""
    share = room.whole // 4
    head, asked = cut(opening, share // 2), cut(forms[question], share)
    left = room.whole - head.size - _NOTICE.size - asked.size
    first = len(forms)
    latest: list[Rendering] = []
    while first > 0:
        form = asked if first - 1 == question else cut(forms[first - 1], share)
        left -= 0 if form is asked else form.size
        if left < 0:
            break
        latest.append(form)
        first -= 1
    left_out = () if first == 0 else (_NOTICE,)
    parts = (head, *left_out, *((asked,) if question < first else ()), *reversed(latest))
    return tuple(message for part in parts for message in part.messages)


def cut(whole: Rendering, limit: int) -> Rendering:
    """An entry in at most so many characters, its calls still with their results."""
    if whole.size <= limit:
        return whole
    match whole.messages:
        case (ModelReply() as answer, *results):
            return _cut_answer(answer, [each for each in results if isinstance(each, ToolResultMessage)], limit)
        case _:
            room = limit - CHARACTERS_PER_MESSAGE
            return rendering(*(UserPrompt(excerpt(each.text, room)) for each in whole.messages))


def _cut_answer(answer: ModelReply, results: Sequence[ToolResultMessage], limit: int) -> Rendering:
    text = excerpt(answer.text, limit // 3 - CHARACTERS_PER_MESSAGE)
    for_pairs = limit - limit // 3
    pairs = list(zip(answer.tool_calls, results, strict=True))[-max(1, for_pairs // _LEAST_OF_A_PAIR) :]
    share = for_pairs // max(1, len(pairs))
    return rendering(
        ModelReply(text, tuple(_cut_call(call, share // 2) for call, _ in pairs)),
        *(_cut_result(result, share // 2) for _, result in pairs),
    )


def _cut_call(call: ModelToolCall, limit: int) -> ModelToolCall:
    fits = len(json.dumps(dict(call.arguments))) <= limit - _LONGEST_NAME
    return ModelToolCall(call.call_id, call.name[:_LONGEST_NAME], call.arguments if fits else {})


def _cut_result(result: ToolResultMessage, limit: int) -> ToolResultMessage:
    return ToolResultMessage(result.call_id, excerpt(result.text, limit - CHARACTERS_PER_MESSAGE), result.is_error)
