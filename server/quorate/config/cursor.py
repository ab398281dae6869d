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


def keys_beside(lines: Sequence[str], line: int) -> frozenset[str]:
    """The keys of the block mapping that this line stands in, its own aside."""
    column = _entry_column(lines[line]) if lines[line].strip() else None
    found: set[str] = set()
    for neighbours in (lines[line + 1 :], lines[:line][::-1]):
        for each in neighbours:
            if not each.strip():
                continue
            column = _entry_column(each) if column is None else column
            starts_item = each.lstrip().startswith("- ")
            if _entry_column(each) < column or (starts_item and neighbours[0] is not each and _indent(each) < column):
                if starts_item and _entry_column(each) == column and neighbours is not lines[line + 1 :]:
                    found |= _key_of(each)
                break
            if _entry_column(each) == column:
                found |= _key_of(each)
    return frozenset(found)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _entry_column(line: str) -> int:
    lead = _LEAD.match(line)
    return lead.end() if lead else 0


def _key_of(line: str) -> set[str]:
    named = _KEY.match(line.rstrip("\r\n"), _entry_column(line))
    return {named["key"]} if named else set()
