"""ruff and bandit as analysts of Python: how they are called, what they say, and ruff's safe fixes as an agent's edits.

The repository's own settings for them are not read.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import PurePosixPath
from typing import Any, Final

from teamwright.models.offline.analyser_directory import analyser_directory
from teamwright.models.offline.remarks import (
    BARE_EXCEPT,
    COMPLEX,
    DEBUGGER,
    CodeRemark,
    CodeSpan,
    SourceFile,
    security_topic,
)
from teamwright.protocol.findings import Severity

PYTHON_SUFFIXES: Final = (".py", ".pyi")
_RULES: Final = ("B", "C90", "E4", "E71", "E72", "E74", "E9", "F", "PLE", "S", "SIM", "UP")
# Asserts, and every use of a child process: true nearly everywhere, and so of use nowhere.
_RUFF_UNWANTED: Final = ("S101", "S404", "S603", "S607", "SIM105")
_ERRORS: Final = ("E9", "F6", "F7", "F8", "PLE", "invalid-syntax")
_OWN_TITLES: Final = {"C901": COMPLEX, "E722": BARE_EXCEPT, "T100": DEBUGGER}
_MODES: Final = (
    "--isolated",
    "--no-cache",
    "--quiet",
    "--select",
    ",".join(_RULES),
    "--ignore",
    ",".join(_RUFF_UNWANTED),
)
BANDIT_SUFFIXES: Final = (".py", ".pyi")
_BANDIT_UNWANTED: Final = "B101,B404,B603,B607"
_SEVERITIES: Final[dict[str, Severity]] = {"HIGH": "error", "MEDIUM": "warning"}


def ruff_arguments() -> tuple[str, ...]:
    return ("check", *_MODES, "--exit-zero", "--output-format", "json", ".")


def ruff_fix_arguments() -> tuple[str, ...]:
    """Only the fixes that ruff itself calls safe."""
    return ("check", *_MODES, "--exit-zero", "--fix-only", ".")


def ruff_remarks(output: str) -> Iterator[CodeRemark]:
    for found in json.loads(output):
        yield _ruff_remark(found)


def _ruff_remark(found: dict[str, Any]) -> CodeRemark:
    code: str = found["code"] or "invalid-syntax"
    line, end = found["location"]["row"], found["end_location"]["row"]
    topic = _OWN_TITLES.get(code) or (security_topic(code[1:]) if code.startswith("S") else None)
    fix = found["fix"]
    return CodeRemark(
        # What spans a whole function is said at its head.
        place=CodeSpan(found["filename"], line, end if end - line < 5 else line),
        severity=topic.severity if topic else _ruff_severity(code),
        title=topic.title if topic else found["message"],
        rule=f"ruff {code}",
        detail=found["message"],
        suggestion=fix["message"] if fix is not None and fix["applicability"] == "safe" else None,
    )


def _ruff_severity(code: str) -> Severity:
    if code.startswith(_ERRORS):
        return "error"
    return "hint" if code.startswith(("SIM", "UP", "E4", "E7")) and code != "E722" else "warning"


def bandit_arguments() -> tuple[str, ...]:
    return ("-q", "-r", "-f", "json", "--exit-zero", "-s", _BANDIT_UNWANTED, ".")


def bandit_remarks(output: str) -> Iterator[CodeRemark]:
    for found in json.loads(output)["results"]:
        yield _bandit_remark(found)


def _bandit_remark(found: dict[str, Any]) -> CodeRemark:
    line, last = found["line_number"], max(found["line_range"])
    topic = security_topic(found["test_id"][1:])
    return CodeRemark(
        place=CodeSpan(found["filename"], line, last if last - line < 5 else line),
        severity=topic.severity if topic else _SEVERITIES.get(found["issue_severity"], "info"),
        title=topic.title if topic else found["issue_text"].rstrip("."),
        rule=f"bandit {found['test_id']}",
        detail=f"{found['issue_text']} (CWE-{found['issue_cwe']['id']})" if found["issue_cwe"] else found["issue_text"],
    )


@dataclass(frozen=True, slots=True)
class Edit:
    path: str
    old: str
    new: str


async def safe_fixes(sources: Sequence[SourceFile]) -> tuple[Edit, ...]:
    """Raises ModelError."""
    python = [source for source in sources if PurePosixPath(source.path).suffix in PYTHON_SUFFIXES]
    if not python:
        return ()
    async with analyser_directory(python) as place:
        await place.output("ruff", ruff_fix_arguments())
        fixed = await place.texts()
    return tuple(
        edit for before, after in zip(python, fixed, strict=True) for edit in edits_between(before, after.text)
    )


def edits_between(source: SourceFile, after: str) -> tuple[Edit, ...]:
    """From the end of the file to its start: each is made in the text that the ones before it have left."""
    old, new = source.text.split("\n"), after.split("\n")
    changed = [block for block in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if block[0] != "equal"]
    edits: list[Edit] = []
    for _, start, end, to_start, to_end in reversed(changed):
        untouched, tail = old[:start], new[to_end:]
        edits.append(_edit(source.path, untouched, old[start:end], new[to_start:to_end], tail))
    return tuple(edits)


def _edit(path: str, above: list[str], lines: list[str], replacement: list[str], below: list[str]) -> Edit:
    """The changed lines with as much around them as makes the passage the only one of its kind."""
    text = "\n".join([*above, *lines, *below])
    # A line goes only together with a neighbour: by itself it would leave an empty one behind.
    reach = 0 if lines and replacement else 1
    while True:
        over, under = above[max(0, len(above) - reach) :], below[:reach]
        passage = "\n".join([*over, *lines, *under])
        if text.count(passage) == 1 or reach > max(len(above), len(below)):
            return Edit(path, passage, "\n".join([*over, *replacement, *under]))
        reach += 1
