"""Keeps what a session has at work equal to what its state wants, from its loading to its being put away."""

import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final, Protocol

import anyio

from teamwright.config.settings import InteractiveSettings
from teamwright.engine.session.decide import Circumstances, decide
from teamwright.engine.session.standing import is_active
from teamwright.engine.session.wants import (
    AskResume,
    CancelRun,
    CloseItem,
    ConductRun,
    EndTurn,
    HoldTurn,
    PutAway,
    Relist,
    RunTurn,
    StopTurn,
    TickTasks,
    Want,
    Wants,
    WithdrawQuestion,
)
from teamwright.protocol.decisions import ResumeDecision
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import (
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    ItemFinished,
    NoticeRaised,
    SessionUpdated,
)
from teamwright.protocol.ids import DecisionId
from teamwright.protocol.records import Scope
from teamwright.runtime.coalescing import BURST_SECONDS
from teamwright.runtime.identity import fresh_id, now
from teamwright.runtime.journal import Journal
from teamwright.runtime.runs.registry import RunRegistry
from teamwright.runtime.sessions.assistant import READING_TOOLS
from teamwright.runtime.sessions.decisions import Decisions
from teamwright.runtime.sessions.state_cell import SessionStateCell
from teamwright.runtime.sessions.tasks import SessionTasks
from teamwright.runtime.sessions.turn import given_up
from teamwright.runtime.sessions.turns import Turns

log = logging.getLogger(__name__)

# What is a matter of the log alone, and done before a session that was loaded is shown to anybody.
_FACTS: Final = AskResume | WithdrawQuestion | CloseItem


class SessionHost(Protocol):
    """The process, with all its sessions."""

    def has_room(self) -> bool:
        """Whether the limit of active sessions lets this one begin something."""
        ...

    def rearranged(self) -> None:
        """What is at work here has changed: others may have room now."""
        ...

    async def put_away(self) -> None:
        """Nobody needs this session in memory."""
        ...


class SessionConductor:
    def __init__(
        self,
        cell: SessionStateCell,
        journal: Journal,
        decisions: Decisions,
        *,
        turns: Turns,
        runs: RunRegistry,
        tasks: SessionTasks,
        settings: Callable[[], InteractiveSettings],
    ) -> None:
        self._cell = cell
        self._journal = journal
        self._decisions = decisions
        self._turns = turns
        self._runs = runs
        self._tasks = tasks
        self._settings = settings
        self._host: SessionHost | None = None
        self._listing_due: datetime | None = None
        self._looked_at = now()
        self._next_look: datetime | None = None
        self._in_hands = 0
        self._is_closed = False
        # It wants to begin something, and too many other sessions are at work.
        self.lacks_room = False

    @property
    def is_active(self) -> bool:
        """A turn or run of it is being worked on in this process."""
        return is_active(self._cell.state) and not self.lacks_room

    @property
    def has_work(self) -> bool:
        """Whether there is anything to do that no person must do first."""
        work = RunTurn | EndTurn | ConductRun | CancelRun
        return any(isinstance(want, work) for want in self._wants())

    @property
    def is_idle(self) -> bool:
        """Nobody has needed it for so long that it may be put away."""
        due = [want.due_at for want in self._wants() if isinstance(want, PutAway)]
        return bool(due) and now() >= due[0] and not self._runs.is_any_going and not self._in_hands

    def touch(self) -> None:
        """Somebody looks for it: it is in use, as it is with every record."""
        self._looked_at = now()

    @contextmanager
    def in_use(self) -> Generator[None]:
        """For a command that is about to write to it: however long that takes, it is not put away meanwhile."""
        self._in_hands += 1
        try:
            yield
        finally:
            self._in_hands -= 1
            self.touch()
            self._cell.wake()

    def close(self) -> None:
        self._is_closed = True
        self._cell.wake()

    async def recover(self) -> None:
        """What its log alone makes necessary, before anybody sees it: above all the question whether to go on.

        Raises UserError where that cannot be written: who is told so can try again.
        """
        while (due := next((want for want in self._wants() if isinstance(want, _FACTS)), None)) is not None:
            await self._carry_out(due)

    async def conduct(self, host: SessionHost) -> None:
        """Until the session is put away. Never raises: a session that fails does not end the server."""
        self._host = host
        while not self._is_closed:
            changed = self._cell.changed
            try:
                has_acted = await self._step(host)
            except UserError as fault:
                # The log itself is what fails: all that is left is to say so, and to try again with the next change.
                self._journal.announce(NoticeRaised(level="error", text=fault.message), Scope())
                has_acted = False
            except Exception:
                log.exception("The session %s could not be conducted", self._cell.session_id)
                has_acted = False
            host.rearranged()
            if not has_acted:
                await self._next_change(changed)

    async def _next_change(self, changed: anyio.Event) -> None:
        """Or the moment at which something is due."""
        if self._next_look is None:
            await changed.wait()
            return
        with anyio.move_on_after(max(0.0, (self._next_look - now()).total_seconds())):
            await changed.wait()

    async def _step(self, host: SessionHost) -> bool:
        """Carries out one of the things that are wanted, if any is."""
        if await self._turns.write_end():
            return True
        self._next_look = None
        for want in self._wants():
            if isinstance(want, PutAway):
                await self._put_away(want, host)
            elif isinstance(want, Relist) and not self._is_due(want):
                self._list_soon()
            elif self._is_due(want):
                await self._carry_out(want)
                return True
        return False

    async def _put_away(self, want: PutAway, host: SessionHost) -> None:
        if self._in_hands:
            # Looked at again when it is let go of.
            return
        if now() >= want.due_at and not self._runs.is_any_going:
            await host.put_away()
        else:
            self._next_look = want.due_at

    def _list_soon(self) -> None:
        if self._listing_due is None:
            # A run's agents are to be at work first.
            delay = timedelta(seconds=BURST_SECONDS) if self._cell.state.runs.open else timedelta()
            self._listing_due = now() + delay
        self._next_look = self._listing_due

    def _wants(self) -> Wants:
        state, settings = self._cell.state, self._settings()
        is_at_it = self._turns.under_way is not None or self._runs.is_any_going
        has_room = self._host is None or is_at_it or self._host.has_room()
        self.lacks_room = not has_room and is_active(state)
        given = Circumstances(
            is_writer=not self._is_closed,
            resume=settings.resume,
            has_room=has_room,
            reading=READING_TOOLS,
            last_used=max(self._looked_at, state.last_fact_at or self._looked_at),
            idle=timedelta(minutes=settings.idle_minutes),
        )
        return decide(state, given)

    def _is_due(self, want: Want) -> bool:
        match want:
            case RunTurn(turn_id=turn_id) | EndTurn(turn_id=turn_id):
                return not self._turns.is_at_work(turn_id) and not self._turns.has_ended(turn_id)
            case StopTurn(turn_id=turn_id):
                return self._turns.is_at_work(turn_id) and not self._turns.is_stopping(turn_id)
            case ConductRun(run_id=run_id):
                return not self._runs.is_going(run_id)
            case Relist():
                return self._listing_due is not None and now() >= self._listing_due
            case HoldTurn() | PutAway():
                return False
            case AskResume() | CloseItem() | CancelRun() | WithdrawQuestion() | TickTasks():
                return True

    async def _carry_out(self, want: Want) -> None:
        """Each of these ends in a fact or a task, after which it is not due any more."""
        match want:
            case AskResume():
                await self._ask(want)
            case CloseItem(item=item, scope=scope):
                await self._journal.append(ItemFinished(item=given_up(item)), scope)
            case WithdrawQuestion(decision_id=decision_id):
                await self._decisions.resolve_unless_answered(decision_id, by="cancelled")
            case Relist():
                await self.relist()
            case TickTasks():
                await self._tasks.tick()
            case CancelRun(run_id=run_id):
                await self._runs.run(run_id).cancel()
            case ConductRun(run_id=run_id):
                self._runs.conduct(run_id)
            case RunTurn() | StopTurn() | EndTurn():
                await self._see_to_turn(want)
            case HoldTurn() | PutAway():
                raise RuntimeError(f"{type(want).__name__} is nothing to be done")

    async def _see_to_turn(self, want: RunTurn | StopTurn | EndTurn) -> None:
        match want:
            case RunTurn():
                await self._turns.run(want)
            case StopTurn(turn_id=turn_id):
                self._turns.stop(turn_id)
            case EndTurn():
                await self._turns.end(want)

    async def _ask(self, want: AskResume) -> None:
        """Also where a rule answers it, so that the log says who let it go on."""
        decision_id = DecisionId(fresh_id("dec"))
        question = ResumeDecision(decision_id=decision_id, title=want.title, choices=want.choices, detail=want.detail)
        by_policy: tuple[DurableEvent, ...] = ()
        if want.policy is not None:
            by_policy = (DecisionResolved(decision_id=decision_id, choice=want.policy, by="policy"),)
        await self._journal.append_together((DecisionRequested(decision=question), *by_policy), want.scope)

    async def relist(self) -> None:
        """Puts its line in the session browser down, where that says less than there is."""
        self._listing_due = None
        async with self._journal.undisturbed() as append:
            if self._cell.state.heading.is_stale:
                await append(SessionUpdated(session=self._cell.summary()), Scope())
