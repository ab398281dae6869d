"""What the team is asked to do with a piece of code, from an editor's action."""

from collections.abc import Sequence
from typing import Final, Literal

from quorate.prompts.agent_messages import findings_digest
from quorate.prompts.assistant.excerpts import one_line
from quorate.protocol.findings import AgreedFinding

Errand = Literal["review", "explain", "fix", "test"]

_LONGEST_DETAIL: Final = 600

_TITLES: Final[dict[Errand, str]] = {
    "review": "Review {what}.",
    "explain": "Explain {what}.",
    "fix": "Fix {what}.",
    "test": "Write tests for {what}.",
}
_HOW: Final[dict[Errand, str]] = {
    "review": (
        "Look for what is wrong or will go wrong: bugs, security holes, races, unhandled cases, misleading names. "
        "Read around it as far as you need to be sure. Report each problem with `report_finding`, then sum up: the "
        "most important first, and what you could not check."
    ),
    "explain": (
        "Say what it is for, how it works step by step, and what is surprising or easy to get wrong about it. "
        "Refer to lines. Change nothing."
    ),
    "fix": (
        "Find what is wrong, and mend it with the smallest change that does so. Keep the style of the code around it "
        "and change nothing else. Say what was wrong and what you changed."
    ),
    "test": (
        "Write tests that would fail if the code did not do what it should: its normal use, its edges, its errors. "
        "Follow the framework and the style of the tests that are there. Do not change the code under test. Say what "
        "is covered, and what is not."
    ),
}


def errand_task(errand: Errand, what: str, instructions: str | None = None) -> str:
    wish = f"\n\nThe user adds: {instructions.strip()}" if instructions and instructions.strip() else ""
    return f"{_TITLES[errand].format(what=what)}\n\n{_HOW[errand]}{wish}"


def findings_to_fix(findings: Sequence[AgreedFinding]) -> str:
    """`uri` of each is the path by which tools know the file."""
    heads = findings_digest(findings).splitlines()
    details = [_detail(finding) for finding in findings]
    told = "\n".join(f"{head}\n{detail}" for head, detail in zip(heads, details, strict=True))
    return f"These are the findings, at the lines where they were when they were reported:\n{told}"


def _detail(finding: AgreedFinding) -> str:
    suggestion = f"\n  Suggested: {one_line(finding.suggestion, _LONGEST_DETAIL)}" if finding.suggestion else ""
    return f"  {one_line(finding.detail, _LONGEST_DETAIL)}{suggestion}"
