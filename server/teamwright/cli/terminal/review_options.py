"""From the command line of a review or a fix to the run that it asks for, in the words that editors use for theirs."""

import re
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from teamwright.application.check_fixes import fix_run
from teamwright.application.context import CommandContext
from teamwright.application.lifecycle import ClientContext
from teamwright.application.reviews import ReviewPlace, review_run
from teamwright.cli.terminal.run_options import (
    GetParams,
    RunOptions,
    UsageFault,
    agents_from,
    budget_given,
    client_context_from,
    workspace_path,
)
from teamwright.protocol.commands import LaunchRunParams
from teamwright.protocol.items import Position, Range
from teamwright.workspace.files.folders import Folders

_WITH_LINES: Final = re.compile(r"(?P<path>.+):(?P<first>\d+)(?:-(?P<last>\d+))?")
_ALSO_FIX: Final = (
    "Whoever writes the result also mends what the findings show, with the smallest change that does so, and changes "
    "nothing else."
)


def review_options_from(args: Namespace) -> RunOptions:
    """Raises UsageFault."""
    client_context = client_context_from(args)
    places = [_place(text, client_context.folders) for text in cast("list[str]", args.paths)]
    base = cast("str | None", args.diff)
    if bool(places) == (base is not None):
        raise UsageFault("name files to review, or give --diff BASE for what has changed; one of the two.")
    get_params = _assignment(places, base, args.instructions, fix=args.fix, given=_given(args))
    return RunOptions("review", get_params, client_context, json=args.json, yes=args.yes, is_report=True)


def fix_options_from(args: Namespace) -> RunOptions:
    """Raises UsageFault."""
    names, given = cast("list[str]", args.checks), _given(args)

    async def get_params(context: CommandContext) -> LaunchRunParams:
        params = await fix_run(context, names, args.instructions, on_card=not args.yes)
        return params.model_copy(update=given)

    return RunOptions("fix", get_params, client_context_from(args), json=args.json, yes=args.yes, is_report=True)


def _given(args: Namespace) -> dict[str, object]:
    asked: dict[str, object] = {
        "agents": agents_from(args.agents),
        "budget": budget_given(args.budget),
        "approval": "given" if args.yes else None,
        "allow_commands": True if args.allow_commands else None,
    }
    return {name: value for name, value in asked.items() if value is not None}


def sample_review(path: Path, *, yes: bool) -> RunOptions:
    """Of a file that we have laid out ourselves, in a workspace of its own."""
    client_context = ClientContext(folders=Folders.at(path.parent), trusted=True, editor="the command line")
    place = ReviewPlace(
        workspace_path(str(path), "PATH", client_context.folders, must_exist=True), is_directory=False, lines=None
    )
    get_params = _assignment([place], None, None, fix=True, given={})
    return RunOptions("demo", get_params, client_context, json=False, yes=yes, is_report=True, keeps_files=False)


def _assignment(
    places: Sequence[ReviewPlace], base: str | None, instructions: str | None, *, fix: bool, given: dict[str, object]
) -> GetParams:
    wishes = [wish for wish in (instructions, _ALSO_FIX if fix else None) if wish]

    async def get_params(context: CommandContext) -> LaunchRunParams:
        params = await review_run(context, places, base, "\n".join(wishes), may_fix=fix)
        return params.model_copy(update=given)

    return get_params


def _place(text: str, folders: Folders) -> ReviewPlace:
    """A file may be called like one with lines: then it is meant."""
    match = _WITH_LINES.fullmatch(text)
    if match is None or Path(text).exists():
        path = workspace_path(text, "PATH", folders, must_exist=True)
        return ReviewPlace(path, is_directory=Path(text).is_dir(), lines=None)
    path = workspace_path(match["path"], "PATH", folders, must_exist=True)
    first, last = int(match["first"]), int(match["last"] or match["first"])
    if not 1 <= first <= last:
        raise UsageFault(f"{text}: lines count from 1, and the first comes first; write {match['path']}:3-9.")
    # Up to the start of the line behind it.
    lines = Range(start=Position(line=first - 1, character=0), end=Position(line=last, character=0))
    return ReviewPlace(path, is_directory=False, lines=lines)
