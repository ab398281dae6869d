"""The turns of a session: one at a time, in the order they were asked for."""

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Literal

import anyio
from anyio.abc import TaskGroup

from quorate.models.errors import ModelError
from quorate.protocol.errors import UserError
from quorate.protocol.events import NoticeRaised, TurnFinished, TurnQueued
from quorate.protocol.ids import TurnId
from quorate.protocol.items import Attachment
from quorate.protocol.usage import Usage
from quorate.runtime.context.context import Context
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.open_turns import OpenTurn, OpenTurns
from quorate.runtime.shielding import shielded
from quorate.runtime.turn import Asked, Turn

log = logging.getLogger(__name__)

# The turn, and what is known of it where it was interrupted. Raises ModelError and UserError, which it fails with.
Answer = Callable[[Turn, OpenTurn | None], Awaitable[Literal["completed", "cancelled"]]]


class Turns:
    def __init__(
        self, journal: Journal, context: Context, answer: Answer, decisions: Decisions, tasks: TaskGroup
    ) -> None:
        self._journal = journal
        self._context = context
        self._answer = answer
        self._decisions = decisions
        self._tasks = tasks
        self._waiting: deque[Asked] = deque()
        self._under_way: tuple[Turn, anyio.CancelScope] | None = None
        # The end of a turn that could not be written when it came.
        self._owed: tuple[TurnFinished, Scope] | None = None

    @property
    def under_way(self) -> Turn | None:
        return None if self._under_way is None else self._under_way[0]

    async def ask(self, text: str, attachments: tuple[Attachment, ...] = ()) -> TurnId:
        """Takes a message: it starts a turn now, or when those before it are done. It is on disk when this returns."""
        asked = Asked(TurnId(fresh_id("turn")), text, attachments)
        if self._under_way is None and not self._waiting:
            await self._begin(asked)
            return asked.turn_id
        self._waiting.append(asked)
        try:
            await self._journal.append(TurnQueued(text=text, attachments=attachments), Scope(turn_id=asked.turn_id))
        except UserError:
            self._waiting.remove(asked)
            raise
        if self._under_way is None:
            await self._begin_next()
        return asked.turn_id

    async def note(self, text: str, attachments: tuple[Attachment, ...]) -> TurnId:
        """A message that has reached those it was for: a turn that is over with it."""
        turn, _ = self._new(Asked(TurnId(fresh_id("turn")), text, attachments))
        try:
            await turn.begin(TurnFinished(outcome="completed", usage=Usage()))
        finally:
            self._under_way = None
        return turn.asked.turn_id

    async def cancel(self, turn_id: TurnId) -> bool:
        """Whether there was such a turn to cancel."""
        if self._under_way is not None and self._under_way[0].asked.turn_id == turn_id:
            self._under_way[1].cancel()
            return True
        for asked in self._waiting:
            if asked.turn_id == turn_id:
                self._waiting.remove(asked)
                finished = TurnFinished(outcome="cancelled", usage=Usage())
                await self._journal.append(finished, Scope(turn_id=turn_id))
                return True
        return False

    async def take_up(self, left: OpenTurns) -> None:
        """After a restart: what was under way first, then what waited behind it."""
        self._waiting.extend(left.waiting)
        if left.interrupted is not None:
            turn, cancel_scope = self._new(left.interrupted.asked)
            self._tasks.start_soon(self._carry_through, turn, cancel_scope, left.interrupted)
        elif self._waiting:
            try:
                await self._begin_next()
            except UserError as fault:
                # They stay in line: the next message takes them along.
                self._journal.announce(NoticeRaised(level="error", text=fault.message), Scope())

    def _new(self, asked: Asked) -> tuple[Turn, anyio.CancelScope]:
        cancel_scope = anyio.CancelScope()
        turn = Turn(asked, self._journal, self._context, is_called_off=lambda: cancel_scope.cancel_called)
        self._under_way = turn, cancel_scope
        return turn, cancel_scope

    async def _begin(self, asked: Asked) -> None:
        turn, cancel_scope = self._new(asked)
        try:
            await shielded(self._settle())
            await shielded(turn.begin())
        except UserError:
            self._under_way = None
            raise
        self._tasks.start_soon(self._carry_through, turn, cancel_scope, None)

    async def _begin_next(self) -> None:
        asked = self._waiting.popleft()
        try:
            await self._begin(asked)
        except UserError:
            self._waiting.appendleft(asked)
            raise

    async def _carry_through(self, turn: Turn, cancel_scope: anyio.CancelScope, interrupted: OpenTurn | None) -> None:
        """Never raises: a turn that fails ends neither its session nor the house."""
        outcome: Literal["completed", "cancelled", "failed"] = "cancelled"
        error: str | None = None
        try:
            with cancel_scope:
                outcome = await self._answer(turn, interrupted)
        except (ModelError, UserError) as fault:
            outcome, error = "failed", fault.message
        except Exception:
            log.exception("A turn failed")
            outcome, error = "failed", "Quorate failed at this turn; its log has the details."
        spent = turn.spending
        finished = TurnFinished(outcome=outcome, error=error, usage=spent.usage, cost_usd=spent.cost_usd)
        await shielded(self._conclude(finished, turn))

    async def _conclude(self, finished: TurnFinished, turn: Turn) -> None:
        self._owed = finished, turn.scope
        try:
            await turn.close()
            await self._decisions.withdraw(turn.scope)
            await self._settle()
            self._under_way = None
            if self._waiting:
                await self._begin_next()
        except UserError as fault:
            # The log itself is what fails: all that is left is to say so, and to write it when there is room again.
            self._under_way = None
            self._journal.announce(NoticeRaised(level="error", text=fault.message), turn.scope)

    async def _settle(self) -> None:
        if self._owed is not None:
            await self._journal.append(*self._owed)
            self._owed = None
