"""The last resort for what does not fit by any other means: the question and the latest entries, each cut to a share.
Pure. Whatever the conversation holds, the outcome fits."""

import json
from collections.abc import Sequence
from typing import Final

from quorate.models.estimate import CHARACTERS_PER_MESSAGE
from quorate.models.port import AssistantMessage, Message, ToolCall, ToolResultMessage, UserMessage
from quorate.prompts.assistant.excerpts import excerpt
from quorate.prompts.assistant.notes import TOO_LONG
from quorate.runtime.context.entry import Rendering, rendering
from quorate.runtime.context.layout import Forms
from quorate.runtime.context.room import Room

_LEAST_OF_A_PAIR: Final = 500
_LONGEST_NAME: Final = 64
_NOTICE: Final = rendering(UserMessage(TOO_LONG))


def squeezed(opening: Rendering, forms: Forms, question: int, room: Room) -> tuple[Message, ...]:
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
        case (AssistantMessage() as answer, *results):
            return _cut_answer(answer, [each for each in results if isinstance(each, ToolResultMessage)], limit)
        case _:
            room = limit - CHARACTERS_PER_MESSAGE
            return rendering(*(UserMessage(excerpt(each.text, room)) for each in whole.messages))


def _cut_answer(answer: AssistantMessage, results: Sequence[ToolResultMessage], limit: int) -> Rendering:
    text = excerpt(answer.text, limit // 3 - CHARACTERS_PER_MESSAGE)
    for_pairs = limit - limit // 3
    pairs = list(zip(answer.tool_calls, results, strict=True))[-max(1, for_pairs // _LEAST_OF_A_PAIR) :]
    share = for_pairs // max(1, len(pairs))
    return rendering(
        AssistantMessage(text, tuple(_cut_call(call, share // 2) for call, _ in pairs)),
        *(_cut_result(result, share // 2) for _, result in pairs),
    )


def _cut_call(call: ToolCall, limit: int) -> ToolCall:
    fits = len(json.dumps(dict(call.arguments))) <= limit - _LONGEST_NAME
    return ToolCall(call.call_id, call.name[:_LONGEST_NAME], call.arguments if fits else {})


def _cut_result(result: ToolResultMessage, limit: int) -> ToolResultMessage:
    return ToolResultMessage(result.call_id, excerpt(result.text, limit - CHARACTERS_PER_MESSAGE), result.is_error)
