"""The answers of agents without a model, in words. Each says what made it. Pure."""

from collections.abc import Sequence
from typing import Final

from quorate.models.offline.analysts import PORTRAITS, Report, Speciality
from quorate.models.offline.assignment import Assignment
from quorate.models.offline.judging import Agreed
from quorate.models.offline.lizard import Function
from quorate.models.offline.remarks import Remark, Source, remark_line

WHAT_WE_ARE: Final = (
    "This is Quorate's offline team: three rule-based analysers (ruff, bandit, lizard) and no language model."
)
WHAT_A_KEY_ADDS: Final = (
    "For answers to anything else, set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local model "
    "server; `quorate check` shows what was found."
)
CAPABILITIES: Final = f"""\
{WHAT_WE_ARE}

They can, without any key:
- **review** a file or a selection: attach it, or name it ("review src/app.py"). Findings come with their lines and \
with how many analysers agree.
- **fix** what ruff can fix safely: "fix src/app.py". You see the change before it is made.
- **explain** how a file is built: its functions, where they stand and how involved they are.

{WHAT_A_KEY_ADDS}"""
NO_TESTS: Final = f"Writing tests needs a language model. {WHAT_A_KEY_ADDS} What the analysers say of the code:"
NO_FILES: Final = (
    "There is no file to look at: name one, or attach a file or a selection. " + WHAT_WE_ARE + " " + WHAT_A_KEY_ADDS
)
_MOST_LISTED: Final = 60


def review_text(speciality: Speciality, sources: Sequence[Source], report: Report) -> str:
    portrait = PORTRAITS[speciality]
    looked = f"{portrait.tool} looked at {_files(sources)} for {portrait.looks_at}"
    if not report.remarks:
        return f"{looked}, and found nothing to remark on. (Rule-based, no language model.)"
    listed = "\n".join(_with_detail(remark) for remark in report.remarks[:_MOST_LISTED])
    more = len(report.remarks) - _MOST_LISTED
    rest = f"\nand {more} more, of less weight." if more > 0 else ""
    return f"{looked} and found {_count(len(report.remarks))}. (Rule-based, no language model.)\n\n{listed}{rest}"


def explanation_text(speciality: Speciality, sources: Sequence[Source], report: Report, outlines: str) -> str:
    portrait = PORTRAITS[speciality]
    match speciality:
        case "structure":
            body = "\n\n".join(_functions(source, report.functions) for source in sources)
        case "lint":
            body = outlines
        case "security":
            body = _points(report.remarks)
    return f"{body}\n\n({_files(sources)}, as {portrait.tool} and its rules see it; no language model.)"


def presented_review(assignment: Assignment, agreed: Sequence[Agreed], team: int, edited: Sequence[str]) -> str:
    lead = NO_TESTS + "\n\n" if assignment.errand == "tests" else ""
    if not agreed:
        return f"{lead}The analysers found nothing to remark on.\n\n{WHAT_WE_ARE}"
    found = _agreement(agreed, team) if assignment.reports_findings else _agreed_list(agreed, team)
    fixed = f"\n\nruff's safe fixes are proposed for {', '.join(f'`{path}`' for path in edited)}." if edited else ""
    return f"{lead}{found}{fixed}\n\n{WHAT_WE_ARE}"


def _agreement(agreed: Sequence[Agreed], team: int) -> str:
    by_all = sum(each.count == team for each in agreed)
    alone = sum(each.count == 1 for each in agreed)
    return f"{_count(len(agreed))}: {by_all} by all {team} analysers, {alone} by one of them alone."


def _agreed_list(agreed: Sequence[Agreed], team: int) -> str:
    listed = "\n".join(
        f"- `{each.claim.place.path}:{each.claim.place.line}` {each.claim.severity}: {each.claim.title} "
        f"({each.count} of {team})"
        for each in agreed[:_MOST_LISTED]
    )
    more = len(agreed) - _MOST_LISTED
    rest = f"\n- and {more} more" if more > 0 else ""
    return f"{_count(len(agreed))}, most agreed first:\n\n{listed}{rest}"


def _with_detail(remark: Remark) -> str:
    suggestion = f" {remark.suggestion}." if remark.suggestion and not remark.suggestion.endswith(".") else ""
    return f"{remark_line(remark)}\n  {remark.detail}{suggestion}"


def _functions(source: Source, functions: Sequence[Function]) -> str:
    own = [function for function in functions if function.path == source.path]
    lines = source.text.count("\n") + 1
    if not own:
        return f"`{source.path}` has {lines} lines and no function that lizard can see."
    listed = "\n".join(
        f"- `{source.path}:{each.line}-{each.end_line}` `{each.name}`: {each.parameters} parameters, "
        f"{each.complexity} {'way' if each.complexity == 1 else 'ways'} through it"
        for each in own
    )
    hardest = max(own, key=lambda each: each.complexity)
    return (
        f"`{source.path}` has {lines} lines and {len(own)} functions. The most involved is `{hardest.name}`."
        f"\n\n{listed}"
    )


def _points(remarks: Sequence[Remark]) -> str:
    if not remarks:
        return "Nothing in it stands out to bandit."
    listed = "\n".join(remark_line(remark) for remark in remarks)
    return f"What a reader should know about its safety:\n\n{listed}"


def _files(sources: Sequence[Source]) -> str:
    return f"`{sources[0].path}`" if len(sources) == 1 else f"{len(sources)} files"


def _count(number: int) -> str:
    return "1 finding" if number == 1 else f"{number} findings"
