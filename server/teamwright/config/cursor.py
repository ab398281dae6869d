"""Where a cursor stands in a configuration that is being typed, and so is seldom YAML at the moment. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Step: TypeAlias = str | int
Steps: TypeAlias = tuple[Step, ...]

_LEAD: Final = re.compile(r" *(?:- +)*(?:-$)?")
_KEY: Final = re.compile(r"""(?P<quote>["']?)(?P<key>[^\s"'{}\[\],#&*!|>%@`:][^"':#{}\[\],]*?)(?P=quote) *:(?: +|$)""")
_BLOCK_TEXT: Final = re.compile(r"[|>][+-]?\d?[+-]?\s*(?:#.*)?")
_COMMENT: Final = re.compile(r"(?:^|\s)#")


@dataclass(frozen=True, slots=True)
class KeySpot:
    """A key is written, or an entry of a list: `typed` of it so far, from column `start` on."""

    steps: Steps
    typed: str
    start: int


@dataclass(frozen=True, slots=True)
class ValueSpot:
    """The value of `key` is written."""

    steps: Steps
    key: str
    typed: str
    start: int


Spot: TypeAlias = KeySpot | ValueSpot


def spot_at(lines: Sequence[str], line: int, column: int) -> Spot | None:
    """Lines and columns count from 0, columns in code points. None where nothing of ours can stand."""
    if line >= len(lines):
        return None
    outline = _Outline()
    for above in lines[:line]:
        outline.read(above.rstrip("\r\n"))
    return outline.spot(lines[line].rstrip("\r\n")[:column])


def keys_in(lines: Sequence[str], steps: Steps) -> frozenset[str]:
    """Those that stand in the block mapping at this path already."""
    outline = _Outline()
    entries = [outline.read(line.rstrip("\r\n")) for line in lines]
    return frozenset(step for path in entries if path and path[:-1] == steps for step in path[-1:] if type(step) is str)


@dataclass(slots=True)
class _Bracket:
    kind: Literal["{", "["]
    steps: Steps
    key: str | None = None


@dataclass(slots=True)
class _Flow:
    """Between brackets, over any number of lines."""

    brackets: list[_Bracket] = field(default_factory=list[_Bracket])
    typed: str = ""
    start: int = 0
    _quote: str = ""

    def open(self, bracket: str, steps: Steps) -> None:
        self.brackets.append(_Bracket("{" if bracket == "{" else "[", steps))
        self.typed = ""

    def feed(self, text: str, column: int) -> None:
        for offset, character in enumerate(text):
            if not self.brackets or (character == "#" and text[offset - 1 : offset] in {"", " "} and not self._quote):
                return
            self._take(character, column + offset, text[offset + 1 : offset + 2])

    def spot(self, column: int) -> Spot | None:
        inner = self.brackets[-1]
        start = self.start if self.typed else column
        if inner.kind == "{":
            key = inner.key
            return KeySpot(inner.steps, self.typed, start) if key is None else self._value(inner.steps, key, start)
        owner = inner.steps[-1] if inner.steps else None
        return self._value(inner.steps[:-1], owner, start) if isinstance(owner, str) else None

    def _value(self, steps: Steps, key: str, start: int) -> ValueSpot:
        return ValueSpot(steps, key, self.typed, start)

    def _take(self, character: str, column: int, following: str) -> None:
        inner = self.brackets[-1]
        if self._quote:
            self._quote = "" if character == self._quote else self._quote
        elif character in {"{", "["}:
            within = inner.key if inner.kind == "{" else 0
            self.open(character, (*inner.steps, within if within is not None else self.typed))
            return
        elif character in {"}", "]"}:
            self.brackets.pop()
            self.typed = ""
            return
        elif character == ",":
            inner.key, self.typed = None, ""
            return
        elif character == ":" and inner.kind == "{" and inner.key is None and following in {"", " "}:
            inner.key, self.typed = self.typed.strip("\"' "), ""
            return
        elif character in {"'", '"'} and not self.typed:
            self._quote = character
        if self.typed or character != " ":
            self.start = self.start if self.typed else column
            self.typed += character


@dataclass(slots=True)
class _Level:
    column: int
    step: Step


@dataclass(slots=True)
class _Outline:
    """Reads line by line, by indentation alone, so that a line that is half written spoils nothing."""

    _levels: list[_Level] = field(default_factory=list[_Level])
    _items: dict[Steps, int] = field(default_factory=dict[Steps, int])
    _flow: _Flow = field(default_factory=_Flow)
    _text_below: int | None = None

    @property
    def _steps(self) -> Steps:
        return tuple(level.step for level in self._levels)

    def read(self, line: str) -> Steps | None:
        """The path of the key that the line begins with, if it does."""
        if self._flow.brackets:
            self._flow.feed(line, 0)
            return None
        if not line.strip() or line.lstrip().startswith("#") or self._is_text(line):
            return None
        column = self._descend(line)
        named = _KEY.match(line, column)
        if named is None:
            return None
        self._levels.append(_Level(column, named["key"]))
        value = line[named.end() :]
        if _BLOCK_TEXT.fullmatch(value):
            self._text_below = column
        elif value[:1] in {"{", "["}:
            self._flow.open(value[0], self._steps)
            self._flow.feed(value[1:], named.end() + 1)
        return self._steps

    def spot(self, head: str) -> Spot | None:
        if self._flow.brackets:
            self._flow.feed(head, 0)
            return self._flow.spot(len(head)) if self._flow.brackets else None
        if self._is_text(head or " ") or _COMMENT.search(head):
            return None
        column = self._descend(head)
        named = _KEY.match(head, column)
        if named is None:
            return KeySpot(self._steps, head[column:], column)
        value = head[named.end() :]
        if value[:1] in {"{", "["}:
            self._flow.open(value[0], (*self._steps, named["key"]))
            self._flow.feed(value[1:], named.end() + 1)
            return self._flow.spot(len(head)) if self._flow.brackets else None
        return ValueSpot(self._steps, named["key"], value, named.end())

    def _is_text(self, line: str) -> bool:
        """Whether the line belongs to a text that was begun with `|` or `>`."""
        if self._text_below is not None and line.strip() and len(line) - len(line.lstrip(" ")) <= self._text_below:
            self._text_below = None
        return self._text_below is not None

    def _descend(self, line: str) -> int:
        """Leaves the levels that the line is not in, enters the lists it has entries of; the column it begins at."""
        lead = _LEAD.match(line)
        end = lead.end() if lead else 0
        for column in (at for at, character in enumerate(line[:end]) if character == "-"):
            self._leave(column, keep_owner=True)
            owner = self._steps
            self._items[owner] = self._items.get(owner, -1) + 1
            self._levels.append(_Level(column, self._items[owner]))
        self._leave(end, keep_owner=False)
        return end

    def _leave(self, column: int, *, keep_owner: bool) -> None:
        """A list may stand right below its key, at the same column."""
        while self._levels and (
            self._levels[-1].column > column
            or (self._levels[-1].column == column and not (keep_owner and isinstance(self._levels[-1].step, str)))
        ):
            self._levels.pop()
