"""The three who look at code without a language model: what each knows, and what it says of the same files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal

from teamwright.models.offline import text_checks
from teamwright.models.offline.analyser_directory import analyser_directory
from teamwright.models.offline.lizard import (
    LIZARD_SUFFIXES,
    Function,
    function_at,
    functions_in,
    lizard_arguments,
    lizard_remarks,
)
from teamwright.models.offline.python_analysers import (
    BANDIT_SUFFIXES,
    PYTHON_SUFFIXES,
    bandit_arguments,
    bandit_remarks,
    ruff_arguments,
    ruff_remarks,
)
from teamwright.models.offline.remarks import CodeRemark, SourceFile, worst_first

Speciality = Literal["lint", "security", "structure"]
_STRUCTURE_FIELDS: Final[tuple[text_checks.Field, ...]] = ("security", "style")


@dataclass(frozen=True, slots=True)
class AnalysisReport:
    remarks: tuple[CodeRemark, ...]
    # Known to the analyst of structure only.
    functions: tuple[Function, ...] = ()


@dataclass(frozen=True, slots=True)
class AnalystProfile:
    """What an analyst says of itself."""

    tool: str
    looks_at: str


PROFILES: Final[Mapping[Speciality, AnalystProfile]] = {
    "lint": AnalystProfile("ruff", "errors, bad habits and dated Python, with ruff's own fixes"),
    "security": AnalystProfile("bandit", "what an attacker could use"),
    "structure": AnalystProfile(
        "lizard", "functions that are hard to follow, and for what a pattern finds in any language"
    ),
}


@dataclass(frozen=True, slots=True)
class _Tool:
    """A program that knows one language well; in others its analyst looks for what patterns of its field find."""

    module: str
    arguments: tuple[str, ...]
    read: Callable[[str], Iterator[CodeRemark]]
    suffixes: tuple[str, ...]
    field: text_checks.Field


_RUFF: Final = _Tool("ruff", ruff_arguments(), ruff_remarks, PYTHON_SUFFIXES, "style")
_BANDIT: Final = _Tool("bandit", bandit_arguments(), bandit_remarks, BANDIT_SUFFIXES, "security")


async def examine(speciality: Speciality, sources: Sequence[SourceFile]) -> AnalysisReport:
    """Raises ModelError."""
    match speciality:
        case "lint":
            report = await _with_tool(_RUFF, sources)
        case "security":
            report = await _with_tool(_BANDIT, sources)
        case "structure":
            report = await _structure(sources)
    return AnalysisReport(tuple(_once(worst_first(report.remarks))), report.functions)


async def _with_tool(tool: _Tool, sources: Sequence[SourceFile]) -> AnalysisReport:
    known = _of_kind(sources, tool.suffixes)
    others = [source for source in sources if source not in known]
    found = list(text_checks.remarks(others, (tool.field,)))
    if known:
        async with analyser_directory(known) as place:
            found += map(place.placed, tool.read(await place.output(tool.module, tool.arguments)))
    return AnalysisReport(tuple(found))


async def _structure(sources: Sequence[SourceFile]) -> AnalysisReport:
    functions: tuple[Function, ...] = ()
    if known := _of_kind(sources, LIZARD_SUFFIXES):
        async with analyser_directory(known) as place:
            output = await place.output("lizard", lizard_arguments())
            functions = tuple(function_at(each, place.name_of(each.path)) for each in functions_in(output))
    remarks = (*lizard_remarks(functions), *text_checks.remarks(sources, _STRUCTURE_FIELDS))
    return AnalysisReport(remarks, functions)


def _of_kind(sources: Sequence[SourceFile], suffixes: tuple[str, ...]) -> list[SourceFile]:
    return [source for source in sources if PurePosixPath(source.path).suffix in suffixes]


def _once(remarks: Sequence[CodeRemark]) -> Iterator[CodeRemark]:
    """Two rules of one analyser on the same matter are one remark."""
    said: set[tuple[str, int, str]] = set()
    for remark in remarks:
        key = (remark.place.path, remark.place.line, remark.title)
        if key not in said:
            said.add(key)
            yield remark
