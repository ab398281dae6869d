"""Reads the fenced form: a JSON block at the very end of an answer is a tool call, any other is text. Pure."""

import re
from collections.abc import Iterator
from typing import Any, Final, TypeAlias, cast

from teamwright.models.arguments import NotStrictJson, checked_value, strict_json
from teamwright.models.port import (
    FinishReason,
    ModelRequest,
    TextDelta,
    ToolCallCompleted,
    ToolCallInvalid,
    ToolCallStarted,
)

FencedPart: TypeAlias = TextDelta | ToolCallStarted | ToolCallCompleted | ToolCallInvalid

_FENCE: Final = "```"
_OPENING: Final = "```json"
# Blanks before and after it included: what is longer is looked at piece by piece no more.
_LONGEST_FENCE: Final = 200
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_CALL: Final = re.compile(r'\s*\{\s*"tool"\s*:\s*(?:"([^"\n]*)")?')


class FencedReader:
    """Prose is passed on as it comes. A block is held back until text follows it or the answer ends."""

    def __init__(self, request: ModelRequest) -> None:
        self._tools = request.tools
        self._call_id = f"call_{len(request.messages)}_0"
        self._in_prose_line = False
        self._line: list[str] = []
        """The pieces of a line that is not complete and not passed on."""
        self._block: list[str] | None = None
        self._closed = False

    def feed(self, text: str) -> Iterator[TextDelta]:
        for piece in _LINE.findall(text):
            yield from self._piece(piece)

    def end(self, reason: FinishReason) -> Iterator[FencedPart]:
        rest = "".join(self._line)
        if self._block is None:
            yield from _text(rest)
            return
        lines = [*self._block, rest] if rest else self._block
        closed = self._closed or lines[-1].strip() == _FENCE
        body = "".join(lines[1:]).rstrip().removesuffix(_FENCE) if closed else "".join(lines[1:])
        outcome = self._outcome(body, closed=closed, reason=reason)
        if outcome is None:
            yield from _text("".join(lines))
            return
        name = outcome.call.name if isinstance(outcome, ToolCallCompleted) else outcome.name
        yield ToolCallStarted(self._call_id, name)
        yield outcome

    def _piece(self, piece: str) -> Iterator[TextDelta]:
        if self._in_prose_line:
            self._in_prose_line = not piece.endswith("\n")
            yield TextDelta(piece)
            return
        self._line.append(piece)
        if self._block is None:
            yield from self._prose()
        elif self._closed:
            yield from self._after(self._block)
        elif piece.endswith("\n"):
            line = self._taken()
            self._block.append(line)
            self._closed = line.strip() == _FENCE

    def _prose(self) -> Iterator[TextDelta]:
        line = "".join(self._line)
        begun = line.lstrip(" \t")
        if (
            not line.endswith("\n")
            and len(line) <= _LONGEST_FENCE
            and (_OPENING.startswith(begun.rstrip()) or begun.rstrip() == _OPENING)
        ):
            return
        self._line = []
        if begun.rstrip() == _OPENING:
            self._block = [line]
            return
        self._in_prose_line = not line.endswith("\n")
        yield TextDelta(line)

    def _after(self, block: list[str]) -> Iterator[TextDelta]:
        line = "".join(self._line)
        if line.strip() or len(line) > _LONGEST_FENCE:
            self._line, self._block, self._closed = [], None, False
            yield TextDelta("".join(block))
            yield from self._piece(line)
        elif line.endswith("\n"):
            block.append(self._taken())

    def _taken(self) -> str:
        line, self._line = "".join(self._line), []
        return line

    def _outcome(self, body: str, *, closed: bool, reason: FinishReason) -> ToolCallCompleted | ToolCallInvalid | None:
        """None where the block is no call at all, but a part of the text."""
        begun = _CALL.match(body)
        name = (begun.group(1) or "") if begun else ""
        try:
            value = strict_json(body)
        except NotStrictJson as error:
            value, problem = None, f"The JSON block at the end of your answer is {error}."
        else:
            problem = ""
        if begun is None and not (isinstance(value, dict) and "tool" in value):
            return None
        if reason in {"length", "content_filter"}:
            problem = "The answer was cut off, so nothing was called."
        elif not closed:
            problem = "The JSON block at the end of your answer was not closed with ```."
        elif not problem:
            return self._checked(cast("dict[str, Any]", value))
        return ToolCallInvalid(self._call_id, name, f"{problem} Write the call again.")

    def _checked(self, call: dict[str, Any]) -> ToolCallCompleted | ToolCallInvalid:
        name = call["tool"]
        if set(call) != {"tool", "arguments"} or not isinstance(name, str):
            problem = 'The call must have the keys "tool" (a name) and "arguments" (an object) alone. Write it again.'
            return ToolCallInvalid(self._call_id, str(name), problem)
        return checked_value(self._call_id, name, call["arguments"], self._tools)


def _text(text: str) -> Iterator[TextDelta]:
    if text:
        yield TextDelta(text)
