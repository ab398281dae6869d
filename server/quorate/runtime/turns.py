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
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.shielding import shielded
from quorate.runtime.turn import Asked, Assistant, Turn

log = logging.getLogger(__name__)

# The assistant as it is for one turn: settings and modes may change from one to the next.
GetAssistant = Callable[[Scope], Awaitable[Assistant]]


class Turns:
    def __init__(self, journal: Journal, context: Context, assistant: GetAssistant, tasks: TaskGroup) -> None:
        self._journal = journal
        self._context = context
        self._assistant = assistant
        self._tasks = tasks
        self._waiting: deque[Asked] = deque()
        self._under_way: tuple[TurnId, anyio.CancelScope] | None = None

    async def ask(self, text: str, attachments: tuple[Attachment, ...] = ()) -> TurnId:
        """Takes a message: it starts a turn now, or when those before it are done. It is on disk when this returns."""
        asked = Asked(TurnId(fresh_id("turn")), text, attachments)
        if self._under_way is not None:
            self._waiting.append(asked)
            await self._journal.append(TurnQueued(text=text), Scope(turn_id=asked.turn_id))
        else:
            await self._begin(asked)
        return asked.turn_id

    async def cancel(self, turn_id: TurnId) -> bool:
        """Whether there was such a turn to cancel."""
        if self._under_way is not None and self._under_way[0] == turn_id:
            self._under_way[1].cancel()
            return True
        for asked in self._waiting:
            if asked.turn_id == turn_id:
                self._waiting.remove(asked)
                finished = TurnFinished(outcome="cancelled", usage=Usage())
                await self._journal.append(finished, Scope(turn_id=turn_id))
                return True
        return False

    async def _begin(self, asked: Asked) -> None:
        cancel_scope = anyio.CancelScope()
        self._under_way = (asked.turn_id, cancel_scope)
        turn = Turn(asked, self._journal, self._context)
        try:
            await shielded(turn.begin())
        except UserError:
            self._under_way = None
            raise
        self._tasks.start_soon(self._carry_through, turn, cancel_scope)

    async def _carry_through(self, turn: Turn, cancel_scope: anyio.CancelScope) -> None:
        """Never raises: a turn that fails ends neither its session nor the house."""
        outcome: Literal["completed", "cancelled", "failed"] = "cancelled"
        error: str | None = None
        try:
            with cancel_scope:
                await turn.answer(await self._assistant(turn.scope))
                outcome = "completed"
        except (ModelError, UserError) as fault:
            outcome, error = "failed", fault.message
        except Exception:
            log.exception("A turn failed")
            outcome, error = "failed", "Quorate failed at this turn; its log has the details."
        spent = turn.spending
        finished = TurnFinished(outcome=outcome, error=error, usage=spent.usage, cost_usd=spent.cost_usd)
        await shielded(self._conclude(finished, turn.scope))

    async def _conclude(self, finished: TurnFinished, scope: Scope) -> None:
        try:
            await self._journal.append(finished, scope)
            self._under_way = None
            if self._waiting:
                await self._begin_waiting(self._waiting.popleft())
        except UserError as fault:
            # The log itself is what fails: all that is left is to say so.
            self._under_way = None
            self._journal.announce(NoticeRaised(level="error", text=fault.message), scope)

    async def _begin_waiting(self, asked: Asked) -> None:
        try:
            await self._begin(asked)
        except UserError:
            self._waiting.appendleft(asked)
            raise
