"""One run from its launch to its exit code, with whoever watches it."""

import signal
from functools import partial
from typing import Final

import anyio
from anyio.abc import TaskGroup

from teamwright.application import chat, runs
from teamwright.application.lifecycle import RunningApplication, opened_application
from teamwright.cli import output
from teamwright.cli.terminal.blocks import Line
from teamwright.cli.terminal.connection import connected, logged_to, someone_can_type
from teamwright.cli.terminal.interrupts import interrupts
from teamwright.cli.terminal.run_ending import BAD_USAGE, COMPLETED, FAILED, INTERRUPTED, KILLED, RunEnding
from teamwright.cli.terminal.run_options import RunOptions
from teamwright.cli.terminal.terminal_client import TerminalClient
from teamwright.cli.terminal.terminal_io import KeyListener, TerminalIO
from teamwright.cli.terminal.writer_thread import WriterThread
from teamwright.protocol.commands import CancelParams
from teamwright.protocol.errors import BadParams, NothingToDo, TeamwrightError, UserError
from teamwright.protocol.ids import RunId
from teamwright.protocol.records import EventRecord

# How long the last words may take when we were asked to leave at once.
_FAREWELL_SECONDS: Final = 1.0


async def run_command(options: RunOptions) -> int:
    command = RunCommand(options)
    is_report = options.is_report and not options.json
    screen = output.stdout_terminal() if is_report else output.screen(besides_stdout=options.json)
    elsewhere = output.with_result() if is_report else output.besides_result()
    with connected(screen, elsewhere, command.listener, command.writer) as io, logged_to(io):
        is_person = screen is not None and someone_can_type()
        try:
            code = await command.carry_out(io, is_person=is_person)
        finally:
            with anyio.move_on_after(_FAREWELL_SECONDS, shield=True) as farewell:
                await io.settle()
                await command.writer.settle()
    # Also a Ctrl-C among the last words is one.
    code = code if command.left_with is None else command.left_with
    if farewell.cancelled_caught:
        output.leave_at_once(code)
    return code


class RunCommand:
    _client: TerminalClient
    _tasks: TaskGroup
    _io: TerminalIO

    def __init__(self, options: RunOptions) -> None:
        self._options = options
        # For standard output, where that is no terminal, and for lines.
        self.writer = WriterThread()
        self.listener = KeyListener(lambda _text: None, self._interrupted, lambda: self._ended(signal.SIGHUP))
        self._ending = RunEnding()
        # With what a signal or a key has ended us; else the run's own end says it.
        self.left_with: int | None = None
        self._times_interrupted = 0

    async def carry_out(self, io: TerminalIO, *, is_person: bool) -> int:
        self._io = io
        code = FAILED
        async with anyio.create_task_group() as self._tasks:
            async with opened_application(lambda: self._options.client_context) as application:
                self._client = self._connected(application, is_person=is_person)
                with interrupts(self._interrupted, self._ended):
                    code = await self._to_the_end()
            self._tasks.cancel_scope.cancel()
        return code

    def _connected(self, application: RunningApplication, *, is_person: bool) -> TerminalClient:
        # A result that goes to a file or a program is written at the end, as it is.
        shows_answers = output.stdout_terminal() is not None or self._options.is_report
        return TerminalClient(
            application,
            self._tasks,
            self._io,
            self._hear,
            person=is_person,
            says_yes=self._options.yes,
            write_answer=None if shows_answers else lambda _text: None,
            # Its events say everything; only what a person is asked comes beside them.
            is_silent=self._options.json,
        )

    async def _to_the_end(self) -> int:
        try:
            params = await self._options.get_params(self._client.context)
            if params.session_id is not None:
                await self._client.open(params.session_id)
            launched = await runs.launch_run(self._client.context, params)
        except BadParams as fault:
            return self._refused(*(_on_command_line(error.path, error.message) for error in fault.errors))
        except NothingToDo as news:
            self._io.show(Line(news.message))
            return COMPLETED
        except UserError as fault:
            self._refused(fault.message)
            return FAILED
        except TeamwrightError as fault:
            return self._refused(str(fault))
        await self._ending.over.wait()
        if self._ending.finished is not None and not self._options.json:
            await self._client.catch_up()
            self._client.printer.close()
            await self._say_result(launched.run_id)
        code = self._ending.exit_code(was_interrupted=self._times_interrupted > 0, was_missed=self._client.was_missed)
        if self._options.command == "fix" and code == COMPLETED and (left := self._ending.left_failing) is not None:
            if not self._options.json:
                self._io.show(Line(left, "alarm"))
            return FAILED
        return code

    def _hear(self, record: EventRecord) -> None:
        if self._ending.finished is not None:
            # The run has had its last word.
            return
        if self._options.json:
            self.writer.post(partial(output.say, record.to_json()))
        self._ending.take(record)

    async def _say_result(self, run_id: RunId) -> None:
        if (text := self._ending.text) is not None and output.stdout_terminal() is None and not self._options.is_report:
            self.writer.post(partial(output.say, text))
        directory = await self._client.context.run_directory(run_id)
        if self._options.keeps_files and directory.exists():
            self._io.show(Line(f"Its files are in {directory}", "faint"))

    def _refused(self, *messages: str) -> int:
        said = [f"teamwright {self._options.command}: {message}" for message in messages]
        if self._options.is_report and output.stdout_terminal() is None:
            # There will be no report.
            self.writer.post(lambda: output.complain("\n".join(said)))
        else:
            self._io.show(*(Line(text, "alarm") for text in said))
        return BAD_USAGE

    def _interrupted(self) -> None:
        """The first Ctrl-C ends the run and keeps what there is; the second, or one without a run, ends us."""
        self._times_interrupted += 1
        run_id = self._ending.run_id
        if run_id is None or self._ending.finished is not None or self._times_interrupted > 1:
            self._ended_with(INTERRUPTED)
        else:
            self._io.show(Line("Cancelling; Ctrl-C again leaves at once.", "strong"))
            self._tasks.start_soon(self._cancel, run_id)

    async def _cancel(self, run_id: RunId) -> None:
        try:
            await chat.cancel(self._client.context, CancelParams(run_id=run_id))
        except UserError as fault:
            self._io.show(Line(fault.message, "alarm"))

    def _ended(self, signal_number: int) -> None:
        self._ended_with(KILLED + signal_number)

    def _ended_with(self, code: int) -> None:
        self.left_with = code
        self._tasks.cancel_scope.cancel()


def _on_command_line(path: str, message: str) -> str:
    """What the protocol calls `agents` is `--agents` here."""
    flags = {"agents": "--agents", "budget": "--budget", "task": "TASK"}
    return f"{flags.get(path, path)}: {message}" if path else message
