"""ruff's safe fixes, as the edits of an agent's own tool: each names a passage that stands once in its file."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import PurePosixPath

from quorate.models.offline import ruff
from quorate.models.offline.bench import bench
from quorate.models.offline.remarks import Source


@dataclass(frozen=True, slots=True)
class Edit:
    path: str
    old: str
    new: str


async def safe_fixes(sources: Sequence[Source]) -> tuple[Edit, ...]:
    """Raises ModelError."""
    python = [source for source in sources if PurePosixPath(source.path).suffix in ruff.SUFFIXES]
    if not python:
        return ()
    async with bench(python) as place:
        await place.output("ruff", ruff.fix_arguments())
        fixed = await place.texts()
    return tuple(
        edit for before, after in zip(python, fixed, strict=True) for edit in edits_between(before, after.text)
    )


def edits_between(source: Source, after: str) -> tuple[Edit, ...]:
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
