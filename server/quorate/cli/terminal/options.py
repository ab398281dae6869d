"""From the command line to what is asked of the team; what cannot be meant is refused before anything runs."""

import os
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from quorate.cli.terminal.budgets import UnclearBudget, budget_from
from quorate.permissions.paths import Refused, WorkspacePath, parse_path, render_path
from quorate.protocol.commands import LaunchRunParams
from quorate.protocol.ids import AgentId
from quorate.protocol.runs import ContextPath, Permission
from quorate.protocol.usage import Budget
from quorate.runtime.house import House
from quorate.runtime.premises import Premises
from quorate.workspace.folders import Folders


class UsageFault(Exception):
    """Its text is one sentence: what is wrong on the command line, and what to write instead."""


# What to launch may depend on the files it is about. Raises UserError.
GetParams = Callable[[House], Awaitable[LaunchRunParams]]


@dataclass(frozen=True, slots=True)
class RunOptions:
    # Which subcommand was given, for complaints.
    command: str
    get_params: GetParams
    premises: Premises
    json: bool
    yes: bool
    # Whether all that is told is the result: a report for stdout, not progress beside it.
    is_report: bool = False
    # Whether the files of the run can still be looked at afterwards.
    keeps_files: bool = True


def options_from(args: Namespace) -> RunOptions:
    """Raises UsageFault."""
    premises = premises_from(args)
    asked: dict[str, object] = {
        "task": _task(args.task),
        "agents": agents_from(args.agents, single=args.single),
        "agent_mode": "single" if args.single else None,
        "refinement": args.refine,
        "planning_mode": True if args.plan else None,
        "context_paths": tuple(_context_paths(args, premises.folders)) or None,
        "budget": budget_given(args.budget),
        "approval": "given" if args.yes else None,
    }
    params = LaunchRunParams.model_validate({name: value for name, value in asked.items() if value is not None})

    async def get_params(_house: House) -> LaunchRunParams:
        return params

    return RunOptions("run", get_params, premises, json=args.json, yes=args.yes)


def premises_from(args: Namespace) -> Premises:
    """Raises UsageFault."""
    workspace = cast("Path", args.workspace).absolute()
    if not workspace.is_dir():
        raise UsageFault(f"--workspace {args.workspace} is not a directory; name one that exists.")
    return Premises(
        folders=Folders.at(workspace),
        config_path=cast("Path | None", getattr(args, "config", None)),
        trusted=cast("bool", getattr(args, "trusted", False)),
        editor="the command line",
    )


def _task(text: str) -> str:
    if not text.strip():
        raise UsageFault("the task is empty; say what the team is to do.")
    return text


def agents_from(text: str | None, *, single: bool = False) -> tuple[AgentId, ...] | None:
    if text is None:
        return None
    names = tuple(AgentId(name) for part in text.split(",") if (name := part.strip()))
    if not names:
        raise UsageFault("--agents names nobody; give ids with commas, or leave it out for the whole team.")
    if len(set(names)) < len(names):
        raise UsageFault("--agents names an agent twice; name each once.")
    if single and len(names) > 1:
        raise UsageFault(f"--single takes one agent, but --agents names {len(names)}; name one, or drop --single.")
    return names


def _context_paths(args: Namespace, folders: Folders) -> Iterator[ContextPath]:
    given: dict[str, Permission] = {}
    asked: dict[Permission, list[str] | None] = {"read": args.read, "write": args.write}
    for permission, texts in asked.items():
        for text in texts or ():
            path = _context_path(text, f"--{permission}", folders, must_exist=permission == "read")
            if given.setdefault(path, permission) != permission:
                raise UsageFault(f"{text} is given both to --read and to --write; --write alone lets agents read too.")
    for path, permission in given.items():
        yield ContextPath(path=path, permission=permission)


def _context_path(text: str, flag: str, folders: Folders, *, must_exist: bool) -> str:
    return render_path(workspace_path(text, flag, folders, must_exist=must_exist), folders.places)


def workspace_path(text: str, flag: str, folders: Folders, *, must_exist: bool) -> WorkspacePath:
    """As the team calls it: below the workspace, whatever directory the command was started in. Raises UsageFault."""
    if not text.strip():
        raise UsageFault(f"{flag} has no path; name a file or directory.")
    on_disk = Path(os.path.abspath(text))  # noqa: PTH100 - `..` is to vanish by name, no link is to be followed
    path = parse_path(str(on_disk), folders.places)
    if not isinstance(path, WorkspacePath):
        reason = path.reason if isinstance(path, Refused) else "it is not below"
        raise UsageFault(f"{flag} {text} cannot be used: {reason} {folders.folders[0].root.path}.")
    if must_exist and not on_disk.exists():
        raise UsageFault(f"{flag} {text} does not exist; correct the path or leave it out.")
    return path


def budget_given(text: str | None) -> Budget | None:
    """Raises UsageFault."""
    if text is None:
        return None
    try:
        return budget_from(text)
    except UnclearBudget as fault:
        raise UsageFault(f"--budget: {fault}.") from None
