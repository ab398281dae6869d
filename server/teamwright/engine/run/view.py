"""What clients draw of a run."""

from collections.abc import Mapping

from teamwright.engine.run.budget import spending
from teamwright.engine.run.checking import check_final, final_keys
from teamwright.engine.run.ending import settle_changes
from teamwright.engine.run.evidence import answer_standing, base_keys, is_evidence_in, keys_of_answer, views
from teamwright.engine.run.presentation import is_presentation_due, window_is_due
from teamwright.engine.run.state import Agent, GivenAnswer, QueuedRun, Run, RunState
from teamwright.engine.run.voting import counts, standing_vote, tally, voting_is_on
from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.protocol.checks import RunChecks
from teamwright.protocol.ids import AgentId
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import AgentStatus, AgentView, Answer, AnswerPreview, RunPhase, RunView, VoteView

_PREVIEW_LENGTH = 280


def view(state: Run, at_work: Mapping[AgentId, Spending] | None = None) -> RunView:
    """`at_work` is what attempts have used that have not stopped yet: no fact, but worth seeing."""
    if isinstance(state, QueuedRun):
        return view_queued(state)
    live = at_work or {}
    agents = tuple(_agent(state, agent, live.get(agent.agent_id, NOTHING_SPENT)) for agent in state.agents.values())
    finished = state.finished
    spent = finished.spending if finished is not None else sum(live.values(), spending(state))
    return RunView(
        run_id=state.run_id,
        parent_run_id=state.parent_run_id,
        task=state.spec.task,
        phase=phase(state),
        outcome=finished.outcome if finished is not None else None,
        agents=agents,
        answers=tuple(_preview(state, answer) for answer in state.answers),
        checks=RunChecks(base=views(state, base_keys(state)), final=views(state, final_keys(state))),
        votes=tuple(
            VoteView(agent_id=vote.voter, target=vote.target, reason=vote.reason, counts=counts(state, vote))
            for vote in state.votes
        ),
        tally=dict(state.winner.tally if state.winner is not None else tally(state)),
        winner=state.winner.agent_id if state.winner is not None else None,
        decisions=tuple(state.pending),
        usage=spent.usage,
        cost_usd=_shown_cost(spent),
        budget=state.spec.budget,
        started_at=state.started_at,
        finished_at=finished.at if finished is not None else None,
        written=finished.written if finished is not None else (),
    )


def whole_answers(state: RunState) -> tuple[Answer, ...]:
    return tuple(
        Answer(
            answer_id=answer.answer_id,
            label=answer.label,
            agent_id=answer.agent_id,
            content=answer.content,
            files=answer.files,
            candidate=answer.candidate,
            checks=views(state, keys_of_answer(state, answer)),
            standing=answer_standing(state, answer),
            submitted_at=answer.submitted_at,
        )
        for answer in state.answers
    )


def phase(state: RunState) -> RunPhase:
    if state.finished is not None:
        return "finished"
    if state.winner is None:
        answering = "planning" if state.spec.planning_mode else "answering"
        if voting_is_on(state):
            return "checking" if _only_checks(state) else "voting"
        return answering
    if window_is_due(state):
        return "override"
    if is_presentation_due(state):
        return "presenting"
    if state.spec.planning_mode:
        return "planning" if state.planning.execution is None else "executing"
    if check_final(state) is not None:
        return "checking"
    return "presenting" if settle_changes(state) is None else "applying"


def _only_checks(state: RunState) -> bool:
    """Whether everybody waits for results."""
    return not is_evidence_in(state) and all(agent.attempt is None for agent in state.agents.values())


def _agent(state: RunState, agent: Agent, at_work: Spending) -> AgentView:
    vote = standing_vote(state, agent)
    spent = agent.spending + at_work
    return AgentView(
        agent_id=agent.agent_id,
        status=_status(agent, has_voted=vote is not None),
        attempt=agent.attempts,
        answers=agent.answers,
        voted_for=vote.target if vote is not None else None,
        usage=spent.usage,
        cost_usd=_shown_cost(spent),
        note=_note(state, agent),
    )


def _status(agent: Agent, *, has_voted: bool) -> AgentStatus:
    attempt = agent.attempt
    if attempt is not None and attempt.brought is None:
        return "presenting" if attempt.purpose == "present" else "working"
    if agent.standing == "failed":
        return "failed"
    if agent.standing == "timed_out":
        return "stopped"
    if agent.standing == "abstained":
        return "abstained"
    if has_voted:
        return "voted"
    return "waiting" if agent.latest is None else "answered"


def _note(state: RunState, agent: Agent) -> str | None:
    if any(decision.agent_id == agent.agent_id for decision in state.pending.values()):
        return "waits for you"
    if agent.standing == "timed_out":
        return "ran out of time"
    return agent.error


def _preview(state: RunState, answer: GivenAnswer) -> AnswerPreview:
    text = answer.content.strip()
    preview = text if len(text) <= _PREVIEW_LENGTH else text[: _PREVIEW_LENGTH - 1].rstrip() + "…"
    return AnswerPreview(
        answer_id=answer.answer_id,
        label=answer.label,
        agent_id=answer.agent_id,
        preview=preview,
        candidate=answer.candidate,
        checks=views(state, keys_of_answer(state, answer)),
        standing=answer_standing(state, answer),
    )


def _shown_cost(spent: Spending) -> float | None:
    return spent.cost_usd if spent.usage.calls else None


def view_queued(run: QueuedRun) -> RunView:
    finished = run.finished
    return RunView(
        run_id=run.run_id,
        task=run.spec.task,
        phase="queued" if finished is None else "finished",
        outcome=finished.outcome if finished is not None else None,
        agents=tuple(
            AgentView(agent_id=agent_id, status="waiting", attempt=0, answers=0, usage=Usage())
            for agent_id in run.spec.agents
        ),
        decisions=run.pending,
        budget=run.spec.budget,
        started_at=run.queued_at,
        finished_at=finished.at if finished is not None else None,
    )
