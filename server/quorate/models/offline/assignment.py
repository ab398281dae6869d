"""What an agent without a model takes a task to be: it goes by words and places, and claims no more. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from quorate.models.offline.remarks import Place
from quorate.models.port import Message, ModelRequest, UserMessage
from quorate.prompts.recognising import readable_paths, writable_paths

Errand = Literal["review", "explain", "tests"]
_EXPLAIN: Final = re.compile(r"(?i)\b(?:explain|describe|what (?:does|is|are)|how (?:does|do|is)|walk me|overview)\b")
_TESTS: Final = re.compile(r"(?i)\b(?:write|add|create|generate)\b[^.\n]{0,40}\btests?\b")
_TASK: Final = re.compile(r"(?:^|\n)# Task\n(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Assignment:
    errand: Errand
    # All that was said before the work began, to find places in.
    said: str
    readable: tuple[str, ...]
    writable: tuple[str, ...]

    def scope_of(self, path: str) -> Place | None:
        """The lines of the file that were asked about, if only some were."""
        return lines_named(self.said, path)

    def covers(self, place: Place) -> bool:
        scope = self.scope_of(place.path)
        return scope is None or scope.overlaps(place)

    def may_change(self, path: str) -> bool:
        return any(root in (".", path) or path.startswith(f"{root.rstrip('/')}/") for root in self.writable)


def assignment_of(request: ModelRequest) -> Assignment:
    said = first_message(request.messages)
    task = _TASK.search(said)
    return Assignment(
        errand=errand_of(task[1] if task else said),
        said=said,
        readable=readable_paths(request.system),
        writable=writable_paths(request.system),
    )


def errand_of(task: str) -> Errand:
    if _TESTS.search(task):
        return "tests"
    return "explain" if _EXPLAIN.search(task) else "review"


def lines_named(text: str, path: str) -> Place | None:
    """`path`, lines 3-9; `path:3-9`; path lines 3 to 9."""
    found = re.search(rf"{re.escape(path)}`?(?::|[,;]?\s*\(?lines?\s+)(\d+)(?:\s*(?:-|\u2013|to)\s*(\d+))?", text)
    if found is None:
        return None
    first = int(found[1])
    return Place(path, first, max(first, int(found[2] or first)))


def first_message(messages: Sequence[Message]) -> str:
    return next((message.text for message in messages if isinstance(message, UserMessage)), "")
