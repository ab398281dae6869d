"""`run_command`: an agent runs a program in its working copy, shut in and for a limited time."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from pydantic import Field

from teamwright.permissions import actions
from teamwright.permissions.paths import (
    AnswerPath,
    Places,
    RefusedPath,
    ScratchPath,
    WorkspacePath,
    parse_path,
    render_path,
)
from teamwright.tools.port import Arguments, Failed, Outcome, Succeeded, Tool, head_and_tail
from teamwright.workspace.copies.sandbox import CommandEnd, CommandLimits, Ending, Sandbox
from teamwright.workspace.copies.working_copy import SCRATCH_VARIABLE, CopyCommand, WorkingCopy

_OUTPUT_LIMIT: Final = 16_000
_REST: Final = "write it to a file and read that"
_BROKEN_OFF: Final[dict[Ending, str]] = {
    "out_of_memory": "Killed, because it took more than {memory} MB of memory.",
    "too_many_processes": "Killed, because it started more than {processes} processes.",
    "disk_full": "Killed, because it wrote more than {disk} MB.",
    "killed": "It was killed.",
}


class RunCommandArguments(Arguments):
    argv: list[str] = Field(min_length=1)
    cwd: str | None = None


class RunCommandTool(Tool[RunCommandArguments]):
    name = "run_command"
    description = (
        "Run a program in your copy of the workspace: no shell, no network. What it writes is in your copy; "
        f"`scratch/` is where ${SCRATCH_VARIABLE} says."
    )
    arguments = RunCommandArguments

    def __init__(
        self,
        copy: WorkingCopy,
        places: Places,
        timeout_seconds: float,
        toolchains: tuple[Path, ...] = (),
        sandbox: Sandbox = "auto",
    ) -> None:
        self._copy = copy
        self._places = places
        self._limits = CommandLimits(seconds=timeout_seconds, output_bytes=200_000, tail_bytes=100_000)
        self._toolchains = toolchains
        self._sandbox: Sandbox = sandbox

    def action(self, arguments: RunCommandArguments) -> actions.Action:
        return actions.RunCommandAction(tuple(arguments.argv))

    async def run(self, arguments: RunCommandArguments) -> Outcome:
        if any("\0" in word for word in arguments.argv):
            return Failed("argv: a word may not hold a NUL character.")
        cwd = self._cwd(arguments.cwd)
        if isinstance(cwd, RefusedPath):
            return Failed(f"cwd: {cwd.reason}.")
        command = CopyCommand(tuple(arguments.argv), cwd, self._limits, self._toolchains, self._sandbox)
        end, left_out = await self._copy.run(command)
        outcome = _outcome(end, self._limits)
        if not left_out:
            return outcome
        named = ", ".join(f"`{render_path(each.path, self._places)}` {each.reason}" for each in left_out)
        return replace(outcome, text=f"{outcome.text}\nNot part of your changes: {named}.")

    def _cwd(self, text: str | None) -> WorkspacePath | ScratchPath | RefusedPath:
        if text is None and not self._places.folders:
            return ScratchPath()
        match parse_path(text or ".", self._places):
            case AnswerPath():
                return RefusedPath("answers do not change; run it in the workspace or in `scratch`")
            case path:
                return path


def _outcome(end: CommandEnd, limits: CommandLimits) -> Outcome:
    said = head_and_tail(end.output.rstrip("\n"), _OUTPUT_LIMIT, _REST)
    if end.how == "exited":
        return Succeeded(f"exit code {end.exit_code}\n{said}".rstrip())
    if end.how == "timed_out":
        reason = f"Killed after {limits.seconds:g} s."
    else:
        reason = _BROKEN_OFF[end.how].format(
            memory=limits.memory_bytes // 1_000_000,
            processes=limits.processes,
            disk=limits.disk_bytes // 1_000_000,
        )
    return Failed(f"{reason} It had said:\n{said}".rstrip() if said else reason)
