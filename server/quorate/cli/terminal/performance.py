"""One run from its launch to its exit code, with whoever watches it."""

from pathlib import Path

import anyio
from anyio.abc import TaskGroup

from quorate.cli import output
from quorate.cli.terminal.attendance import Attendance
from quorate.cli.terminal.course import Course
from quorate.cli.terminal.ending import Ending, after_result, before_result
from quorate.cli.terminal.exit_codes import BAD_USAGE, FAILED, INTERRUPTED, code_of
from quorate.cli.terminal.interrupts import interrupts
from quorate.cli.terminal.options import RunOptions
from quorate.cli.terminal.printable import printable
from quorate.cli.terminal.stage import Stage, stage_for
from quorate.cli.terminal.talk import Line
from quorate.models.errors import ModelError
from quorate.protocol.commands import CancelParams
from quorate.protocol.errors import BadParams, UserError
from quorate.protocol.events import RunUpdated
from quorate.protocol.ids import RunId
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Bus
from quorate.runtime.house import HouseKeeper
from quorate.runtime.runs.directories import run_directory
from quorate.runtime.supervisor import Supervisor
from quorate.workspace.documents import Documents

# How long the last words may take when we were asked to leave at once.
_FAREWELL_SECONDS = 1.0
# The last view of a run follows its last event at once.
_LAST_VIEW_SECONDS = 1.0
_KILLED_BY_SIGNAL = 128


async def perform(options: RunOptions) -> int:
    with stage_for(options) as stage:
        try:
            async with HouseKeeper(lambda: options.premises, Bus(), Documents()) as keeper:
                code = await Performance(options, stage, keeper).go()
        finally:
            stage.view.close()
            with anyio.move_on_after(_FAREWELL_SECONDS, shield=True) as farewell:
                await stage.scribe.settle()
    if farewell.cancelled_caught:
        output.leave_at_once(code)
    return code


class Performance:
    _tasks: TaskGroup
    _supervisor: Supervisor
    _attendance: Attendance

    def __init__(self, options: RunOptions, stage: Stage, keeper: HouseKeeper) -> None:
        self._options = options
        self._stage = stage
        self._keeper = keeper
        self._course = Course()
        self._code = FAILED
        self._was_interrupted = False

    async def go(self) -> int:
        async with anyio.create_task_group() as self._tasks:
            self._supervisor = Supervisor(lambda: self._keeper.house(self._tasks))
            self._attendance = Attendance(self._supervisor, self._stage.respondent, self._stage.talk)
            with interrupts(self._interrupted, self._ended):
                self._code = await self._to_the_end()
            self._tasks.cancel_scope.cancel()
        return self._code

    async def _to_the_end(self) -> int:
        try:
            params = await self._options.get_params(await self._supervisor.house())
            await self._supervisor.launch_run(params, self._hear)
        except BadParams as fault:
            return self._refused(*(_on_command_line(error.path, error.message) for error in fault.errors))
        except ModelError as fault:
            return self._refused(fault.message)
        except UserError as fault:
            self._refused(fault.message)
            return FAILED
        self._tasks.start_soon(self._attendance.attend)
        await self._course.ended.wait()
        return await self._end()

    def _hear(self, record: EventRecord) -> None:
        if self._course.ending is not None and (self._options.json or not isinstance(record.event, RunUpdated)):
            # The run has had its last word; only the picture of it may still become whole.
            return
        self._stage.view.take(record)
        self._attendance.take(record)
        self._course.take(record)

    async def _end(self) -> int:
        ending = self._course.ending
        if ending is None:
            await self._stage.scribe.settle()
            return FAILED
        if not self._options.json:
            with anyio.move_on_after(_LAST_VIEW_SECONDS):
                await self._course.drawn.wait()
            self._stage.view.close()
            kept = await self._run_directory(ending.run_id) if self._options.keeps_files else None
            self._say_result(ending, kept)
        await self._stage.scribe.settle()
        return code_of(
            ending.finished.outcome,
            ending.settled,
            interrupted=self._was_interrupted,
            was_missed=self._stage.respondent.was_missed,
        )

    def _say_result(self, ending: Ending, run_directory: Path | None) -> None:
        talk, terminal = self._stage.talk, output.stdout_terminal()
        space = (Line(""),) if terminal is not None or self._options.is_report else ()
        talk.tell(*space, *before_result(ending))
        if (text := ending.text) is not None:
            # A file or a program gets the result as it is.
            shown = text if terminal is None else printable(text, terminal)
            self._stage.scribe.post(lambda: output.say(shown))
            talk.tell(*space)
        talk.tell(*after_result(ending, run_directory))

    async def _run_directory(self, run_id: RunId) -> Path:
        house = await self._keeper.house(self._tasks)
        return run_directory(house.state_path, run_id)

    def _refused(self, *messages: str) -> int:
        said = [f"quorate {self._options.command}: {message}" for message in messages]
        if self._options.is_report and output.stdout_terminal() is None:
            # There will be no report.
            self._stage.scribe.post(lambda: output.complain("\n".join(said)))
        else:
            self._stage.talk.tell(*(Line(text, "alarm") for text in said))
        return BAD_USAGE

    def _interrupted(self) -> None:
        self._was_interrupted = True
        run_id = self._course.run_id
        if run_id is None or self._course.ending is not None:
            self._ended_with(INTERRUPTED)
        else:
            self._stage.talk.tell(Line("Cancelling; Ctrl-C again leaves at once.", "strong"))
            self._tasks.start_soon(self._cancel, run_id)

    async def _cancel(self, run_id: RunId) -> None:
        try:
            await self._supervisor.cancel(CancelParams(run_id=run_id))
        except UserError as fault:
            self._stage.talk.tell(Line(fault.message, "alarm"))

    def _ended(self, signal_number: int) -> None:
        self._ended_with(_KILLED_BY_SIGNAL + signal_number)

    def _ended_with(self, code: int) -> None:
        self._code = code
        self._tasks.cancel_scope.cancel()


def _on_command_line(path: str, message: str) -> str:
    """What the protocol calls `agents` is `--agents` here."""
    flags = {"agents": "--agents", "budget": "--budget", "task": "TASK"}
    return f"{flags.get(path, path)}: {message}" if path else message
