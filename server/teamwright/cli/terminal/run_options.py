"""From the command line to what is asked of the team; what cannot be meant is refused before anything runs."""

import os
import re
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from teamwright.application.context import CommandContext
from teamwright.application.lifecycle import ClientContext
from teamwright.config.sources import NamedFile
from teamwright.permissions.paths import RefusedPath, WorkspacePath, parse_path, render_path
from teamwright.protocol.commands import LaunchRunParams
from teamwright.protocol.errors import NotFound
from teamwright.protocol.ids import AgentId, RunId, SessionId
from teamwright.protocol.runs import ContextPath, Permission
from teamwright.protocol.usage import Budget
from teamwright.workspace.files.folders import Folders

_LIMIT: Final = re.compile(r"\s*(?P<amount>\d+(?:\.\d+)?)\s*(?P<unit>usd|tokens|s)\s*", re.IGNORECASE)


class UsageFault(Exception):
    """Its text is one sentence: what is wrong on the command line, and what to write instead."""


# What to launch may depend on the files it is about. Raises UserError.
GetParams = Callable[[CommandContext], Awaitable[LaunchRunParams]]


@dataclass(frozen=True, slots=True)
class RunOptions:
    # Which subcommand was given, for complaints.
    command: str
    get_params: GetParams
    client_context: ClientContext
    json: bool
    yes: bool
    # Whether all that is told is the result: a report for stdout, not progress beside it.
    is_report: bool = False
    # Whether the files of the run can still be looked at afterwards.
    keeps_files: bool = True


def options_from(args: Namespace) -> RunOptions:
    """Raises UsageFault."""
    client_context = client_context_from(args)
    asked: dict[str, object] = {
        "task": _task(args.task),
        "agents": agents_from(args.agents, single=args.single),
        "agent_mode": "single" if args.single else None,
        "refinement": args.refine,
        "planning_mode": True if args.plan else None,
        "context_paths": tuple(_context_paths(args, client_context.folders)) or None,
        "budget": budget_given(args.budget),
        "approval": "given" if args.yes else None,
        "allow_commands": True if args.allow_commands else None,
    }
    params = LaunchRunParams.model_validate({name: value for name, value in asked.items() if value is not None})

    async def get_params(_context: CommandContext) -> LaunchRunParams:
        return params

    return RunOptions("run", get_params, client_context, json=args.json, yes=args.yes)


def client_context_from(args: Namespace) -> ClientContext:
    """Raises UsageFault."""
    workspace = cast("Path", args.workspace).absolute()
    if not workspace.is_dir():
        raise UsageFault(f"--workspace {args.workspace} is not a directory; name one that exists.")
    config_path = cast("Path | None", getattr(args, "config", None))
    return ClientContext(
        folders=Folders.at(workspace),
        config=NamedFile(config_path, is_typed=True) if config_path is not None else None,
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
        reason = path.reason if isinstance(path, RefusedPath) else "it is not below"
        raise UsageFault(f"{flag} {text} cannot be used: {reason} {folders.folders[0].root.path}.")
    if must_exist and not on_disk.exists():
        named = text if flag == "PATH" else f"{flag} {text}"
        raise UsageFault(f"{named} does not exist; correct the path or leave it out.")
    return path


def budget_given(text: str | None) -> Budget | None:
    """As it is written on the command line: `1.5usd,20000tokens,60s`. Raises UsageFault."""
    if text is None:
        return None
    amounts: dict[str, float] = {}
    for part in text.split(","):
        match = _LIMIT.fullmatch(part)
        if match is None or float(match["amount"]) <= 0:
            raise UsageFault(f"--budget: {part.strip()!r} is not a limit; write 1.5usd, 20000tokens or 60s.")
        unit = match["unit"].lower()
        if unit in amounts:
            raise UsageFault(f"--budget: {unit} is limited twice; keep one.")
        amounts[unit] = float(match["amount"])
    tokens = amounts.get("tokens")
    if tokens is not None and tokens != int(tokens):
        raise UsageFault("--budget: tokens are counted whole; write 20000tokens.")
    return Budget(usd=amounts.get("usd"), tokens=None if tokens is None else int(tokens), seconds=amounts.get("s"))


def run_named(text: str) -> RunId:
    """Raises NotFound for what cannot be the id of a run."""
    if not RunId.admits(text):
        raise NotFound(f"There is no run {text}; leave it out for the latest one.")
    return RunId(text)


def session_named(text: str) -> SessionId:
    """Raises NotFound for what cannot be the id of a session."""
    if not SessionId.admits(text):
        raise NotFound(f"There is no session {text}; `teamwright sessions list` shows their ids.")
    return SessionId(text)
