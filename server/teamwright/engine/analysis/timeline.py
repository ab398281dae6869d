"""A run as a picture: one lane an agent, one for the checks; when each was at work, and what came when."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from teamwright.engine.analysis.history import PastCheck, PastRun
from teamwright.engine.analysis.stages import STAGES
from teamwright.engine.transcript.words import counted, duration, ordinal, spending
from teamwright.protocol.checks import OfAnswer
from teamwright.protocol.ids import AgentId
from teamwright.protocol.transcript import Chip, TimelineData, TimelineLane, TimelineMark, TimelinePart, TimelineSpan

# What nobody could tell apart any more in a picture is not sent.
_MOST_SPANS: Final = 200
_ANSWER, _VOTE, _CHOICE = "A", "V", "W"


def timeline(past: PastRun) -> TimelineData:
    lanes = [_agent(past, agent_id) for agent_id in past.run.spec.agents]
    if past.history.checks:
        lanes.append(_checks(past))
    used = {attempt.stage for attempt in past.history.attempts}
    legend = tuple(Chip(label=label, tone=tone) for stage, (label, tone) in STAGES.items() if stage in used)
    return TimelineData(seconds=past.seconds, lanes=tuple(lanes), legend=legend)


def timeline_part(data: TimelineData) -> TimelinePart:
    signs = {mark.sign for lane in data.lanes for mark in lane.marks}
    meanings = {_ANSWER: "an answer", _VOTE: "a vote", _CHOICE: "chosen"}
    said = ", ".join(f"{sign} {meaning}" for sign, meaning in meanings.items() if sign in signs)
    text = f"{duration(data.seconds)} from beginning to end" + (f"; {said}" if said else "")
    return TimelinePart(part="timeline", title="Who was at work when", text=text, data=data)


def _agent(past: PastRun, agent_id: AgentId) -> TimelineLane:
    agent = past.run.agents[agent_id]
    spans = [
        TimelineSpan(
            start=past.since_start(attempt.started_at),
            end=past.since_start(attempt.stopped_at),
            label=STAGES[attempt.stage][0],
            tone=STAGES[attempt.stage][1],
        )
        for attempt in past.attempts_of(agent_id)
    ]
    note = ", ".join(spending(agent.spending.usage, agent.spending.cost_usd))
    return TimelineLane(
        label=agent_id,
        note=note or None,
        agent_id=agent_id,
        spans=tuple(spans[:_MOST_SPANS]),
        marks=tuple(sorted(_marks(past, agent_id), key=lambda mark: mark.at))[:_MOST_SPANS],
    )


def _marks(past: PastRun, agent_id: AgentId) -> Iterator[TimelineMark]:
    answers = [answer for answer in past.run.answers if answer.agent_id == agent_id]
    for number, answer in enumerate(answers, 1):
        yield _mark(past, answer.submitted_at, _ANSWER, f"{agent_id}'s {ordinal(number)} answer")
    for vote in past.history.votes:
        if vote.voter == agent_id:
            yield _mark(past, vote.at, _VOTE, f"{agent_id} votes for {vote.target}")
    winner = past.run.winner
    if winner is not None and winner.agent_id == agent_id and past.history.won_at is not None:
        chosen = _mark(past, past.history.won_at, _CHOICE, f"{agent_id} is chosen")
        yield chosen.model_copy(update={"tone": "accent"})


def _mark(past: PastRun, at: datetime, sign: str, label: str) -> TimelineMark:
    return TimelineMark(at=past.since_start(at), sign=sign, label=label)


def _checks(past: PastRun) -> TimelineLane:
    checks = past.history.checks
    failed = sum(1 for check in checks if check.outcome not in (None, "passed"))
    note = counted(len(checks), "check") + (f", {failed} failed" if failed else "")
    spans = tuple(
        TimelineSpan(
            start=past.since_start(check.started_at),
            end=past.since_start(check.finished_at),
            label=f"{check.name}, on {_subject(past, check)}: {_OUTCOMES[check.outcome]}",
            tone="ok" if check.outcome == "passed" else "bad" if check.outcome == "failed" else "warn",
        )
        for check in checks[:_MOST_SPANS]
    )
    return TimelineLane(label="checks", note=note, spans=spans)


_OUTCOMES: Final = {
    "passed": "passed",
    "failed": "failed",
    "timed_out": "took too long",
    "error": "could not be run",
    None: "not finished",
}


def _subject(past: PastRun, check: PastCheck) -> str:
    match check.of:
        case "base":
            return "the workspace without any change"
        case "final":
            return "what is to be applied"
        case OfAnswer(answer_id=answer_id):
            by = next((answer.agent_id for answer in past.run.answers if answer.answer_id == answer_id), None)
            return "an answer" if by is None else f"an answer of {by}"
