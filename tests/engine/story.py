"""A run told in facts: each verb appends what the runtime would, and `check` compares all that the run wants then."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Self, TypeVar

from teamwright.engine.run.commands import (
    Command,
    Deliberate,
    FinishRun,
    Present,
    ProposeChanges,
    RequestDecision,
    SelectWinner,
    StopAgent,
    Wanted,
    Work,
)
from teamwright.engine.run.decide import decide
from teamwright.engine.run.judging import AcceptedAnswer, Brought, judge_answer
from teamwright.engine.run.reduce import fold, reduce
from teamwright.engine.run.state import Run, RunState
from teamwright.engine.run.view import view
from teamwright.protocol.changes import Change, SettledFile
from teamwright.protocol.checks import Candidate
from teamwright.protocol.decisions import (
    BudgetDecision,
    BudgetDetail,
    ChangesDecision,
    ChangesDetail,
    Decision,
    OverrideDecision,
    OverrideDetail,
    PlanDecision,
    PlanDetail,
)
from teamwright.protocol.events import (
    AgentInformed,
    AgentStarted,
    AgentStopped,
    AnswerSubmitted,
    CancelRequested,
    ChangesProposed,
    ChangesSettled,
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    ItemFinished,
    MessageShared,
    PlanProposed,
    RunFinished,
    RunStarted,
    StopReason,
    TimerElapsed,
    TimerName,
    VoteCast,
    WinnerSelected,
)
from teamwright.protocol.ids import AgentId, AnswerId, DecisionId, ItemId, RunId, SessionId
from teamwright.protocol.items import Presentation
from teamwright.protocol.plans import Plan
from teamwright.protocol.records import EventRecord
from teamwright.protocol.runs import ContextPath, Coordination, ResolvedRunSpec
from teamwright.protocol.usage import Usage
from tests.engine.telling import START, told, told_timers

RUN = RunId("run_1")
CHILD = RunId("run_2")
ONE_CALL = Usage(input_tokens=10, output_tokens=5, calls=1)
C = TypeVar("C", bound=Command)


def spec(agents: str = "a b c", *, writes: bool = False, **changes: Any) -> ResolvedRunSpec:
    """Rules of coordination are given like fields of the specification. No override window, unless asked for."""
    ids = tuple(AgentId(name) for name in agents.split())
    rules = {key: changes.pop(key) for key in list(changes) if key in Coordination.model_fields}
    fields: dict[str, Any] = {
        "task": "Do it",
        "agent_mode": "multi" if len(ids) > 1 else "single",
        "agents": ids,
        "refinement": True,
        "context_paths": (ContextPath(path="src", permission="write"),) if writes else (),
        "coordination_overrides": Coordination.model_validate({"override": "off", **rules}),
    }
    return ResolvedRunSpec.model_validate({**fields, **changes})


class Story:
    def __init__(self, agents: str = "a b c", **changes: Any) -> None:
        started = {key: changes.pop(key) for key in ("autonomy", "apply_changes", "execute_plan") if key in changes}
        self.records: list[EventRecord] = []
        self.run: Run | None = None
        self.fact(RunStarted(spec=spec(agents, **changes), **started))

    # What is wanted, and how it stands

    @property
    def state(self) -> RunState:
        assert isinstance(self.run, RunState)
        return self.run

    @property
    def wanted(self) -> Wanted:
        return decide(self.state)

    def only(self, kind: type[C]) -> C:
        found = [command for command in self.wanted if isinstance(command, kind)]
        assert len(found) == 1, f"expected one {kind.__name__}, the run wants: {told(self.wanted)}"
        return found[0]

    def work_of(self, agent: str) -> Work:
        works = [w for w in self.wanted if isinstance(w, Deliberate | Present) and w.agent_id == agent]
        assert works, f"{agent} is not wanted at work: {told(self.wanted)}"
        return works[0]

    # Facts

    def fact(self, event: DurableEvent, agent: str | None = None, run: RunId = RUN, after: float = 1) -> Self:
        at = self.records[-1].at + timedelta(seconds=after) if self.records else START
        record = EventRecord(
            seq=len(self.records) + 1,
            at=at,
            session_id=SessionId("ses_1"),
            run_id=run,
            agent_id=None if agent is None else AgentId(agent),
            event=event,
        )
        self.records.append(record)
        self.run = reduce(self.run, record)
        return self

    def starts(self, *agents: str) -> Self:
        for agent in agents:
            work = self.work_of(agent)
            purpose = "present" if isinstance(work, Present) else work.purpose
            self.fact(AgentStarted(attempt=work.attempt, purpose=purpose, seen=work.show), agent)
        return self

    def is_shown_the_news(self, agent: str) -> Self:
        work = self.work_of(agent)
        return self.fact(AgentInformed(attempt=work.attempt, seen=work.show), agent)

    def submits(self, agent: str, content: str = "", plan: Plan | None = None, changes: str | None = None) -> Self:
        """The answer alone, while its agent is still at work. `changes` names the bytes that it brings."""
        text = content or f"{agent}'s answer {self.state.agents[AgentId(agent)].answers + 1}"
        judged = judge_answer(self.state, AgentId(agent), text, Brought(changes))
        assert isinstance(judged, AcceptedAnswer), judged
        event = AnswerSubmitted(
            answer_id=AnswerId(f"ans_{len(self.state.answers) + 1}"),
            label=judged.label,
            content=text,
            plan=plan,
            candidate=candidate(changes),
        )
        return self.fact(event, agent)

    def answers(self, agent: str, content: str = "", plan: Plan | None = None, changes: str | None = None) -> Self:
        return self.submits(agent, content, plan, changes).is_stopped(agent)

    def votes(self, agent: str, target: str) -> Self:
        return self.fact(VoteCast(target=AgentId(target), reason="better"), agent).is_stopped(agent)

    def is_stopped(self, *agents: str) -> Self:
        """As the run wants it."""
        for agent in agents:
            stops = [c for c in self.wanted if isinstance(c, StopAgent) and c.agent_id == agent]
            assert stops, f"{agent} is not wanted stopped: {told(self.wanted)}"
            self.fact(AgentStopped(attempt=stops[0].attempt, reason=stops[0].reason, usage=ONE_CALL), agent)
        return self

    def ends(self, agent: str, reason: StopReason, error: str | None = None, changes: str | None = None) -> Self:
        attempt = self.state.agents[AgentId(agent)].attempts
        stopped = AgentStopped(
            attempt=attempt, reason=reason, error=error, usage=ONE_CALL, candidate=candidate(changes)
        )
        return self.fact(stopped, agent)

    def fails(self, agent: str, error: str = "the model is gone") -> Self:
        return self.ends(agent, "failed", error)

    def elapses(self, timer: TimerName, agent: str | None = None, after: float = 1) -> Self:
        attempt = self.state.agents[AgentId(agent)].attempts if agent is not None else None
        return self.fact(TimerElapsed(timer=timer, attempt=attempt), agent, after=after)

    def is_told(self, text: str, *agents: str) -> Self:
        return self.fact(MessageShared.model_validate({"from": "user", "to": agents, "text": text}))

    def is_cancelled(self) -> Self:
        return self.fact(CancelRequested())

    def selects(self) -> Self:
        chosen = self.only(SelectWinner)
        return self.fact(
            WinnerSelected(agent_id=chosen.agent_id, tally=dict(chosen.tally), by=chosen.by, note=chosen.note)
        )

    def asks(self) -> Self:
        request = self.only(RequestDecision)
        decision_id = DecisionId(f"dec_{len(self.records)}")
        return self.fact(DecisionRequested(decision=decision_of(decision_id, request)))

    def is_decided(self, choice: str, after: float = 1, **more: Any) -> Self:
        decision_id = next(iter(self.state.pending))
        event = {"decision_id": decision_id, "choice": choice, "by": "user", **more}
        return self.fact(DecisionResolved.model_validate(event), after=after)

    def writes_text(self, agent: str, text: str) -> Self:
        return self.fact(ItemFinished(item=Presentation(item_id=ItemId("item_1"), text=text)), agent)

    def presents(self, agent: str, text: str = "The result", changes: str | None = None) -> Self:
        return self.starts(agent).writes_text(agent, text).ends(agent, "finished", changes=changes)

    def proposes_plan(self, plan: Plan) -> Self:
        return self.fact(PlanProposed(plan=plan, path="plan.md"))

    def proposes_changes(self, *uris: str) -> Self:
        command = self.only(ProposeChanges)
        changes = tuple(Change(uri=uri, kind="edit", diff="@@", hunks=(), agent_id=command.agent_id) for uri in uris)
        return self.fact(ChangesProposed(changes=changes, change_set_id=command.change_set_id))

    def settles(self, **outcomes: Any) -> Self:
        return self.fact(
            ChangesSettled(settled=tuple(SettledFile(uri=uri, outcome=how) for uri, how in outcomes.items()))
        )

    def finishes(self) -> Self:
        finish = self.only(FinishRun)
        event = RunFinished(outcome=finish.outcome, result=finish.result, usage=finish.spending.usage)
        return self.fact(event)

    # Longer ways

    def all_answer(self, *agents: str) -> Self:
        names = agents or tuple(self.state.agents)
        self.starts(*names)
        for agent in names:
            self.answers(agent)
        return self

    def all_vote(self, target: str, *agents: str) -> Self:
        names = agents or tuple(self.state.agents)
        self.starts(*names)
        for agent in names:
            self.votes(agent, target)
        return self


def candidate(change_set_id: str | None) -> Candidate | None:
    if change_set_id is None:
        return None
    return Candidate(change_set_id=change_set_id, files=("src/a.py",), added=1, removed=1)


def check(story: Story, *wants: str, timers: Iterable[str] | None = None, **shows: Any) -> None:
    """All that is wanted, in order; timers and fields of the view where they matter."""
    assert fold(story.records) == story.run
    assert told(story.wanted) == list(wants)
    if timers is not None:
        assert told_timers(story.wanted) == list(timers)
    seen = view(story.state).to_wire()
    assert {key: seen.get(key) for key in shows} == shows


def decision_of(decision_id: DecisionId, request: RequestDecision) -> Decision:
    title, choices = request.title, request.choices
    match request.detail:
        case OverrideDetail() as detail:
            return OverrideDecision(decision_id=decision_id, title=title, choices=choices, detail=detail)
        case BudgetDetail() as detail:
            return BudgetDecision(decision_id=decision_id, title=title, choices=choices, detail=detail)
        case PlanDetail() as detail:
            return PlanDecision(decision_id=decision_id, title=title, choices=choices, detail=detail)
        case ChangesDetail() as detail:
            return ChangesDecision(decision_id=decision_id, title=title, choices=choices, detail=detail)
