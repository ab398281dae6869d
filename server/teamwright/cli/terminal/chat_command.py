"""A conversation in the terminal: messages at any time, with whoever can be asked in between."""

import os
from argparse import Namespace
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

import anyio
from anyio.abc import TaskGroup

from teamwright.application import chat, sessions
from teamwright.application.lifecycle import ClientContext, opened_application
from teamwright.cli import output
from teamwright.cli.terminal.blocks import Line
from teamwright.cli.terminal.connection import connected, logged_to, someone_can_type
from teamwright.cli.terminal.interrupts import interrupts
from teamwright.cli.terminal.plain_io import PlainIO
from teamwright.cli.terminal.printable import printable
from teamwright.cli.terminal.run_ending import BAD_USAGE, COMPLETED, FAILED, INTERRUPTED, KILLED, REFUSED
from teamwright.cli.terminal.run_options import client_context_from, session_named
from teamwright.cli.terminal.slash_commands import COMMANDS, Leave, SlashCommands, is_command
from teamwright.cli.terminal.terminal_client import TerminalClient
from teamwright.cli.terminal.terminal_io import KeyListener, TerminalIO
from teamwright.cli.terminal.writer_thread import WriterThread
from teamwright.protocol.command_table import CANCEL
from teamwright.protocol.commands import CancelParams, ChatParams, SessionListParams
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import DecisionRequested, RunFinished, RunStarted, TurnFinished, TurnQueued, TurnStarted
from teamwright.protocol.ids import RunId, SessionId, TurnId
from teamwright.protocol.records import EventRecord

# How long the last words may take when we were asked to leave at once.
_FAREWELL_SECONDS: Final = 1.0
_GREETING: Final = "Enter sends, Alt-Enter breaks the line; Ctrl-C stops what is under way, Ctrl-D leaves; /help."
_WORKING: Final = Line("Working; Ctrl-C stops it.", "faint")
_ONCE_MORE: Final = "Ctrl-D leaves, and so does Ctrl-C once more."
_AT_WORK: Final = "Something is under way; Ctrl-D once more leaves it, and it can be gone on with later."


@dataclass(frozen=True, slots=True)
class ChatOptions:
    client_context: ClientContext
    session: str | None
    go_on: bool
    yes: bool

    @classmethod
    def from_arguments(cls, args: Namespace) -> Self:
        """Raises UsageFault."""
        return cls(client_context_from(args), session=args.session, go_on=args.go_on, yes=args.yes)


async def chat_command(options: ChatOptions) -> int:
    screen = output.screen()
    is_person = screen is not None and someone_can_type()
    if not is_person and not output.input_is_piped():
        output.complain("teamwright chat: there is nobody to talk with: pipe messages in, one a line.")
        return BAD_USAGE
    command = ChatCommand(options, is_person=is_person)
    state_path = options.client_context.state_path(os.environ)
    with (
        connected(
            screen if is_person else None,
            output.besides_result(),
            command.listener,
            command.writer,
            commands=COMMANDS,
            history=state_path / "chat_history",
        ) as io,
        logged_to(io),
    ):
        try:
            code = await command.carry_out(io)
        finally:
            with anyio.move_on_after(_FAREWELL_SECONDS, shield=True) as farewell:
                await io.settle()
                await command.writer.settle()
    if farewell.cancelled_caught:
        output.leave_at_once(code)
    return code


class ChatCommand:
    _client: TerminalClient
    _tasks: TaskGroup
    _io: TerminalIO
    _commands: SlashCommands

    def __init__(self, options: ChatOptions, *, is_person: bool) -> None:
        self._options = options
        self._is_person = is_person
        self.writer = WriterThread()
        self.listener = KeyListener(self._submitted, self._interrupted, self._ended)
        self._typed: deque[str] = deque()
        # What the session is at work on, the earliest first.
        self._under_way: dict[TurnId | RunId, None] = {}
        self._news = anyio.Event()
        self._code = COMPLETED
        # How often in a row the person has asked to leave.
        self._leaving = 0
        self._has_left = False

    async def carry_out(self, io: TerminalIO) -> int:
        self._io = io
        async with anyio.create_task_group() as self._tasks:
            with interrupts(self._interrupted, self._killed):
                async with opened_application(lambda: self._options.client_context) as application:
                    self._client = TerminalClient(
                        application,
                        self._tasks,
                        io,
                        self._hear,
                        person=self._is_person,
                        says_yes=self._options.yes,
                        write_answer=None if io.redraws and output.stdout_terminal() else self._write_answer,
                    )
                    await self._converse()
                    self._tasks.cancel_scope.cancel()
        return REFUSED if self._code == COMPLETED and self._client.was_missed else self._code

    async def _converse(self) -> None:
        self._commands = SlashCommands(self, self._client, self._io)
        try:
            await self._begin()
        except UserError as fault:
            self._io.show(Line(f"teamwright chat: {fault.message}", "alarm"))
            self._code = BAD_USAGE
            return
        while (text := await self._next_message()) is not None:
            if is_command(text):
                if await self._commands.carry_out(text) is Leave:
                    return
            elif text.strip():
                await self._send(text)

    async def _begin(self) -> None:
        # What must be mended first is told before anything is said.
        await self._client.context.services()
        if self._is_person:
            self._io.show(Line(_GREETING, "faint"))
        if self._options.session is not None:
            await self.open(session_named(self._options.session))
        elif self._options.go_on:
            latest = (await sessions.list_sessions(self._client.context, SessionListParams(limit=1))).sessions
            if not latest:
                self._io.show(Line("There is no session to go on with yet; this is a new one.", "faint"))
            for session in latest:
                await self.open(session.session_id)

    async def open(self, session_id: SessionId) -> None:
        """Raises NotFound."""
        await self._client.open(session_id, greets=self._is_person)
        self._under_way.clear()
        for entry in self._client.printer.under_way:
            if (work := entry.turn_id or entry.run_id) is not None:
                self._under_way[work] = None
        self._tell_work()

    async def leave_session(self) -> None:
        """What is said next begins a new one."""
        await self._client.leave()
        self._under_way.clear()

    async def _next_message(self) -> str | None:
        if isinstance(self._io, PlainIO):
            # Line by line: each is answered before the next is read.
            while self._under_way:
                await self._next_news()
            with suppress(UserError):
                await self._client.catch_up()
            return await self._io.prompted("> " if self._is_person else "")
        while not self._typed:
            if self._has_left:
                return None
            await self._next_news()
        return self._typed.popleft()

    async def _next_news(self) -> None:
        self._news = anyio.Event()
        await self._news.wait()

    async def _send(self, text: str) -> None:
        params = ChatParams(text=text, session_id=self._client.session_id)
        try:
            asked = await chat.chat(self._client.context, params)
        except UserError as fault:
            self._io.show(Line(fault.message, "alarm"))
            self._note_failure()
        else:
            self._client.session_id = asked.session_id

    def _hear(self, record: EventRecord) -> None:
        match record.event:
            case TurnQueued() | TurnStarted() if record.turn_id is not None:
                self._under_way[record.turn_id] = None
            case RunStarted() | DecisionRequested() if record.turn_id is None and record.run_id is not None:
                self._under_way[record.run_id] = None
            case TurnFinished(outcome=outcome) if record.turn_id is not None:
                self._under_way.pop(record.turn_id, None)
                self._leaving = 0
                if outcome == "failed":
                    self._note_failure()
            case RunFinished() if record.run_id is not None:
                self._under_way.pop(record.run_id, None)
            case _:
                pass
        self._tell_work()
        self._news.set()

    def _tell_work(self) -> None:
        self._client.printer.status = _WORKING if self._under_way else None

    def _write_answer(self, text: str) -> None:
        terminal = output.stdout_terminal()
        shown = text if terminal is None else printable(text, terminal)
        self.writer.post(partial(output.say, shown, end=""))

    def _note_failure(self) -> None:
        # A person sees it and goes on; whoever pipes lines in has only the exit code.
        if not self._is_person:
            self._code = FAILED

    def _submitted(self, text: str) -> None:
        self._leaving = 0
        self._typed.append(text)
        self._news.set()

    def _interrupted(self) -> None:
        """The first Ctrl-C stops what is under way; a second one, or one when all is quiet and another, leaves."""
        self._leaving += 1
        if self._leaving > 1 or not self._is_person:
            self._leave_with(INTERRUPTED)
        elif self._under_way:
            work = next(iter(self._under_way))
            self._io.show(Line(f"Stopping{self._ends_with(work)}; Ctrl-C again leaves at once.", "strong"))
            self._tasks.start_soon(self._stop, work)
        else:
            self._io.show(Line(_ONCE_MORE, "faint"))

    def _ended(self) -> None:
        self._leaving += 1
        if self._under_way and self._leaving == 1:
            self._io.show(Line(_AT_WORK, "faint"))
        else:
            self._has_left = True
            self._news.set()

    def _ends_with(self, work: TurnId | RunId) -> str:
        """What is stopped, in the words of the action that stops it."""
        actions = (action for entry in self._client.printer.entries for action in entry.actions)
        stops = (each.label for each in actions if each.command == CANCEL.name and work in each.arguments.values())
        return next(stops, "").removeprefix("Stop").removeprefix("Cancel").rstrip()

    async def _stop(self, work: TurnId | RunId) -> None:
        turn = work.startswith("turn")
        params = CancelParams(turn_id=TurnId(work)) if turn else CancelParams(run_id=RunId(work))
        try:
            await chat.cancel(self._client.context, params)
        except UserError as fault:
            self._io.show(Line(fault.message, "alarm"))

    def _killed(self, signal_number: int) -> None:
        self._leave_with(KILLED + signal_number)

    def _leave_with(self, code: int) -> None:
        self._code = code
        self._tasks.cancel_scope.cancel()
