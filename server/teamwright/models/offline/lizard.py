"""lizard as an analyst: the functions of a file in many languages, and which of them are hard to follow. Pure."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from teamwright.models.offline.remarks import COMPLEX, CodeRemark, CodeSpan, Topic

LIZARD_SUFFIXES: Final = (
    *(".py", ".js", ".jsx", ".ts", ".tsx", ".java", ".kt", ".scala", ".swift", ".m", ".mm", ".go", ".rs", ".rb"),
    *(".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".cs", ".php", ".lua", ".r", ".R", ".f90", ".sol", ".zig", ".erl"),
)
_MOST_BRANCHES: Final = 10
_MOST_LINES: Final = 80
_MOST_PARAMETERS: Final = 6
_LONG: Final = Topic("Function is long", "info")
_WIDE: Final = Topic("Function takes many parameters", "info")


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    path: str
    line: int
    end_line: int
    complexity: int
    parameters: int


def lizard_arguments() -> tuple[str, ...]:
    return ("--csv", ".")


def functions_in(output: str) -> tuple[Function, ...]:
    """The columns: lines of code, complexity, tokens, parameters, length, location, file, name, long name, lines."""
    rows = (row for row in csv.reader(output.splitlines()) if len(row) == 11)
    return tuple(
        Function(
            name=row[7],
            path=row[6],
            line=int(row[9]),
            end_line=int(row[10]),
            complexity=int(row[1]),
            parameters=int(row[3]),
        )
        for row in rows
    )


def lizard_remarks(found: Iterable[Function]) -> Iterator[CodeRemark]:
    for each in found:
        if each.complexity > _MOST_BRANCHES:
            yield _remark(
                each,
                COMPLEX,
                rule="complexity",
                detail=f"`{each.name}` has {each.complexity} ways through it; {_MOST_BRANCHES} are still easy to test.",
                suggestion="Take its branches apart into functions.",
            )
        if each.end_line - each.line >= _MOST_LINES:
            length = each.end_line - each.line + 1
            yield _remark(each, _LONG, rule="length", detail=f"`{each.name}` has {length} lines.")
        if each.parameters > _MOST_PARAMETERS:
            yield _remark(each, _WIDE, rule="parameters", detail=f"`{each.name}` takes {each.parameters} parameters.")


def function_at(function: Function, path: str) -> Function:
    return replace(function, path=path)


def _remark(function: Function, topic: Topic, *, rule: str, detail: str, suggestion: str | None = None) -> CodeRemark:
    return CodeRemark(
        place=CodeSpan(function.path, function.line, function.line),
        severity=topic.severity,
        title=topic.title,
        rule=f"lizard {rule}",
        detail=detail,
        suggestion=suggestion,
    )
