"""What a pattern can tell in any language: little, but at its exact line. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from teamwright.models.offline.remarks import (
    DEBUGGER,
    EVAL,
    SHELL,
    TLS,
    WRITTEN_SECRET,
    CodeRemark,
    CodeSpan,
    SourceFile,
    Topic,
)

Field = Literal["security", "style"]
_LONGEST_LINE: Final = 160


@dataclass(frozen=True, slots=True)
class Check:
    field: Field
    rule: str
    topic: Topic
    detail: str
    pattern: re.Pattern[str]


_CHECKS: Final = (
    Check(
        "security",
        "secret",
        WRITTEN_SECRET,
        "Whoever can read the source has it, and so has the repository's history for ever.",
        re.compile(r"""(?i)\b\w*(?:password|passwd|secret|api_?key|token)\w*["']?\s*[:=]\s*["'][^"'\s$<{]{4,}["']"""),
    ),
    Check(
        "security",
        "private-key",
        WRITTEN_SECRET,
        "A private key stands in the source.",
        re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    ),
    Check(
        "security",
        "eval",
        EVAL,
        "Whoever decides the text decides what is run.",
        re.compile(r"(?<![\w.])(?:eval|exec)\s*\("),
    ),
    Check(
        "security",
        "shell",
        SHELL,
        "What is put into the text is read by the shell.",
        re.compile(r"\bshell\s*[=:]\s*(?:True|true)\b|\bos\.system\s*\(|(?<![\w.])system\s*\("),
    ),
    Check(
        "security",
        "tls",
        TLS,
        "Anyone on the way can read and change what is sent.",
        re.compile(r"\bverify\s*=\s*False\b|\brejectUnauthorized\s*:\s*false\b|\bInsecureSkipVerify\s*:\s*true\b"),
    ),
    Check(
        "style",
        "debugger",
        DEBUGGER,
        "It stops the program where nobody is there to go on.",
        re.compile(r"(?<![\w.])(?:breakpoint\s*\(\s*\)|pdb\.set_trace\s*\(|debugger\s*;)"),
    ),
    Check(
        "style",
        "conflict",
        Topic("Merge conflict was left in the file", "error"),
        "Both sides are still there.",
        re.compile(r"^(?:<{7} |={7}$|>{7} )"),
    ),
    Check(
        "style",
        "note",
        Topic("A note says that something is unfinished", "hint"),
        "It may be worth an entry of its own.",
        re.compile(r"\b(?:TODO|FIXME|XXX)\b"),
    ),
    Check(
        "style",
        "long-line",
        Topic(f"Line is longer than {_LONGEST_LINE} characters", "hint"),
        "It is hard to read.",
        re.compile(rf"^.{{{_LONGEST_LINE + 1},}}$"),
    ),
)


def remarks(sources: Iterable[SourceFile], fields: Iterable[Field]) -> Iterator[CodeRemark]:
    checks = [check for check in _CHECKS if check.field in fields]
    for source in sources:
        for number, line in enumerate(source.text.split("\n"), start=1):
            for check in checks:
                if check.pattern.search(line):
                    yield _remark(check, source.path, number)


def _remark(check: Check, path: str, line: int) -> CodeRemark:
    return CodeRemark(
        place=CodeSpan(path, line, line),
        severity=check.topic.severity,
        title=check.topic.title,
        rule=f"text {check.rule}",
        detail=check.detail,
    )
