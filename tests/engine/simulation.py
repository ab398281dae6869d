"""A runtime in play: it executes what a run wants, in any order, with any outcome, and is restarted now and then."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from teamwright.engine.run.asking import may_ask, peers_called, refusal_of_question
from teamwright.engine.run.commands import (
    ArmTimer,
    CancelExecution,
    Command,
    CompareCheck,
    Deliberate,
    ExecutePlan,
    FinishRun,
    Present,
    ProposeChanges,
    ProposePlan,
    RequestDecision,
    RunCheck,
    SelectWinner,
    SettleChanges,
    StopAgent,
    Wanted,
    WithdrawDecision,
    Work,
)
from teamwright.engine.run.decide import decide
from teamwright.engine.run.deliberation import steerable
from teamwright.engine.run.judging import Accepted, AcceptedAnswer, Brought, judge_answer, judge_text, judge_vote
from teamwright.engine.run.presentation import can_override
from teamwright.engine.run.reduce import fold, reduce
from teamwright.engine.run.state import RunState
from teamwright.protocol.changes import Change, SettledFile
from teamwright.protocol.checks import CheckCounts, CheckOutcome
from teamwright.protocol.decisions import BudgetSpent, InputDecision, InputDetail, ResumeDecision, ResumeDetail
from teamwright.protocol.events import (
    AgentCorrected,
    AgentInformed,
    AgentStarted,
    AgentStopped,
    AnswerSubmitted,
    BudgetReached,
    CancelRequested,
    ChangesProposed,
    ChangesSettled,
    CheckCompared,
    CheckFinished,
    CheckStarted,
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    ItemFinished,
    MessageShared,
    PlanProposed,
    RunFinished,
    RunStarted,
    Seen,
    StopReason,
    TimerElapsed,
    VoteCast,
    WinnerSelected,
)
from teamwright.protocol.ids import AgentId, AnswerId, DecisionId, ItemId, RunId, SessionId
from teamwright.protocol.items import Presentation
from teamwright.protocol.plans import Plan, PlanTask
from teamwright.protocol.records import EventRecord, read_record
from teamwright.protocol.runs import ResolvedRunSpec
from teamwright.protocol.usage import Usage
from tests.engine.chance import Chance, one_of, weighted
from tests.engine.story import CHILD, RUN, candidate, decision_of
from tests.engine.telling import START, told

Act = Callable[[], None]
WORDS = ("alpha", "beta", "gamma", "delta")
CHANGES = ("red", "green", "blue")
OUTCOMES: tuple[CheckOutcome, ...] = ("passed", "passed", "failed", "failed", "timed_out", "error")
PLAN = Plan(title="A plan", tasks=(PlanTask(id="1", title="do it"),))


@dataclass
class AtWork:
    attempt: int
    shown: Seen
    # Its answer, vote or text is in; it only waits to be stopped.
    is_done: bool = False


@dataclass
class Luck:
    """How often what goes wrong does; nought for a run in which all goes well. The counts keep a run finite."""

    trouble: int
    words: int
    restarts: int
    cancels: int
    budgets: int
    # How soon checks come to an end; nought is never.
    checks: int = 100


class Simulation:
    def __init__(self, chance: Chance, spec: ResolvedRunSpec, luck: Luck, **started: Any) -> None:
        self.chance, self.luck = chance, luck
        self.log: list[EventRecord] = []
        self.at_work: dict[AgentId, AtWork] = {}
        self.calls = 0
        self.wanted: Wanted = ()
        first = RunStarted(spec=spec, **started)
        state = reduce(None, self._record(first))
        assert isinstance(state, RunState)
        self.state = state

    def play(self, most_steps: int, inspect: Act) -> None:
        for _ in range(most_steps):
            self.wanted = decide(self.state)
            inspect()
            if self.state.finished is not None:
                return
            acts = list(self._acts())
            assert acts, f"the run hangs: it wants {told(self.wanted)}"
            weighted(self.chance, acts)()
        raise AssertionError(f"the run does not end: it wants {told(self.wanted)}")

    # What can happen next

    def _acts(self) -> Iterator[tuple[int, Act]]:
        for command in self.wanted:
            if isinstance(command, Deliberate | Present):
                yield from self._work(command)
            elif isinstance(command, ArmTimer):
                if self.luck.trouble:
                    yield 1, self._timer(command)
            elif isinstance(command, RunCheck | CompareCheck):
                if self.luck.checks:
                    yield self.luck.checks, self._check(command)
            else:
                yield 100, self._execution(command)
        yield from self._events_from_outside()
        for decision_id, decision in self.state.pending.items():
            yield 50, self._answer(decision_id, decision.kind)
        execution = self.state.planning.execution
        if execution is not None and execution.outcome is None:
            yield 50, lambda: self._fact(RunFinished(outcome="completed", usage=Usage()), run=CHILD)

    def _work(self, work: Work) -> Iterator[tuple[int, Act]]:
        agent = self.at_work.get(work.agent_id)
        if agent is None or agent.attempt != work.attempt:
            if not work.on_hold:
                yield 100, lambda: self._start(work)
            return
        if agent.is_done or work.on_hold:
            return
        if agent.shown != work.show:
            yield 50, lambda: self._inform(work, agent)
        if isinstance(work, Present):
            yield 100, lambda: self._present(work, agent)
        else:
            yield 100, lambda: self._deliberate(work, agent)
            if may_ask(self.state) and refusal_of_question(self.state, work.agent_id) is None:
                yield 20, lambda: self._ask_others(work.agent_id)
        if self.luck.trouble:
            yield 2 * self.luck.trouble, lambda: self._stop(work.agent_id, work.attempt, "failed", "the model is gone")
            yield self.luck.trouble, lambda: self._stop(work.agent_id, work.attempt, "finished")
            if self.state.agents[work.agent_id].attempt is not None and not self.state.pending:
                yield 1, lambda: self._ask_a_person(work.agent_id)

    def _events_from_outside(self) -> Iterator[tuple[int, Act]]:
        if self.luck.words and (reached := steerable(self.state)):
            yield 6, lambda: self._say(reached)
        if self.luck.restarts:
            yield 4, self._restart
        if self.luck.cancels:
            yield 1, self._cancel
        if self.luck.budgets and self.state.spec.budget is not None:
            yield 4, self._reach_budget

    # What agents do

    def _start(self, work: Work) -> None:
        purpose = "present" if isinstance(work, Present) else work.purpose
        self.calls += 1
        self.at_work[work.agent_id] = AtWork(work.attempt, work.show)
        self._fact(AgentStarted(attempt=work.attempt, purpose=purpose, seen=work.show), work.agent_id)

    def _ask_others(self, agent_id: AgentId) -> None:
        peers = peers_called(self.state, agent_id, None)
        asked = {"from": agent_id, "to": peers, "text": "why?", "part": "question"}
        self._fact(MessageShared.model_validate(asked), agent_id)
        for peer in peers:
            answer = {"from": peer, "to": (agent_id,), "text": "so", "part": "answer"}
            self._fact(MessageShared.model_validate(answer), peer)

    def _inform(self, work: Work, agent: AtWork) -> None:
        agent.shown = work.show
        self._fact(AgentInformed(attempt=work.attempt, seen=work.show), work.agent_id)

    def _deliberate(self, work: Deliberate, agent: AtWork) -> None:
        if not self.luck.trouble:
            return self._vote(work, agent) if work.stage == "evaluation" else self._answer_by_tool(work, agent)
        first = work.stage == "first_answer"
        likely = self._answer_by_tool if first else self._vote
        acts = ((6, likely), (1, self._vote), (2, self._answer_by_tool), (1, self._answer_by_text))
        return weighted(self.chance, acts)(work, agent)

    def _content(self) -> str:
        if not self.luck.trouble:
            return "alpha"
        return " ".join(one_of(self.chance, WORDS) for _ in range(self.chance.below(6)))

    def _answer_by_tool(self, work: Deliberate, agent: AtWork) -> None:
        content = self._content()
        changes = self._changes()
        judged = judge_answer(self.state, work.agent_id, content, Brought(changes))
        if isinstance(judged, AcceptedAnswer):
            plan = PLAN if self.state.spec.planning_mode else None
            return self._submit(work, agent, _answer(judged, content, changes, plan))
        return self._correct(work, "refused", judged.reason)

    def _answer_by_text(self, work: Deliberate, agent: AtWork) -> None:
        content = self._content()
        changes = self._changes()
        judged = judge_text(self.state, work.agent_id, content, Brought(changes))
        if isinstance(judged, AcceptedAnswer):
            return self._submit(work, agent, _answer(judged, content, changes))
        return self._correct(work, "plain_text", judged.reason)

    def _changes(self) -> str | None:
        """Which bytes are brought: where all goes well always the same, else any, or none."""
        if not self.state.serves_writes:
            return None
        return one_of(self.chance, (None, *CHANGES)) if self.luck.trouble else CHANGES[0]

    def _submit(self, work: Deliberate, agent: AtWork, answer: AnswerSubmitted) -> None:
        agent.is_done = True
        self._fact(answer.model_copy(update={"answer_id": AnswerId(f"ans_{len(self.log)}")}), work.agent_id)

    def _vote(self, work: Deliberate, agent: AtWork) -> None:
        target = one_of(self.chance, tuple(self.state.agents))
        judged = judge_vote(self.state, work.agent_id, target)
        if not isinstance(judged, Accepted):
            return self._correct(work, "bad_call", judged.reason)
        agent.is_done = True
        return self._fact(VoteCast(target=target, reason="better"), work.agent_id)

    def _correct(self, work: Deliberate, misstep: Any, reason: str) -> None:
        self._fact(AgentCorrected(attempt=work.attempt, misstep=misstep, text=reason), work.agent_id)

    def _present(self, work: Present, agent: AtWork) -> None:
        agent.is_done = True
        if self.state.spec.planning_mode and (not self.luck.trouble or self.chance.below(2)):
            return self._fact(PlanProposed(plan=PLAN, path="plan.md"))
        text = "The result" if not self.luck.trouble or self.chance.below(5) else ""
        self._fact(ItemFinished(item=Presentation(item_id=ItemId("item_1"), text=text)), work.agent_id)
        return self._stop(work.agent_id, work.attempt, "finished", changes=self._changes())

    def _stop(
        self,
        agent_id: AgentId,
        attempt: int,
        reason: StopReason,
        error: str | None = None,
        changes: str | None = None,
    ) -> None:
        self.at_work.pop(agent_id, None)
        stopped = AgentStopped(
            attempt=attempt, reason=reason, error=error, usage=Usage(calls=1), candidate=candidate(changes)
        )
        self._fact(stopped, agent_id)

    def _check(self, command: RunCheck | CompareCheck) -> Act:
        """It is begun, or comes to any end; a process may be gone in between."""
        of, name, changes = command.of, command.name, command.change_set_id

        def compare() -> None:
            broke = self.chance.below(3) if self.luck.trouble else 0
            flaky = ("test_now_and_then",) if self.luck.trouble and not self.chance.below(4) else ()
            not_fixed = int(bool(self.luck.trouble) and not self.chance.below(3))
            compared = CheckCompared(
                of=of, name=name, change_set_id=changes, broke_count=broke, not_fixed=not_fixed, flaky=flaky
            )
            self._fact(compared)

        def run() -> None:
            if not self.chance.below(3):
                return self._fact(CheckStarted(of=of, name=name, change_set_id=changes))
            outcome = one_of(self.chance, OUTCOMES) if self.luck.trouble else "passed"
            tests = CheckCounts(passed=1, failed=int(outcome == "failed"))
            return self._fact(
                CheckFinished(of=of, name=name, change_set_id=changes, outcome=outcome, seconds=1, tests=tests)
            )

        return run if isinstance(command, RunCheck) else compare

    def _ask_a_person(self, agent_id: AgentId) -> None:
        detail = InputDetail(question="Which one?", agent_id=agent_id)
        decision = InputDecision(decision_id=self._decision_id(), title="?", choices=(), detail=detail)
        self._fact(DecisionRequested(decision=decision), agent_id)

    # What the run wants besides

    def _timer(self, timer: ArmTimer) -> Act:
        return lambda: self._fact(TimerElapsed(timer=timer.timer, attempt=timer.attempt, of=timer.of), timer.agent_id)

    def _execution(self, command: Command) -> Act:
        def execute() -> None:
            match command:
                case StopAgent(agent_id=agent_id, attempt=attempt, reason=reason):
                    self._stop(agent_id, attempt, reason)
                case WithdrawDecision(decision_id=decision_id):
                    self._fact(DecisionResolved(decision_id=decision_id, choice="cancel", by="cancelled"))
                case SelectWinner(agent_id=agent_id, tally=tally, by=by, note=note):
                    self._fact(WinnerSelected(agent_id=agent_id, tally=dict(tally), by=by, note=note))
                case RequestDecision():
                    self._request(command)
                case FinishRun(outcome=outcome, result=result, spending=spending):
                    self._fact(RunFinished(outcome=outcome, result=result, usage=spending.usage))
                case _:
                    self._carry_out(command)

        return execute

    def _carry_out(self, command: Command) -> None:
        match command:
            case ProposePlan(plan=plan):
                self._fact(PlanProposed(plan=plan, path="plan.md"))
            case ExecutePlan(spec=spec):
                self._fact(RunStarted(spec=spec, parent_run_id=RUN), run=CHILD)
            case CancelExecution(run_id=run_id):
                self._fact(CancelRequested(), run=run_id)
            case ProposeChanges(agent_id=agent_id, change_set_id=change_set_id):
                changes = (Change(uri="one.py", kind="edit", diff="@@", hunks=(), agent_id=agent_id),)
                proposed = ChangesProposed(changes=changes, change_set_id=change_set_id)
                self._fact(proposed if self.chance.below(2) else ChangesSettled(settled=()))
            case SettleChanges(approved=approved):
                outcome = "applied" if approved else "rejected"
                self._fact(ChangesSettled(settled=(SettledFile(uri="one.py", outcome=outcome),)))
            case _:
                raise AssertionError(f"nobody carries out {command}")

    def _request(self, command: RequestDecision) -> None:
        decision_id = self._decision_id()
        self._fact(DecisionRequested(decision=decision_of(decision_id, command)))
        if command.policy is not None:
            self._fact(DecisionResolved(decision_id=decision_id, choice=command.policy, by="policy"))

    # What happens from outside

    def _answer(self, decision_id: DecisionId, kind: str) -> Act:
        def answer() -> None:
            choice = one_of(self.chance, ("approve", "cancel"))
            chosen = one_of(self.chance, tuple(self.state.agents))
            if kind == "override" and can_override(self.state, chosen) is None:
                choice = chosen
            by = one_of(self.chance, ("user", "user", "timeout"))
            self._fact(DecisionResolved(decision_id=decision_id, choice=choice, by=by))

        return answer

    def _say(self, reached: tuple[AgentId, ...]) -> None:
        self.luck.words -= 1
        to = reached if self.chance.below(2) else (one_of(self.chance, reached),)
        self._fact(MessageShared.model_validate({"from": "user", "to": to, "text": "look again"}))

    def _cancel(self) -> None:
        self.luck.cancels -= 1
        self._fact(CancelRequested())

    def _reach_budget(self) -> None:
        self.luck.budgets -= 1
        self._fact(BudgetReached(spent=BudgetSpent(usd=1.0, tokens=10, seconds=1, usage=Usage())))

    def _restart(self) -> None:
        """The process is gone, the log is not: whatever it says must be enough to go on."""
        self.luck.restarts -= 1
        self.at_work.clear()
        read = [read_record(record.to_json()) for record in self.log]
        records = [record for record in read if isinstance(record, EventRecord)]
        folded = fold(records)
        assert isinstance(folded, RunState)
        assert folded == self.state
        assert decide(folded) == self.wanted
        self.state = folded
        if self.chance.below(2) and not self.state.is_pending("resume"):
            detail = ResumeDetail(what="run", task="t", done="")
            decision = ResumeDecision(decision_id=self._decision_id(), title="?", choices=(), detail=detail)
            self._fact(DecisionRequested(decision=decision))
        if self.chance.below(2):
            for agent in list(self.state.agents.values()):
                if agent.attempt is not None:
                    self._stop(agent.agent_id, agent.attempt.number, agent.attempt.brought or "superseded")

    # The log

    def _decision_id(self) -> DecisionId:
        return DecisionId(f"dec_{len(self.log)}")

    def _record(self, event: DurableEvent, agent: AgentId | None = None, run: RunId = RUN) -> EventRecord:
        at = self.log[-1].at + timedelta(seconds=1) if self.log else START
        seq, session = len(self.log) + 1, SessionId("ses_1")
        record = EventRecord(seq=seq, at=at, session_id=session, run_id=run, agent_id=agent, event=event)
        self.log.append(record)
        return record

    def _fact(self, event: DurableEvent, agent: AgentId | None = None, run: RunId = RUN) -> None:
        state = reduce(self.state, self._record(event, agent, run))
        assert isinstance(state, RunState)
        self.state = state


def _answer(judged: AcceptedAnswer, content: str, changes: str | None, plan: Plan | None = None) -> AnswerSubmitted:
    """Its id is given when it is submitted."""
    return AnswerSubmitted(
        answer_id=AnswerId("ans_0"), label=judged.label, content=content, plan=plan, candidate=candidate(changes)
    )
