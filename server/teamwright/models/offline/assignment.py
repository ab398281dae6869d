"""What an agent without a model takes a task to be: it goes by words and places, and claims no more. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from teamwright.models.offline.remarks import CodeSpan
from teamwright.models.port import Message, ModelRequest, UserPrompt
from teamwright.prompts.recognising import readable_paths, reports_findings, without_earlier, writable_paths

OfflineTask = Literal["review", "explain", "tests"]
_TROUBLE: Final = r"wrong|broken|bad|buggy|problems?|bugs?|issues?|mistakes?|faults?|errors?"
_TASKS: Final[dict[OfflineTask, re.Pattern[str]]] = {
    "review": re.compile(
        r"(?i)\b(?:review|fix|mend|check|lint|audit|scan|inspect|find|look (?:at|over|through)|clean|analy[sz]e|improve"
        rf"|critique|assess|(?:un)?safe|(?:in)?secure|vulnerab\w+|{_TROUBLE})\b"
    ),
    # "What is wrong with it?" asks for no explanation.
    "explain": re.compile(
        r"(?i)\b(?:explain|describe|summari[sz]e|walk me|overview|how (?:does|do|is)"
        rf"|what (?:does|do|is|are)(?!(?:\W+\w+){{0,3}}\W+(?:{_TROUBLE})\b))\b"
    ),
    "tests": re.compile(r"(?i)\b(?:write|add|create|generate)\b[^.\n]{0,40}\btests?\b"),
}
_TASK: Final = re.compile(r"(?:^|\n)# Task\n(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Assignment:
    purpose: OfflineTask
    # All that was said of this task before the work began, to find places in.
    said: str
    readable: tuple[str, ...]
    writable: tuple[str, ...]
    reports_findings: bool

    def scope_of(self, path: str) -> CodeSpan | None:
        """The lines of the file that were asked about, if only some were."""
        return lines_named(self.said, path)

    def covers(self, place: CodeSpan) -> bool:
        scope = self.scope_of(place.path)
        return scope is None or scope.overlaps(place)

    def may_change(self, path: str) -> bool:
        return any(root in (".", path) or path.startswith(f"{root.rstrip('/')}/") for root in self.writable)


def assignment_of(request: ModelRequest) -> Assignment:
    said = without_earlier(first_message(request.messages))
    task = _TASK.search(said)
    return Assignment(
        purpose=offline_task_of(task[1] if task else said),
        said=said,
        readable=readable_paths(request.system),
        writable=writable_paths(request.system),
        reports_findings=reports_findings(request.system),
    )


def offline_task_of(task: str) -> OfflineTask:
    return recognised_task(task) or "review"


def recognised_task(task: str) -> OfflineTask | None:
    """What is asked for first: what comes behind it says how."""
    found: list[tuple[int, OfflineTask]] = [
        (match.start(), purpose) for purpose, pattern in _TASKS.items() if (match := pattern.search(task)) is not None
    ]
    return min(found)[1] if found else None


def lines_named(text: str, path: str) -> CodeSpan | None:
    """lines 3-9 of `path`; `path`, lines 3-9; `path:3-9`; path lines 3 to 9."""
    name, numbers = re.escape(path), r"(\d+)(?:\s*(?:-|\u2013|to)\s*(\d+))?"
    found = re.search(rf"\blines?\s+{numbers} of `{name}`", text)
    found = found or re.search(rf"{name}`?(?::|[,;]?\s*\(?lines?\s+){numbers}", text)
    if found is None:
        return None
    first = int(found[1])
    return CodeSpan(path, first, max(first, int(found[2] or first)))


def first_message(messages: Sequence[Message]) -> str:
    return next((message.text for message in messages if isinstance(message, UserPrompt)), "")
