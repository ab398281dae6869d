"""What agents did, and what became of them."""

from dataclasses import replace
from typing import assert_never

from teamwright.engine.run.budget import budget_reached, spent_by
from teamwright.engine.run.state import (
    NOTHING_SEEN,
    Agent,
    Attempt,
    Ballot,
    GivenAnswer,
    PresentationProgress,
    Presented,
    Pressure,
    ReportedFinding,
    RunState,
)
from teamwright.engine.spending import spending_of
from teamwright.protocol.events import (
    AgentCorrected,
    AgentInformed,
    AgentStarted,
    AgentStopped,
    AnswerSubmitted,
    FindingReported,
    ItemFinished,
    ItemStarted,
    Seen,
    TimerElapsed,
    VoteCast,
)
from teamwright.protocol.ids import AgentId
from teamwright.protocol.items import AssistantMessage
from teamwright.protocol.items import Presentation as PresentationItem
from teamwright.protocol.records import EventRecord

AgentFact = (
    AgentStarted
    | AgentInformed
    | AgentCorrected
    | AgentStopped
    | AnswerSubmitted
    | VoteCast
    | ItemStarted
    | ItemFinished
)
_PRESSURE: dict[str, Pressure] = {
    "round_wrap_up": "wrap_up",
    "round_tools_closed": "tools_closed",
    "round_over": "over",
}


def reduce_agent(state: RunState, record: EventRecord, event: AgentFact) -> RunState:
    agent = _agent_of(state, record)
    if agent is None:
        return state
    match event:
        case AgentStarted():
            return _started(state, record, agent, event)
        case AgentInformed(seen=seen):
            is_at_work = agent.attempt is not None and agent.attempt.number == event.attempt
            return _with(state, replace(agent, seen=_within(state, seen))) if is_at_work else state
        case AgentCorrected():
            return _with(state, _corrected(agent, event))
        case AgentStopped():
            return _stopped(state, record, agent, event)
        case AnswerSubmitted():
            return _answered(state, record, agent, event)
        case VoteCast():
            return _voted(state, agent, event)
        case ItemStarted() | ItemFinished():
            return _with_item(state, agent, event)
        case _:
            assert_never(event)


def finding_reported(state: RunState, record: EventRecord, event: FindingReported) -> RunState:
    agent = _agent_of(state, record)
    if agent is None:
        return state
    remark = ReportedFinding(agent.agent_id, event.finding, event.reproduction)
    return replace(state, findings=(*state.findings, remark))


def timer_elapsed(state: RunState, record: EventRecord, event: TimerElapsed) -> RunState:
    match event.timer:
        case "run":
            return replace(state, timed_out=True)
        case "first_answer_grace":
            return replace(state, grace_elapsed=True)
        case "checks_wait":
            return (
                replace(state, checks_waited=frozenset((*state.checks_waited, event.of)))
                if event.of is not None
                else state
            )
        case "budget":
            return budget_reached(state, spent_by(state, record.at))
        case "round_wrap_up" | "round_tools_closed" | "round_over" as timer:
            agent = _agent_of(state, record)
            if agent is None or agent.attempt is None or agent.attempt.number != event.attempt:
                return state
            return _with(state, replace(agent, attempt=replace(agent.attempt, pressure=_PRESSURE[timer])))
        case _:
            assert_never(event.timer)


def _agent_of(state: RunState, record: EventRecord) -> Agent | None:
    return state.agents.get(record.agent_id) if record.agent_id is not None else None


def _with(state: RunState, agent: Agent) -> RunState:
    return state.with_changes(agents={**state.agents, agent.agent_id: agent})


def _within(state: RunState, seen: Seen) -> Seen:
    """Nobody has seen what is not there yet; else a vote could stand against an answer that comes later."""
    return Seen(answers=min(seen.answers, len(state.answers)), messages=min(seen.messages, len(state.messages)))


def _started(state: RunState, record: EventRecord, agent: Agent, event: AgentStarted) -> RunState:
    attempt = Attempt(event.attempt, event.purpose, state.clock.reading(record.at))
    seen = _within(state, event.seen or NOTHING_SEEN)
    started = replace(agent, attempt=attempt, attempts=max(agent.attempts, event.attempt), seen=seen, text="")
    if event.purpose == "present":
        state = replace(state, presentation=_begun(state.presentation, agent.agent_id))
    return _with(state, started)


def _begun(presentation: PresentationProgress, presenter: AgentId) -> PresentationProgress:
    draft = presentation.draft if presentation.presenter == presenter else None
    short = presentation.done or presentation.short
    return replace(presentation, presenter=presenter, draft=draft, done=None, short=short)


def _corrected(agent: Agent, event: AgentCorrected) -> Agent:
    attempt = agent.attempt
    if attempt is None or attempt.number != event.attempt:
        return agent
    if event.misstep == "plain_text":
        return replace(agent, attempt=replace(attempt, plain_texts=attempt.plain_texts + 1))
    return replace(agent, attempt=replace(attempt, mistakes=attempt.mistakes + 1))


def _with_item(state: RunState, agent: Agent, event: ItemStarted | ItemFinished) -> RunState:
    attempt = agent.attempt
    match event:
        case ItemStarted(step=int(step)) if attempt is not None and step > attempt.steps:
            return _with(state, replace(agent, attempt=replace(attempt, steps=step)))
        case ItemFinished(item=AssistantMessage() | PresentationItem() as item) if not item.discarded:
            return _with(state, replace(agent, text=item.text or agent.text))
        case _:
            return state


def _answered(state: RunState, record: EventRecord, agent: Agent, event: AnswerSubmitted) -> RunState:
    if state.winner is not None:
        # Too late to be voted on; it must not unsettle the votes that were counted.
        return state
    answer = GivenAnswer(
        answer_id=event.answer_id,
        label=event.label,
        agent_id=agent.agent_id,
        content=event.content,
        plan=event.plan,
        files=event.files or (),
        candidate=event.candidate,
        submitted_at=record.at,
        given=state.clock.reading(record.at),
        seen_messages=agent.seen.messages,
    )
    brought = replace(agent.attempt, brought="answered") if agent.attempt is not None else None
    answered = replace(agent, answers=agent.answers + 1, latest=answer, attempt=brought)
    first = state.clock.reading(record.at) if agent.answers == 0 else state.latest_first_answer
    return replace(_with(state, answered), answers=(*state.answers, answer), latest_first_answer=first)


def _voted(state: RunState, agent: Agent, event: VoteCast) -> RunState:
    if state.winner is not None:
        return state
    ballot = Ballot(
        len(state.votes), agent.agent_id, event.target, event.reason, agent.seen, frozenset(event.disputed or ())
    )
    brought = replace(agent.attempt, brought="voted") if agent.attempt is not None else None
    return replace(_with(state, replace(agent, ballot=ballot, attempt=brought)), votes=(*state.votes, ballot))


def _stopped(state: RunState, record: EventRecord, agent: Agent, event: AgentStopped) -> RunState:
    spent = replace(agent, spending=agent.spending + spending_of(event.usage, event.cost_usd))
    attempt = agent.attempt
    if attempt is None or attempt.number != event.attempt:
        return _with(state, spent)
    idle = replace(spent, attempt=None, error=event.error)
    match event.reason:
        case "failed":
            return _gone(_with(state, replace(idle, standing="failed")), attempt)
        case "timeout":
            return _gone(_with(state, replace(idle, standing="timed_out")), attempt)
        case "superseded" | "cancelled":
            return _with(state, idle)
        case "answered" | "voted" | "abstained" | "finished":
            if attempt.purpose == "present":
                return _presented(_with(state, idle), idle, record, event)
            # An attempt that ended by itself and brought nothing would do so again.
            return _with(state, idle if attempt.brought is not None else replace(idle, standing="abstained"))
        case _:
            assert_never(event.reason)


def _gone(state: RunState, attempt: Attempt) -> RunState:
    """Where it was to mend what it had presented, that holds as it was."""
    presentation = state.presentation
    if attempt.purpose != "present" or presentation.short is None:
        return state
    return replace(state, presentation=replace(presentation, done=presentation.short))


def _presented(state: RunState, agent: Agent, record: EventRecord, event: AgentStopped) -> RunState:
    presentation = state.presentation
    if event.reason != "finished" or (not agent.text and state.planning.plan is None):
        unable = replace(presentation, unable=presentation.unable | {agent.agent_id}, done=presentation.short)
        return replace(state, presentation=unable)
    presentation = replace(presentation, draft=event.candidate, since=state.clock.reading(record.at))
    state = replace(state, presentation=presentation)
    if agent.seen.messages < max(agent.addressed, state.presenter_addressed):
        # A person spoke while it wrote its last words: it is asked again.
        return state
    done = Presented(agent.agent_id, agent.text, event.candidate)
    return replace(state, presentation=replace(presentation, done=done))
