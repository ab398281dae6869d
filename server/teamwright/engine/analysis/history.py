"""A run with its times: who was at work when, for what and at what cost. Its state only says how it stands."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from teamwright.engine.run.reduce import reduce
from teamwright.engine.run.state import Run, RunState
from teamwright.engine.spending import NOTHING_SPENT, Spending, spending_of
from teamwright.protocol.checks import CheckOutcome, CheckSubject
from teamwright.protocol.errors import Conflict
from teamwright.protocol.events import (
    AgentCorrected,
    AgentPurpose,
    AgentStarted,
    AgentStopped,
    AnswerSubmitted,
    CheckFinished,
    CheckStarted,
    ItemFinished,
    RunFinished,
    StopReason,
    VoteCast,
    WinnerSelected,
)
from teamwright.protocol.ids import AgentId
from teamwright.protocol.items import ToolCall
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import RunResult, RunStage


@dataclass(slots=True)
class PastAttempt:
    agent_id: AgentId
    number: int
    purpose: AgentPurpose
    started_at: datetime
    stopped_at: datetime | None = None
    reason: StopReason | None = None
    error: str | None = None
    # Which of its agent's answers it brought, from 1 on.
    answer: int | None = None
    voted: bool = False
    spending: Spending = NOTHING_SPENT

    @property
    def stage(self) -> RunStage:
        if self.reason in _LOST and self.answer is None and not self.voted:
            return "unused"
        match self.purpose:
            case "present":
                return "presenting"
            case "plan":
                return "planning" if not self.voted else "voting"
            case "answer":
                return "voting" if self.voted else "answering" if self.answer in (None, 1) else "refining"


_LOST: Final = frozenset({"abstained", "superseded", "timeout", "failed", "cancelled"})


@dataclass(frozen=True, slots=True)
class PastVote:
    at: datetime
    voter: AgentId
    target: AgentId


@dataclass(slots=True)
class PastCheck:
    of: CheckSubject
    name: str
    started_at: datetime
    finished_at: datetime | None = None
    outcome: CheckOutcome | None = None


@dataclass(slots=True)
class RunHistory:
    run: Run | None = None
    attempts: list[PastAttempt] = field(default_factory=list[PastAttempt])
    votes: list[PastVote] = field(default_factory=list[PastVote])
    checks: list[PastCheck] = field(default_factory=list[PastCheck])
    missteps: Counter[AgentId] = field(default_factory=Counter[AgentId])
    failed_calls: Counter[AgentId] = field(default_factory=Counter[AgentId])
    won_at: datetime | None = None
    result: RunResult | None = None
    error: str | None = None

    def fold(self, record: EventRecord) -> None:
        """Records of the run, in their order."""
        is_over = self.run is not None and self.run.finished is not None
        self.run = reduce(self.run, record)
        if is_over:
            # What a person does with the result afterwards is no part of how it came about.
            return
        agent_id = record.agent_id
        match record.event:
            case WinnerSelected():
                self.won_at = record.at
            case RunFinished(result=result, error=error):
                self.result, self.error = result, error
            case CheckStarted(of=of, name=name):
                self.checks.append(PastCheck(of, name, record.at))
            case CheckFinished() as event:
                self._checked(record.at, event)
            case _ if agent_id is not None:
                self._fold_agent(record, agent_id)
            case _:
                pass

    def _fold_agent(self, record: EventRecord, agent_id: AgentId) -> None:
        match record.event:
            case AgentStarted(attempt=number, purpose=purpose):
                self.attempts.append(PastAttempt(agent_id, number, purpose, record.at))
            case AgentStopped() as event if (attempt := self._latest(agent_id, event.attempt)) is not None:
                attempt.stopped_at, attempt.reason, attempt.error = record.at, event.reason, event.error
                attempt.spending += spending_of(event.usage, event.cost_usd)
            case AgentCorrected():
                self.missteps[agent_id] += 1
            case ItemFinished(item=ToolCall(status="failed")):
                self.failed_calls[agent_id] += 1
            case AnswerSubmitted() if (attempt := self._latest(agent_id)) is not None:
                attempt.answer = 1 + sum(1 for each in self.attempts if each.agent_id == agent_id and each.answer)
            case VoteCast(target=target):
                self.votes.append(PastVote(record.at, agent_id, target))
                if (attempt := self._latest(agent_id)) is not None:
                    attempt.voted = True
            case _:
                pass

    def _latest(self, agent_id: AgentId, number: int | None = None) -> PastAttempt | None:
        of_agent = (each for each in reversed(self.attempts) if each.agent_id == agent_id)
        return next((each for each in of_agent if number is None or each.number == number), None)

    def _checked(self, at: datetime, event: CheckFinished) -> None:
        begun = (each for each in reversed(self.checks) if (each.of, each.name) == (event.of, event.name))
        check = next((each for each in begun if each.finished_at is None), None)
        if check is None:
            # One that had been run on the same bytes before takes no time.
            check = PastCheck(event.of, event.name, at)
            self.checks.append(check)
        check.finished_at, check.outcome = at, event.outcome


def history_of(records: Iterable[EventRecord]) -> RunHistory:
    history = RunHistory()
    for record in records:
        history.fold(record)
    return history


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run that took place and is over."""

    run: RunState
    history: RunHistory
    ended_at: datetime

    @property
    def seconds(self) -> float:
        return self.since_start(self.ended_at)

    def since_start(self, at: datetime | None) -> float:
        """What has no end of its own ended with the run."""
        moment = min(at or self.ended_at, self.ended_at)
        return max((moment - self.run.started_at).total_seconds(), 0.0)

    def duration(self, attempt: PastAttempt) -> float:
        return self.since_start(attempt.stopped_at) - self.since_start(attempt.started_at)

    def attempts_of(self, agent_id: AgentId) -> list[PastAttempt]:
        return [attempt for attempt in self.history.attempts if attempt.agent_id == agent_id]


def past_run(history: RunHistory) -> PastRun:
    """Raises Conflict where there is nothing to learn from yet."""
    run = history.run
    if run is not None and run.finished is None:
        raise Conflict("The run is still at work; ask again when it has ended.")
    if not isinstance(run, RunState) or run.finished is None:
        raise Conflict("The run never began, so there is nothing to be learned from it.")
    return PastRun(run, history, run.finished.at)
