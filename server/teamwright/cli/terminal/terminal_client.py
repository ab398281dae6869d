"""The terminal as a client of the application: it sends commands, draws the transcript, and has decisions answered."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from anyio.abc import TaskGroup

from teamwright.application import dispatch, runs, sessions
from teamwright.application.lifecycle import Listener, RunningApplication
from teamwright.cli.terminal.absent_person import AbsentPerson
from teamwright.cli.terminal.blocks import Line
from teamwright.cli.terminal.decision_prompter import DecisionPrompter
from teamwright.cli.terminal.display_state import OutOfStep
from teamwright.cli.terminal.terminal_io import TerminalIO
from teamwright.cli.terminal.transcript_printer import ProgressLines, TranscriptPrinter
from teamwright.protocol.base import Wire
from teamwright.protocol.commands import RunParams, SessionOpenParams, SessionParams
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import DecisionRequested, RunStarted, SessionCreated, SessionResync, TranscriptPatched
from teamwright.protocol.ids import RunId, SessionId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.transcript import AnyPatchOp, Entry

# Of a session that is gone on with: enough to know where one was.
_ENTRIES_SHOWN_AGAIN: Final = 6


class TerminalClient:
    """`person`: somebody is at the terminal, to be asked; else `says_yes` may be their word. `hear` is told of all
    that happens, the transcript's patches aside."""

    def __init__(
        self,
        application: RunningApplication,
        tasks: TaskGroup,
        io: TerminalIO,
        hear: Listener,
        *,
        person: bool,
        says_yes: bool,
        write_answer: Callable[[str], None] | None,
        is_silent: bool = False,
    ) -> None:
        self.session_id: SessionId | None = None
        self._transcripts = application.draw_for(self._take)
        self.context = application.context_for(self._take)
        self._tasks = tasks
        self._io = io
        self._hear = hear
        self._is_silent = is_silent
        self._prompter = DecisionPrompter(io, self.execute) if person and not says_yes else None
        self._absent = AbsentPerson(io, self.execute, says_yes=says_yes)
        self.printer = TranscriptPrinter(io, write_answer=write_answer, ask=self._asks, is_silent=is_silent)
        self._progress = ProgressLines(io)
        self._followed: list[RunId] = []
        tasks.start_soon(self._absent.attend if self._prompter is None else self._prompter.attend)

    @property
    def was_missed(self) -> bool:
        """Whether something was refused only because nobody was there to be asked."""
        return self._absent.was_missed

    async def catch_up(self) -> None:
        """Draws what is known by now: patches come a little behind the events. Raises NotFound."""
        for run_id in self._followed:
            await self._follow_run(run_id)
        self._followed.clear()
        if self.session_id is not None:
            opened = await sessions.open_session(self.context, SessionOpenParams(session_id=self.session_id))
            if opened.transcript is not None:
                self.printer.catch_up(opened.transcript.entries)

    async def execute(self, command: str, arguments: dict[str, Any]) -> Wire:
        """A command of the wire, such as an entry's action. Raises UserError."""
        return await dispatch.carry_out(self.context, dispatch.read_call(command, [arguments]))

    async def leave(self) -> None:
        """The session that is open is no longer followed."""
        left, self.session_id = self.session_id, None
        if left is not None:
            await sessions.close_session(self.context, SessionParams(session_id=left))
            self.printer.open((), shown=0)

    async def open(self, session_id: SessionId, *, greets: bool = False) -> None:
        """Draws the end of it, and from now on what becomes of it. Raises NotFound."""
        opened = await sessions.open_session(self.context, SessionOpenParams(session_id=session_id))
        if self.session_id not in {None, session_id}:
            await self.leave()
        self.session_id = session_id
        self._absent.hear_of(opened.session.decisions)
        if greets:
            self._io.show(Line(f"Going on with “{opened.session.title}” ({session_id}).", "strong"))
        if opened.transcript is not None:
            self.printer.open(opened.transcript.entries, shown=_ENTRIES_SHOWN_AGAIN if greets else 0)

    def _take(self, record: EventRecord) -> None:
        if isinstance(record.event, SessionCreated) and self.session_id is None:
            # Begun by what we have just sent.
            self.session_id = record.session_id
        if record.session_id not in {None, self.session_id}:
            return
        self._transcripts(record)
        match record.event:
            case TranscriptPatched(patch=patch):
                self._patch(record, patch)
                return
            case SessionResync():
                self._tasks.start_soon(self.catch_up)
            case RunStarted() if record.run_id is not None and not self._io.redraws and not self._is_silent:
                self._followed.append(record.run_id)
                self._tasks.start_soon(self._follow_run, record.run_id)
            case DecisionRequested(decision=decision):
                self._absent.hear_of([decision])
            case _:
                pass
        self._hear(record)

    def _patch(self, record: EventRecord, patch: tuple[AnyPatchOp, ...]) -> None:
        try:
            if record.run_id is not None:
                self._progress.patch(patch)
            else:
                self.printer.patch(patch)
        except OutOfStep:
            self._tasks.start_soon(self.catch_up)

    def _asks(self, entry: Entry) -> bool:
        """Whether the person here is asked."""
        if self._prompter is None:
            self._absent.take(entry)
            return False
        self._prompter.take(entry)
        return True

    async def _follow_run(self, run_id: RunId) -> None:
        """What its agents do, one line after another: where its card cannot be redrawn."""
        with suppress(UserError):
            opened = await runs.open_run(self.context, RunParams(run_id=run_id))
            if opened.transcript is not None:
                self._progress.open(opened.transcript.entries)
