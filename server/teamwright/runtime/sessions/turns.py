"""The turns of a session: messages are taken into the line, and one at a time is answered."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

import anyio
from anyio.abc import TaskGroup

from teamwright.engine.session.admission import modes_of_next, refusal_of_modes, route
from teamwright.engine.session.state import TurnState
from teamwright.engine.session.wants import EndTurn, RunTurn
from teamwright.engine.spending import NOTHING_SPENT
from teamwright.models.errors import ModelError
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import (
    CancelRequested,
    DecisionResolved,
    DurableEvent,
    ItemFinished,
    SessionUpdated,
    TurnFinished,
    TurnQueued,
)
from teamwright.protocol.ids import TurnId
from teamwright.protocol.items import Attachment
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import Scope
from teamwright.protocol.usage import Usage
from teamwright.runtime.context.context import Context
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.journal import Journal
from teamwright.runtime.sessions.state_cell import SessionStateCell
from teamwright.runtime.sessions.turn import Turn, TurnRequest, given_up, opening
from teamwright.runtime.shielding import shielded

log = logging.getLogger(__name__)

# The turn, and where it is taken up. Raises ModelError and UserError, which it fails with.
Answer = Callable[[Turn, RunTurn], Awaitable[Literal["completed", "cancelled"]]]


@dataclass(frozen=True, slots=True)
class _AtWork:
    turn: Turn
    cancel_scope: anyio.CancelScope


class Turns:
    """Messages come from outside; who is to be answered, stopped and ended is the conductor's word."""

    def __init__(
        self, journal: Journal, cell: SessionStateCell, context: Context, answer: Answer, tasks: TaskGroup
    ) -> None:
        self._journal = journal
        self._cell = cell
        self._context = context
        self._answer = answer
        self._tasks = tasks
        self._at_work: _AtWork | None = None
        # How the latest turn ended that was answered here, until that is a fact.
        self._end: tuple[TurnId, TurnFinished] | None = None

    @property
    def under_way(self) -> Turn | None:
        return None if self._at_work is None else self._at_work.turn

    async def ask(self, text: str, attachments: tuple[Attachment, ...] = (), modes: Modes | None = None) -> TurnId:
        """Takes a message: it starts a turn now, or when those before it are done. It is on disk when this returns.

        Raises Conflict where its modes cannot be in force when it starts.
        """
        turn_id = TurnId(fresh_id("turn"))
        async with self._journal.undisturbed() as append:
            state = self._cell.state
            if route(state) == "queue":
                later = None if modes is None else modes_of_next(state, modes)
                await append(TurnQueued(text=text, attachments=attachments, modes=later), Scope(turn_id))
                return turn_id
            if modes is not None:
                changed = state.modes.changed_by(modes)
                if (refusal := refusal_of_modes(state, changed)) is not None:
                    raise refusal
                if changed != state.modes:
                    await append(self._with_modes(changed), Scope())
            await append(*opening(Scope(turn_id), text, attachments))
        return turn_id

    async def note(self, text: str, attachments: tuple[Attachment, ...]) -> TurnId:
        """A message that has reached those it was for: a turn that is over with it."""
        scope = Scope(TurnId(fresh_id("turn")))
        started, _, *said = opening(scope, text, attachments)
        over = TurnFinished(outcome="completed", usage=Usage())
        await self._journal.append_together((started, *said, over), scope)
        return TurnId(scope.turn_id or "")

    async def cancel(self, turn_id: TurnId) -> bool:
        """Whether there was such a turn to cancel; that it is to end is on disk when this returns."""
        async with self._journal.undisturbed() as append:
            turn = self._cell.state.turns.open.get(turn_id)
            if turn is None:
                return False
            if not turn.has_started:
                await append(TurnFinished(outcome="cancelled", usage=Usage()), Scope(turn_id))
            elif not turn.cancel_requested:
                await append(CancelRequested(), Scope(turn_id))
            return True

    # What the conductor has done

    def is_at_work(self, turn_id: TurnId) -> bool:
        return self._at_work is not None and self._at_work.turn.asked.turn_id == turn_id

    def has_ended(self, turn_id: TurnId) -> bool:
        """It was answered here, and its end is not on disk yet."""
        return self._end is not None and self._end[0] == turn_id

    async def run(self, want: RunTurn) -> None:
        """Starts it where it has not, and has it answered in a task of its own."""
        turn = self._cell.state.turns.open.get(want.turn_id)
        if turn is None or (not turn.has_started and not await self._begun(turn)):
            return
        cancel_scope = anyio.CancelScope()
        at_work = Turn(
            TurnRequest(turn.turn_id, turn.text, turn.attachments, turn.spent),
            self._journal,
            self._context,
            is_called_off=lambda: cancel_scope.cancel_called,
        )
        self._at_work = _AtWork(at_work, cancel_scope)
        self._tasks.start_soon(self._carry_through, self._at_work, want)

    def is_stopping(self, turn_id: TurnId) -> bool:
        return self._at_work is not None and self.is_at_work(turn_id) and self._at_work.cancel_scope.cancel_called

    def stop(self, turn_id: TurnId) -> None:
        if self._at_work is not None and self.is_at_work(turn_id):
            self._at_work.cancel_scope.cancel()

    async def end(self, want: EndTurn) -> None:
        """With what was spent on it here, if anything was."""
        turn = self._cell.state.turns.open.get(want.turn_id)
        spent = NOTHING_SPENT if turn is None else turn.spent
        finished = TurnFinished(outcome=want.outcome, usage=spent.usage, cost_usd=spent.cost_usd)
        if self._end is not None and self._end[0] == want.turn_id:
            finished = self._end[1]
        closed = tuple(ItemFinished(item=given_up(each.item)) for each in want.close)
        await self._write_end(want.turn_id, finished, *closed)

    async def write_end(self) -> bool:
        """Of the turn that was answered here, unless it was called off and has a run that is still to end."""
        if self._end is None:
            return False
        turn_id, finished = self._end
        state = self._cell.state
        turn = state.turns.open.get(turn_id)
        has_runs = any(known.scope.turn_id == turn_id for known in state.runs.open.values())
        if turn is not None and turn.cancel_requested and has_runs:
            return False
        await self._write_end(turn_id, finished)
        return True

    async def _begun(self, turn: TurnState) -> bool:
        async with self._journal.undisturbed() as append:
            state = self._cell.state
            if state.turns.first is not turn:
                # It was taken back meanwhile.
                return False
            if turn.modes is not None and turn.modes != state.modes:
                await append(self._with_modes(turn.modes), Scope())
            await append(*opening(Scope(turn.turn_id), turn.text, turn.attachments))
            return True

    async def _carry_through(self, at_work: _AtWork, want: RunTurn) -> None:
        """Never raises: a turn that fails ends neither its session nor the server."""
        turn = at_work.turn
        outcome: Literal["completed", "cancelled", "failed"] = "cancelled"
        error: str | None = None
        try:
            with at_work.cancel_scope:
                outcome = await self._answer(turn, want)
        except (ModelError, UserError) as fault:
            outcome, error = "failed", fault.message
        except Exception:
            log.exception("A turn failed")
            outcome, error = "failed", "Teamwright failed at this turn; its log has the details."
        await shielded(turn.close())
        spent = turn.spending
        finished = TurnFinished(outcome=outcome, error=error, usage=spent.usage, cost_usd=spent.cost_usd)
        self._end = want.turn_id, finished
        self._at_work = None
        self._cell.wake()

    async def _write_end(self, turn_id: TurnId, finished: TurnFinished, *closed: DurableEvent) -> None:
        scope = Scope(turn_id)
        async with self._journal.undisturbed() as append:
            if turn_id in self._cell.state.turns.open:
                withdrawn = tuple(
                    DecisionResolved(decision_id=key, choice="cancel", by="cancelled")
                    for key in self._cell.state.decisions.open_in(scope)
                )
                first, *rest = (*closed, *withdrawn, finished)
                await append(first, scope, *rest)
        if self._end is not None and self._end[0] == turn_id:
            self._end = None

    def _with_modes(self, modes: Modes) -> SessionUpdated:
        return SessionUpdated(session=self._cell.summary().model_copy(update={"modes": modes}))
