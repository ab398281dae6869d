"""Amounts, names and places in words, the same for every client."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from teamwright.protocol.items import Range
from teamwright.protocol.usage import Budget, Usage
from teamwright.protocol.views import RunPhase

# How people name the file of a URI.
PathOf = Callable[[str], str]

PHASES: Final[Mapping[RunPhase, str]] = {
    "queued": "Queued",
    "planning": "Planning",
    "answering": "Answering",
    "checking": "Checking",
    "voting": "Voting",
    "override": "Your word",
    "presenting": "Presenting",
    "executing": "Carrying out the plan",
    "applying": "Applying",
    "finished": "Finished",
}
_TITLE_LENGTH = 120
# Files that were put into a text for a model, as the prompts mark them.
_ENCLOSED = re.compile(
    r'<attachment-(?P<mark>[0-9a-f]{8}) path="(?P<path>[^"]+)"(?: lines="(?P<first>\d+)(?:-(?P<last>\d+))?")?[^>]*>\n'
    r"(?P<text>.*?)\n</attachment-(?P=mark)>",
    re.DOTALL,
)
_GAP = re.compile(r"\n(?:[^\S\n]*\n){6,}")
_DASH = "\N{EN DASH}"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def on_one_line(text: str, length: int = _TITLE_LENGTH) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {plural or noun + 's'}"


def listed(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def ordinal(number: int) -> str:
    return _ORDINALS[number - 1] if 0 < number <= len(_ORDINALS) else f"{number}th"


def money(usd: float) -> str:
    """Of less than a cent the first figures that there are."""
    return f"${usd:.2f}" if usd >= 0.01 or usd == 0 else f"${usd:.4f}"


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens


def spending(usage: Usage, cost_usd: float | None) -> Iterator[str]:
    """A price that is not known is not made up: then the tokens speak for themselves."""
    if cost_usd is not None:
        yield money(cost_usd)
    if count := tokens(usage):
        yield counted(count, "token")


def limits(budget: Budget) -> str:
    parts = (
        None if budget.usd is None else money(budget.usd),
        None if budget.tokens is None else counted(budget.tokens, "token"),
        None if budget.seconds is None else duration(budget.seconds),
    )
    return ", ".join(part for part in parts if part is not None)


def place(path: str, where: Range | None) -> str:
    """The file, and its lines."""
    return path if where is None else f"{path}, {lines(where.start.line + 1, _last_line(where))}"


def named_scope(path: str) -> str:
    """What a run is given to read or change."""
    return "the workspace" if path == "." else path


def lines(first: int, last: int) -> str:
    return f"line {first}" if last <= first else f"lines {first}{_DASH}{last}"


def with_files_named(text: str) -> str:
    """A text in which files are enclosed, with their names above their content in place of the marks around it."""
    return _ENCLOSED.sub(_named, text)


def without_gaps(text: str) -> str:
    """Many empty lines in a row would move what follows out of sight: they are told by their number."""
    return _GAP.sub(lambda gap: f"\n\n⟨{gap[0].count(chr(10)) - 1} empty lines⟩\n\n", text)


def _named(enclosed: re.Match[str]) -> str:
    first = enclosed["first"]
    place = enclosed["path"] + (f", {lines(int(first), int(enclosed['last'] or first))}" if first else "")
    return f"{place}:\n{enclosed['text']}"


def _last_line(where: Range) -> int:
    """An end at the very beginning of a line does not touch it."""
    return where.end.line + (1 if where.end.character > 0 or where.end.line == where.start.line else 0)
