"""What the team is asked to do with a piece of code, from an editor's action."""

import shlex
from collections.abc import Sequence
from typing import Final, Literal

from teamwright.prompts.assistant.quoting import ShownFile, attachment_text, one_line
from teamwright.prompts.check_report import CheckTold, told_checks
from teamwright.protocol.checks import CheckFile
from teamwright.protocol.findings import AgreedFinding

CodeActionKind = Literal["review", "explain", "fix", "test"]

_LONGEST_TITLE: Final = 200
_LONGEST_DETAIL: Final = 600
# Of all that failing checks print.
_MOST_TOLD: Final = 30_000

_TITLES: Final[dict[CodeActionKind, str]] = {
    "review": "Review {what}.",
    "explain": "Explain {what}.",
    "fix": "Fix {what}.",
    "test": "Write tests for {what}.",
}
_HOW: Final[dict[CodeActionKind, str]] = {
    "review": (
        "Look for what is wrong or will go wrong: bugs, security holes, races, unhandled cases, misleading names. "
        "Read around it as far as you need to be sure. Report each problem as a finding, then sum up: the most "
        "important first, and what you could not check."
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

_HOW_CHECKS: Final = (
    "It is what the project itself goes by. Find the cause and mend it with the smallest change that does so. Do not "
    "take away, skip or weaken what is checked; where a check itself is wrong, say so and why. Keep the style of the "
    "code around it and change nothing else. Say what was wrong and what you changed."
)


def code_action_task(action: CodeActionKind, what: str, instructions: str | None = None) -> str:
    return f"{_TITLES[action].format(what=what)}\n\n{_HOW[action]}{_wish(instructions)}"


def checks_task(names: Sequence[str], instructions: str | None = None) -> str:
    title = f"Make the {'check' if len(names) == 1 else 'checks'} {named([f'`{name}`' for name in names])} pass."
    return f"{title}\n\n{_HOW_CHECKS}{_wish(instructions)}"


def checks_to_fix(failing: Sequence[CheckTold], not_run: Sequence[str]) -> str:
    said = told_checks(failing)
    if len(said) > _MOST_TOLD:
        said = f"{said[:_MOST_TOLD]}\n[There is more; mend this first.]"
    rest = f"Not run yet, results come with the first answers: {', '.join(not_run)}." if not_run else ""
    return "\n\n".join(filter(None, [said and f"This is what they say now:\n\n{said}", rest]))


def named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _wish(instructions: str | None) -> str:
    return f"\n\nBesides: {instructions.strip()}" if instructions and instructions.strip() else ""


def findings_to_fix(findings: Sequence[AgreedFinding]) -> str:
    """`uri` of each is the path by which tools know the file."""
    told = "\n".join(f"{_head(finding)}\n{_detail(finding)}" for finding in findings)
    return f"These are the findings, at the lines where they were when they were reported:\n{told}"


def reproductions_to_fix(
    reproductions: Sequence[tuple[str, Sequence[str], Sequence[CheckFile]]],
) -> str:
    """Each by the name of its check, with its command and its files, as far as there is room."""
    if not reproductions:
        return ""
    told = "\n\n".join(_reproduction(*each) for each in reproductions)
    if len(told) > _MOST_TOLD:
        told = f"{told[:_MOST_TOLD]}\n[There is more.]"
    return (
        "These fail because of the findings, and are run on every answer; their files are laid over it, so that there "
        f"is no need to add or change them.\n\n{told}"
    )


def _reproduction(name: str, argv: Sequence[str], files: Sequence[CheckFile]) -> str:
    laid = "".join(f"\n{attachment_text(ShownFile(file.path, file.content))}" for file in files)
    return f"{name}: `{shlex.join(argv)}`{laid}"


def _head(finding: AgreedFinding) -> str:
    """Without its id, which nobody needs for it: people read this too, where they approve the run."""
    place = f"{finding.uri}:{finding.range.start.line + 1}"
    return f"- {place} {finding.severity}: {one_line(finding.title, _LONGEST_TITLE)} ({finding.standing})"


def _detail(finding: AgreedFinding) -> str:
    suggestion = f"\n  Suggested: {one_line(finding.suggestion, _LONGEST_DETAIL)}" if finding.suggestion else ""
    return f"  {one_line(finding.detail, _LONGEST_DETAIL)}{suggestion}"
