"""From the command line of a review to the run that it asks for, in the words that editors use for theirs."""

import re
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from quorate.cli.terminal.options import (
    GetParams,
    RunOptions,
    UsageFault,
    agents_from,
    budget_given,
    premises_from,
    workspace_path,
)
from quorate.permissions.paths import WorkspacePath, render_path
from quorate.prompts.errands import errand_task
from quorate.protocol.commands import CodeActionParams, DiffBase, LaunchRunParams
from quorate.protocol.items import Position, Range
from quorate.runtime.house import House
from quorate.runtime.premises import Premises
from quorate.runtime.reviews.material import Material, context_paths, gather
from quorate.workspace.folders import Folders

_WITH_LINES: Final = re.compile(r"(?P<path>.+):(?P<first>\d+)(?:-(?P<last>\d+))?")
_ALSO_FIX: Final = (
    "Whoever writes the result also mends what the findings show, with the smallest change that does so, and changes "
    "nothing else."
)


@dataclass(frozen=True, slots=True)
class Place:
    path: WorkspacePath
    is_directory: bool
    lines: Range | None


def review_options_from(args: Namespace) -> RunOptions:
    """Raises UsageFault."""
    premises = premises_from(args)
    places = [_place(text, premises.folders) for text in cast("list[str]", args.paths)]
    base = cast("str | None", args.diff)
    if bool(places) == (base is not None):
        raise UsageFault("name files to review, or give --diff BASE for what has changed; one of the two.")
    asked: dict[str, object] = {
        "agents": agents_from(args.agents),
        "budget": budget_given(args.budget),
        "approval": "given" if args.yes else None,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    get_params = _assignment(places, base, args.instructions, fix=args.fix, given=given)
    return RunOptions("review", get_params, premises, json=args.json, yes=args.yes, is_report=True)


def sample_review(path: Path, *, yes: bool) -> RunOptions:
    """Of a file that we have laid out ourselves, in a workspace of its own."""
    premises = Premises(folders=Folders.at(path.parent), trusted=True, editor="the command line")
    place = Place(workspace_path(str(path), "PATH", premises.folders, must_exist=True), is_directory=False, lines=None)
    get_params = _assignment([place], None, None, fix=True, given={})
    return RunOptions("demo", get_params, premises, json=False, yes=yes, is_report=True, keeps_files=False)


def _assignment(
    places: Sequence[Place], base: str | None, instructions: str | None, *, fix: bool, given: dict[str, object]
) -> GetParams:
    async def get_params(house: House) -> LaunchRunParams:
        if base is not None:
            found = await gather(house, "review", CodeActionParams(diff=DiffBase(base=base)), ())
        else:
            found = _together([await _material(house, place) for place in places])
        material = Material(found.what, found.context, write=found.read) if fix else found
        wishes = [wish for wish in (instructions, _ALSO_FIX if fix else None) if wish]
        return LaunchRunParams.model_validate(
            {
                **given,
                "task": errand_task("review", material.what, "\n".join(wishes)),
                "context": material.context or None,
                "context_paths": context_paths(house, material),
                "review": True,
            }
        )

    return get_params


async def _material(house: House, place: Place) -> Material:
    if place.is_directory:
        name = render_path(place.path, house.premises.folders.places)
        return Material(f"`{name}`", "", read=(place.path,))
    params = CodeActionParams(uri=house.premises.folders.uri(place.path), range=place.lines)
    return await gather(house, "review", params, ())


def _together(materials: Sequence[Material]) -> Material:
    return Material(
        ", ".join(material.what for material in materials),
        "\n\n".join(material.context for material in materials if material.context),
        read=tuple(dict.fromkeys(path for material in materials for path in material.read)),
    )


def _place(text: str, folders: Folders) -> Place:
    """A file may be called like one with lines: then it is meant."""
    match = _WITH_LINES.fullmatch(text)
    if match is None or Path(text).exists():
        path = workspace_path(text, "PATH", folders, must_exist=True)
        return Place(path, is_directory=Path(text).is_dir(), lines=None)
    path = workspace_path(match["path"], "PATH", folders, must_exist=True)
    first, last = int(match["first"]), int(match["last"] or match["first"])
    if not 1 <= first <= last:
        raise UsageFault(f"{text}: lines count from 1, and the first comes first; write {match['path']}:3-9.")
    # Up to the start of the line behind it.
    lines = Range(start=Position(line=first - 1, character=0), end=Position(line=last, character=0))
    return Place(path, is_directory=False, lines=lines)
