"""A conversation in the terminal: one message after another, with whoever can be asked in between."""

import signal
from argparse import Namespace
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, Self

import anyio
from anyio.abc import TaskGroup

from quorate.cli import output
from quorate.cli.terminal.attendance import Attendance
from quorate.cli.terminal.exit_codes import BAD_USAGE, COMPLETED, FAILED, REFUSED
from quorate.cli.terminal.interrupts import interrupts
from quorate.cli.terminal.message_lines import remembered
from quorate.cli.terminal.options import premises_from
from quorate.cli.terminal.printable import on_one_line
from quorate.cli.terminal.slash_commands import Leave, SlashCommands, is_command
from quorate.cli.terminal.stage import ChatStage, chat_stage
from quorate.cli.terminal.talk import Line
from quorate.protocol.commands import CancelParams, ChatParams, SessionListParams, SessionOpenParams
from quorate.protocol.errors import UserError
from quorate.protocol.events import NoticeRaised, SessionCreated, TurnFinished
from quorate.protocol.ids import SessionId, TurnId
from quorate.protocol.records import EventRecord
from quorate.protocol.views import SessionView
from quorate.runtime.bus import Bus
from quorate.runtime.chatting import chat
from quorate.runtime.house import HouseKeeper
from quorate.runtime.premises import Premises
from quorate.runtime.runs.directories import run_directory
from quorate.runtime.shelf.shelf import Shelf
from quorate.runtime.supervisor import Supervisor
from quorate.workspace.documents import Documents

# How long the last words may take when we were asked to leave at once.
_FAREWELL_SECONDS: Final = 1.0
_KILLED_BY_SIGNAL: Final = 128
_GREETING: Final = "Ctrl-C cancels what is under way, Ctrl-D leaves; /help lists the commands."


@dataclass(frozen=True, slots=True)
class ChatOptions:
    premises: Premises
    session: str | None
    go_on: bool
    yes: bool

    @classmethod
    def from_arguments(cls, args: Namespace) -> Self:
        """Raises UsageFault."""
        return cls(premises_from(args), session=args.session, go_on=args.go_on, yes=args.yes)


async def converse(options: ChatOptions, known_problems: frozenset[str]) -> int:
    """`known_problems`: what the user was told before the conversation began."""
    with chat_stage(yes=options.yes) as stage:
        if stage.lines is None:
            stage.talk.tell(Line("quorate chat: there is nobody to talk with: pipe messages in, one a line.", "alarm"))
            await stage.scribe.settle()
            return BAD_USAGE
        bus = Bus()
        try:
            async with HouseKeeper(lambda: options.premises, bus, Documents()) as keeper:
                code = await Conversation(options, stage, keeper, bus, known_problems).go()
        finally:
            stage.view.close()
            with anyio.move_on_after(_FAREWELL_SECONDS, shield=True) as farewell:
                await stage.scribe.settle()
    if farewell.cancelled_caught:
        output.leave_at_once(code)
    return code


class Conversation:
    _tasks: TaskGroup
    _supervisor: Supervisor
    _attendance: Attendance
    _commands: SlashCommands

    def __init__(
        self,
        options: ChatOptions,
        stage: ChatStage,
        keeper: HouseKeeper,
        bus: Bus,
        known_problems: frozenset[str],
    ) -> None:
        self._options = options
        self._known_problems = known_problems
        self._stage = stage
        self._keeper = keeper
        self._bus = bus
        self.session_id: SessionId | None = None
        self._ended_turns: dict[TurnId, TurnFinished] = {}
        self._news = anyio.Event()
        self._code = COMPLETED

    async def go(self) -> int:
        self._bus.join(self._hear)
        async with anyio.create_task_group() as self._tasks:
            self._supervisor = Supervisor(lambda: self._keeper.house(self._tasks))
            self._attendance = Attendance(self._supervisor, self._stage.respondent, self._stage.talk)
            self._tasks.start_soon(self._attendance.attend)
            await self._to_the_end()
            self._tasks.cancel_scope.cancel()
        return REFUSED if self._code == COMPLETED and self._stage.respondent.was_missed else self._code

    async def _to_the_end(self) -> None:
        try:
            house = await self._keeper.house(self._tasks)
            shelf = Shelf(house.store, house.bus, house.premises.folders, self._supervisor)
            self._stage.view.run_directory = lambda run_id: run_directory(house.state_path, run_id)
            self._commands = SlashCommands(self, self._supervisor, shelf, self._stage.talk)
            await self._begin(shelf)
        except UserError as fault:
            self._stage.talk.tell(Line(f"quorate chat: {fault.message}", "alarm"))
            self._code = BAD_USAGE
            return
        with ExitStack() as stack:
            if self._stage.has_person:
                stack.enter_context(remembered(house.state_path / "chat_history"))
            await self._talk_on()

    async def _begin(self, shelf: Shelf) -> None:
        if self._stage.has_person:
            self._stage.talk.tell(Line(_GREETING, "faint"))
        if self._options.session is not None:
            await self.open(SessionId(self._options.session))
        elif self._options.go_on:
            latest = (await shelf.list(SessionListParams(limit=1))).sessions
            if not latest:
                self._stage.talk.tell(Line("There is no session to go on with yet; this is a new one.", "faint"))
            for session in latest:
                await self.open(session.session_id)

    async def _talk_on(self) -> None:
        if self._stage.lines is None:
            return
        while True:
            await self._until_quiet()
            with interrupts(self._interrupted_at_prompt, self._leave_at_once):
                line = await self._stage.lines.next_line()
            if line is None:
                if self._stage.has_person:
                    self._stage.talk.tell(Line(""))
                return
            if is_command(line):
                with interrupts(lambda: self._leave_at_once(signal.SIGINT), self._leave_at_once):
                    wish = await self._commands.carry_out(line)
                if wish is Leave:
                    return
            elif line.strip():
                await self._turn(line)

    async def open(self, session_id: SessionId) -> None:
        """Raises NotFound, and Conflict where another window writes to it."""
        await self._supervisor.existing(session_id)
        self.leave_session()
        opened = await self._supervisor.open_session(SessionOpenParams(session_id=session_id), self._hear)
        self.session_id = session_id
        view = opened.session
        if self._stage.has_person:
            self._stage.talk.tell(*_welcome_back(view))
        asking_runs = {decision_id: run.run_id for run in view.run_views for decision_id in run.decisions}
        for decision in view.decisions:
            self._attendance.put(decision, asking_runs.get(decision.decision_id))

    def leave_session(self) -> None:
        """What is said next begins a new one."""
        if self.session_id is not None:
            self._bus.unsubscribe(self._hear, self.session_id)
        self.session_id = None

    async def _turn(self, text: str) -> None:
        with interrupts(self._interrupted, self._leave_at_once):
            try:
                asked = await chat(self._supervisor, ChatParams(text=text, session_id=self.session_id), self._hear)
            except UserError as fault:
                self._stage.talk.tell(Line(fault.message, "alarm"))
                self._failed()
                return
            self.session_id = asked.session_id
            while asked.turn_id not in self._ended_turns:
                await self._next_news()
        if self._ended_turns.pop(asked.turn_id).outcome == "failed":
            self._failed()

    async def _until_quiet(self) -> None:
        """What an earlier conversation left behind comes first: its questions, and what follows from the answers."""
        with interrupts(self._interrupted, self._leave_at_once):
            while self._is_busy:
                await self._next_news()

    @property
    def _is_busy(self) -> bool:
        session = None if self.session_id is None else self._supervisor.opened(self.session_id)
        return session is not None and session.state.is_busy

    async def _next_news(self) -> None:
        self._news = anyio.Event()
        await self._news.wait()

    def _hear(self, record: EventRecord) -> None:
        if self.session_id is None and isinstance(record.event, SessionCreated):
            self.session_id = record.session_id
        if record.session_id not in {None, self.session_id}:
            return
        if isinstance(record.event, NoticeRaised) and record.event.text in self._known_problems:
            return
        self._stage.view.take(record)
        self._attendance.take(record)
        if isinstance(record.event, TurnFinished) and record.turn_id is not None:
            self._ended_turns[record.turn_id] = record.event
        self._news.set()

    def _failed(self) -> None:
        # A person sees it and goes on; whoever pipes lines in has only the exit code.
        if not self._stage.has_person:
            self._code = FAILED

    def _interrupted_at_prompt(self) -> None:
        if self._stage.lines is not None and self._stage.has_person:
            self._stage.lines.redraw("Ctrl-D leaves, and so does Ctrl-C once more.")
        else:
            self._leave_at_once(signal.SIGINT)

    def _interrupted(self) -> None:
        self._stage.view.tell(Line("Cancelling; Ctrl-C again leaves at once.", "strong"))
        self._tasks.start_soon(self._cancel)

    async def _cancel(self) -> None:
        session = None if self.session_id is None else self._supervisor.opened(self.session_id)
        if session is None:
            return
        try:
            for turn_id in (*session.state.turns_waiting, *session.state.turns_under_way):
                await self._supervisor.cancel(CancelParams(turn_id=turn_id))
            for run_id, _ in tuple(session.state.unfinished_runs()):
                await self._supervisor.cancel(CancelParams(run_id=run_id))
        except UserError as fault:
            self._stage.talk.tell(Line(fault.message, "alarm"))

    def _leave_at_once(self, signal_number: int) -> None:
        self._code = _KILLED_BY_SIGNAL + signal_number
        self._tasks.cancel_scope.cancel()


def _welcome_back(view: SessionView) -> tuple[Line, ...]:
    last = (Line(f"Last: {on_one_line(view.last_message)}", "faint"),) if view.last_message else ()
    return (Line(f"Going on with “{view.title}” ({view.session_id}).", "strong"), *last)
