"""`run_command`: an agent runs a program in its scratch folder, shut in and for a limited time."""

import codecs
import subprocess
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread
from anyio.abc import Process
from pydantic import Field

from quorate.models.programs.process import running
from quorate.permissions import actions
from quorate.tools.bounded_text import HeadAndTail
from quorate.tools.command.sandbox import Sandbox, unavailable
from quorate.tools.port import Arguments, Failed, Outcome, Succeeded, Tool

_OUTPUT_LIMIT: Final = 16_000
_REST: Final = "write it to a file in scratch and read that"


class RunCommandArguments(Arguments):
    argv: list[str] = Field(min_length=1)


class RunCommand(Tool[RunCommandArguments]):
    name = "run_command"
    description = "Run a program in `scratch/`: no shell, no network, no other files of the user."
    arguments = RunCommandArguments

    def __init__(self, scratch: Path, sandbox: Sandbox, timeout_seconds: float) -> None:
        self._scratch = scratch
        self._sandbox = sandbox
        self._timeout_seconds = timeout_seconds

    def action(self, arguments: RunCommandArguments) -> actions.Action:
        return actions.RunCommand(tuple(arguments.argv))

    async def run(self, arguments: RunCommandArguments) -> Outcome:
        if any("\0" in word for word in arguments.argv):
            return Failed("argv: a word may not hold a NUL character.")
        if reason := await to_thread.run_sync(unavailable):
            return Failed(f"No command can be run here: {reason}. Go on without.")
        argv = await to_thread.run_sync(self._sandbox.argv, arguments.argv, self._scratch)
        output = HeadAndTail(_OUTPUT_LIMIT)
        with anyio.move_on_after(self._timeout_seconds):
            async with running(
                argv, env={}, cwd=self._scratch, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT
            ) as process:
                await _collect(process, output)
                code = await process.wait()
                return Succeeded(f"exit code {code}\n{output.text(_REST)}".rstrip())
        return Failed(f"Killed after {self._timeout_seconds:g} s. It had said:\n{output.text(_REST)}".rstrip())


async def _collect(process: Process, output: HeadAndTail) -> None:
    if process.stdout is None:
        return
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    async for chunk in process.stdout:
        output.add(decoder.decode(chunk))
    output.add(decoder.decode(b"", final=True))
