"""The three who look at code without a language model: what each knows, and what it says of the same files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal

from quorate.models.offline import bandit, lizard, ruff, text_checks
from quorate.models.offline.bench import bench
from quorate.models.offline.lizard import Function
from quorate.models.offline.remarks import Remark, Source, worst_first

Speciality = Literal["lint", "security", "structure"]
_STRUCTURE_FIELDS: Final[tuple[text_checks.Field, ...]] = ("security", "style")


@dataclass(frozen=True, slots=True)
class Report:
    remarks: tuple[Remark, ...]
    # Known to the analyst of structure only.
    functions: tuple[Function, ...] = ()


@dataclass(frozen=True, slots=True)
class Portrait:
    """What an analyst says of itself."""

    tool: str
    looks_at: str


PORTRAITS: Final[Mapping[Speciality, Portrait]] = {
    "lint": Portrait("ruff", "errors, bad habits and dated Python, with ruff's own fixes"),
    "security": Portrait("bandit", "what an attacker could use"),
    "structure": Portrait("lizard", "functions that are hard to follow, and what a pattern finds in any language"),
}


@dataclass(frozen=True, slots=True)
class _Tool:
    """A program that knows one language well; in others its analyst looks for what patterns of its field find."""

    module: str
    arguments: tuple[str, ...]
    read: Callable[[str], Iterator[Remark]]
    suffixes: tuple[str, ...]
    field: text_checks.Field


_RUFF: Final = _Tool("ruff", ruff.check_arguments(), ruff.remarks, ruff.SUFFIXES, "style")
_BANDIT: Final = _Tool("bandit", bandit.check_arguments(), bandit.remarks, bandit.SUFFIXES, "security")


async def examine(speciality: Speciality, sources: Sequence[Source]) -> Report:
    """Raises ModelError."""
    match speciality:
        case "lint":
            report = await _with_tool(_RUFF, sources)
        case "security":
            report = await _with_tool(_BANDIT, sources)
        case "structure":
            report = await _structure(sources)
    return Report(tuple(_once(worst_first(report.remarks))), report.functions)


async def _with_tool(tool: _Tool, sources: Sequence[Source]) -> Report:
    known = _of_kind(sources, tool.suffixes)
    others = [source for source in sources if source not in known]
    found = list(text_checks.remarks(others, (tool.field,)))
    if known:
        async with bench(known) as place:
            found += map(place.placed, tool.read(await place.output(tool.module, tool.arguments)))
    return Report(tuple(found))


async def _structure(sources: Sequence[Source]) -> Report:
    functions: tuple[Function, ...] = ()
    if known := _of_kind(sources, lizard.SUFFIXES):
        async with bench(known) as place:
            output = await place.output("lizard", lizard.check_arguments())
            functions = tuple(lizard.at(each, place.name_of(each.path)) for each in lizard.functions(output))
    remarks = (*lizard.remarks(functions), *text_checks.remarks(sources, _STRUCTURE_FIELDS))
    return Report(remarks, functions)


def _of_kind(sources: Sequence[Source], suffixes: tuple[str, ...]) -> list[Source]:
    return [source for source in sources if PurePosixPath(source.path).suffix in suffixes]


def _once(remarks: Sequence[Remark]) -> Iterator[Remark]:
    """Two rules of one analyser on the same matter are one remark."""
    said: set[tuple[str, int, str]] = set()
    for remark in remarks:
        key = (remark.place.path, remark.place.line, remark.title)
        if key not in said:
            said.add(key)
            yield remark
