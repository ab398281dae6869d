"""A session in play: two processes, one log, a person who says anything at any time. Whoever has the log's lease
carries out what the session wants, one record at a time, and may die between any two of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from teamwright.engine.session.admission import modes_of_next, route
from teamwright.engine.session.decide import Circumstances, decide
from teamwright.engine.session.reduce import taken_over
from teamwright.engine.session.state import SessionState
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
    Want,
    Wants,
    WithdrawQuestion,
)
from teamwright.protocol.decisions import (
    ResumeDecision,
)
from teamwright.protocol.events import (
    CancelRequested,
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    ItemFinished,
    SessionCreated,
    SessionUpdated,
    TurnFinished,
    TurnQueued,
)
from teamwright.protocol.ids import DecisionId, RunId, TurnId
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import Scope
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import SessionSummary
from tests.engine.chance import Chance, one_of, weighted
from tests.engine.session_log import READING, SESSION, Act, K, Process, Task
from tests.engine.session_work import Work, closed
from tests.engine.telling import START


@dataclass
class Luck:
    """How much of what comes from outside there is. The counts keep a session finite."""

    messages: int
    launches: int
    cancels: int
    crashes: int
    # How often a process finds that too many other sessions are at work.
    crowds: int


class World(Work):
    def __init__(self, chance: Chance, luck: Luck, resume: Literal["ask", "auto"]) -> None:
        super().__init__(chance)
        self.luck = luck
        self.resume: Literal["ask", "auto"] = resume
        self.has_room = True
        self._decided: tuple[SessionState, Circumstances, Wants] | None = None

    # Its course

    def play(self, most_steps: int, inspect: Act) -> None:
        for _ in range(most_steps):
            acts = [*self._from_outside(), *self._from_within()]
            if not acts:
                return
            weighted(self.chance, acts)()
            inspect()
        raise AssertionError(f"the session does not come to rest: it wants {self.wants()}")

    def wants(self) -> Wants:
        return () if self.owner is None else self.wanted_by(self.owner)

    def wanted_by(self, process: Process) -> Wants:
        """Decided once for each state; a process that has no state of it wants nothing of a session."""
        if process.state is None:
            return ()
        given = self.circumstances(process)
        if self._decided is None or self._decided[0] is not process.state or self._decided[1] != given:
            self._decided = process.state, given, decide(process.state, given)
        return self._decided[2]

    def circumstances(self, process: Process) -> Circumstances:
        return Circumstances(
            is_writer=self.owner is process,
            resume=self.resume,
            has_room=self.has_room,
            reading=READING,
            last_used=self.now,
            idle=timedelta(minutes=30),
        )

    # What persons do, and fate

    def _from_outside(self) -> Iterator[tuple[int, Act]]:
        luck = self.luck
        if luck.messages:
            yield 20, self._say
        if luck.launches and self.log:
            yield 6, self._launch
        if luck.crashes and self.owner is not None:
            yield 4, self._crash
        if luck.crowds or not self.has_room:
            yield 4, self._crowd
        state = self.known()
        if state is None:
            return
        if luck.cancels and state.turns.open:
            yield 4, self._cancel
        for decision_id in state.decisions.open:
            yield 30, lambda key=decision_id: self._answer(key)
        if self.owner is None and state.is_busy:
            # Recovery, as every server begins with it.
            yield 30, lambda: self._claim(one_of(self.chance, self.processes))

    def _writer(self) -> SessionState:
        """Any process that is asked takes the session, unless another has it."""
        if self.owner is None:
            self._claim(one_of(self.chance, self.processes))
        assert self.owner is not None
        assert self.owner.state is not None
        return self.owner.state

    def _claim(self, process: Process) -> None:
        assert self.owner is None, "one writer a session"
        process.state = taken_over(self.known() or SessionState(SESSION))
        self.owner = process

    def _say(self) -> None:
        self.luck.messages -= 1
        state = self._writer()
        if not self.log:
            summary = SessionSummary(session_id=SESSION, title="A session", created_at=START, updated_at=START)
            self.write(SessionCreated(session=summary), Scope())
        turn_id = TurnId(self.new_id("turn"))
        modes = modes_of_next(state, Modes(plan=bool(self.chance.below(2)))) if not self.chance.below(3) else None
        if route(self._writer()) == "start":
            self.write_all(self.begun(turn_id, "Do it.", modes if state.turns.first is None else None))
        else:
            self.write(TurnQueued(text="Do it.", modes=modes), Scope(turn_id))

    def _launch(self) -> None:
        self.luck.launches -= 1
        self._writer()
        self.write_all(self.launched(Scope(None, RunId(self.new_id("run")))))

    def _cancel(self) -> None:
        self.luck.cancels -= 1
        state = self._writer()
        turn = one_of(self.chance, tuple(state.turns.open.values()))
        if turn.has_started:
            self.write(CancelRequested(), Scope(turn.turn_id))
        else:
            self.write(TurnFinished(outcome="cancelled", usage=Usage()), Scope(turn.turn_id))

    def _answer(self, decision_id: DecisionId) -> None:
        state = self._writer()
        asked = state.decisions.open[decision_id]
        choice = one_of(self.chance, ("approve", "approve", "cancel"))
        self.write(DecisionResolved(decision_id=decision_id, choice=choice, by="user"), asked.scope)

    def _crowd(self) -> None:
        self.luck.crowds -= self.has_room
        self.has_room = not self.has_room

    def _crash(self) -> None:
        self.luck.crashes -= 1
        assert self.owner is not None
        self.leave(self.owner)

    # What the process does that has the lease

    def _from_within(self) -> Iterator[tuple[int, Act]]:
        owner = self.owner
        if owner is None:
            return
        for want in self.wanted_by(owner):
            if self._is_due(owner, want):
                yield 40, lambda each=want: self._carry_out(owner, each)
        for turn_id, turn in owner.turns.items():
            if turn.is_ready:
                yield 30, lambda name=turn_id: _step(owner.turns, name)
        for run_id, run in owner.runs.items():
            if run.is_ready:
                yield 30, lambda name=run_id: _step(owner.runs, name)

    def _is_due(self, owner: Process, want: Want) -> bool:
        match want:
            case HoldTurn():
                return False
            case RunTurn(turn_id=turn_id) | EndTurn(turn_id=turn_id):
                return turn_id not in owner.turns
            case StopTurn(turn_id=turn_id):
                return turn_id in owner.turns
            case ConductRun(run_id=run_id):
                return run_id not in owner.runs
            case _:
                return True

    def _carry_out(self, owner: Process, want: Want) -> None:
        match want:
            case AskResume():
                self._ask_resume(want)
            case CloseItem():
                self.write(ItemFinished(item=closed(want)), want.scope)
            case WithdrawQuestion(decision_id=decision_id):
                self.withdraw(decision_id)
            case ConductRun(run_id=run_id):
                owner.runs[run_id] = Task(self.conducted(run_id))
            case CancelRun(run_id=run_id):
                self.write(CancelRequested(), self.run_scope(run_id))
            case RunTurn(turn_id=turn_id):
                turn = self.state.turns.open[turn_id]
                if not turn.has_started:
                    self.write_all(self.begun(turn_id, turn.text, turn.modes))
                owner.turns[turn_id] = Task(self.answered(want))
            case StopTurn(turn_id=turn_id):
                owner.turns.pop(turn_id).steps.close()
            case EndTurn():
                self._end(want)
            case _:
                self._keep(owner, want)

    def _keep(self, owner: Process, want: Want) -> None:
        match want:
            case Relist():
                self.write(SessionUpdated(session=self.summary()), Scope())
            case PutAway():
                assert not owner.turns
                assert not owner.runs
                self.leave(owner)
            case _:
                raise AssertionError(f"nobody carries out {want}")

    def _ask_resume(self, want: AskResume) -> None:
        decision_id = DecisionId(self.new_id("dec"))
        question = ResumeDecision(decision_id=decision_id, title=want.title, choices=want.choices, detail=want.detail)
        facts: list[tuple[DurableEvent, Scope]] = [(DecisionRequested(decision=question), want.scope)]
        if want.policy is not None:
            facts.append((DecisionResolved(decision_id=decision_id, choice="approve", by="policy"), want.scope))
        self.write_all(facts)

    def _end(self, want: EndTurn) -> None:
        scope = Scope(want.turn_id)
        given_up = [(ItemFinished(item=closed(each)), each.scope) for each in want.close]
        withdrawn = [
            (DecisionResolved(decision_id=key, choice="cancel", by="cancelled"), scope) for key in want.withdraw
        ]
        usage = self.spent_on(want.turn_id)
        self.write_all([*given_up, *withdrawn, (TurnFinished(outcome=want.outcome, usage=usage), scope)])


def _step(tasks: dict[K, Task], key: K) -> None:
    try:
        tasks[key].waits_for = next(tasks[key].steps)
    except StopIteration:
        del tasks[key]
