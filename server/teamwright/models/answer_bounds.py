"""One answer within its bounds, counted as it comes: whoever sends more is stopped then, not when all is in memory."""

from collections import Counter

from teamwright.models.errors import ModelError
from teamwright.models.faults import Target, garbled
from teamwright.models.limits import (
    MAX_ANSWER_CHARACTERS,
    MAX_ARGUMENTS_CHARACTERS,
    MAX_NAME_CHARACTERS,
)
from teamwright.models.port import Part, ReasoningDelta, TextDelta, ToolArgumentsDelta, ToolCallStarted


def endless(target: Target, what: str) -> ModelError:
    """Not tried again: it would come again."""
    message = f"The answer of {target.model} at {target.provider} was stopped: it has {what}. Choose another model."
    return ModelError("endless_answer", message)


class AnswerBounds:
    def __init__(self, target: Target) -> None:
        self._target = target
        self._characters = 0
        self._arguments: Counter[str] = Counter()

    def within(self, part: Part) -> Part:
        """The part. Raises ModelError where it is one too many, or not made of text."""
        match part:
            case TextDelta(text) | ReasoningDelta(text):
                self._count(text)
            case ToolArgumentsDelta(call_id, text):
                self._count(text)
                self._arguments[call_id] += len(text)
                if self._arguments[call_id] > MAX_ARGUMENTS_CHARACTERS:
                    raise endless(self._target, f"a tool call of more than {MAX_ARGUMENTS_CHARACTERS} characters")
            case ToolCallStarted(call_id, name):
                self._call(call_id, name)
            case _:
                pass
        return part

    def _count(self, text: str) -> None:
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - decoders take their word for it
            raise garbled(self._target)
        self._characters += len(text)
        if self._characters > MAX_ANSWER_CHARACTERS:
            raise endless(self._target, f"more than {MAX_ANSWER_CHARACTERS} characters")

    def _call(self, call_id: str, name: str) -> None:
        for given in (call_id, name):
            if not isinstance(given, str) or len(given) > MAX_NAME_CHARACTERS:  # pyright: ignore[reportUnnecessaryIsInstance] - the same
                raise garbled(self._target)
