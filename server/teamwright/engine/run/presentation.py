"""After the vote: a person may choose another presenter, then the run's last words are written, where any are due."""

from teamwright.engine.run.answers import is_duplicate, is_same_change
from teamwright.engine.run.checking import falls_short
from teamwright.engine.run.commands import Present, RequestDecision, SelectWinner, StopAgent, Wanted
from teamwright.engine.run.evidence import answer_standing, keys_of_answer, views
from teamwright.engine.run.state import Agent, Attempt, GivenAnswer, Presented, RunState
from teamwright.engine.run.voting import candidates, has_run_out_of_tries
from teamwright.protocol.decisions import AnswerBrief, Choice, OverrideDetail
from teamwright.protocol.errors import BadParams, Conflict, FieldError, UserError
from teamwright.protocol.events import Seen, StopReason
from teamwright.protocol.ids import AgentId


def present(state: RunState) -> Wanted | None:
    if not is_presentation_due(state):
        return None
    presenter = next_presenter(state)
    if presenter is None:
        return None
    attempt = presenter.attempt
    if attempt is not None and (reason := _reason_to_stop(presenter, attempt)) is not None:
        return (StopAgent(presenter.agent_id, attempt.number, reason),)
    return (_presentation_by(state, presenter),)


def _reason_to_stop(presenter: Agent, attempt: Attempt) -> StopReason | None:
    if attempt.brought is not None:
        return attempt.brought
    if attempt.purpose != "present":
        return "superseded"
    if attempt.pressure == "over":
        return "timeout"
    return "abstained" if has_run_out_of_tries(presenter) else None


def is_presentation_due(state: RunState) -> bool:
    if state.winner is None or state.is_direct or state.spec.coordination_overrides.skip_final_presentation:
        return False
    if state.presentation.done is not None:
        return _is_to_be_mended(state, state.presentation.done)
    return not _is_reused(state)


def _is_reused(state: RunState) -> bool:
    """Whether the winner's answer is the result as it stands: nothing is missing in it, and nobody had more to say."""
    winner = state.agents[state.winner.agent_id].latest if state.winner is not None else None
    lacks_files = state.serves_writes and (winner is None or winner.candidate is None)
    is_wanted = state.spec.coordination_overrides.final_answer_strategy == "winner_reuse"
    return is_wanted and not lacks_files and not state.presenter_addressed


def _is_to_be_mended(state: RunState, presented: Presented) -> bool:
    """It is told once, where it can still do something about it."""
    is_told = state.presentation.short is not None
    return not is_told and falls_short(state) and _can_present(state, state.agents[presented.agent_id])


def may_still_present(state: RunState) -> bool:
    """Whether a person's word would reach a presenter: also one that has nothing to add so far."""
    if is_presentation_due(state):
        return True
    is_skipped = state.is_direct or state.spec.coordination_overrides.skip_final_presentation
    is_settled = state.presentation.done is not None or state.changes.proposed is not None
    return (
        state.winner is not None and not is_skipped and not is_settled and (window_is_due(state) or state.serves_writes)
    )


def next_presenter(state: RunState) -> Agent | None:
    """The winner; if it cannot, the next agent by votes that can."""
    if state.winner is None:
        return None
    at_work = next((agent for agent in state.agents.values() if agent.attempt is not None), None)
    if at_work is not None:
        return at_work
    again = state.presentation.done or state.presentation.short
    if again is not None:
        return state.agents[again.agent_id]
    votes, winner = state.winner.tally, state.winner.agent_id

    def rank(agent_id: AgentId) -> tuple[bool, int, bool]:
        return agent_id != winner, -votes.get(agent_id, 0), state.agents[agent_id].latest is None

    ranked = (state.agents[agent_id] for agent_id in sorted(state.agents, key=rank))
    return next((agent for agent in ranked if _can_present(state, agent)), None)


def _can_present(state: RunState, agent: Agent) -> bool:
    """Who abstained from the vote can still write."""
    return agent.standing in {"live", "abstained"} and agent.agent_id not in state.presentation.unable


def _presentation_by(state: RunState, agent: Agent) -> Present:
    attempt = agent.attempt
    return Present(
        agent_id=agent.agent_id,
        attempt=attempt.number if attempt is not None else agent.attempts + 1,
        strategy=state.spec.coordination_overrides.final_answer_strategy,
        tools=("submit_plan",) if state.spec.planning_mode else (),
        show=Seen(answers=len(state.answers), messages=max(agent.addressed, state.presenter_addressed)),
        pressure=attempt.pressure if attempt is not None else "none",
        writes=state.serves_writes,
        start_from=_start_of(state, agent),
        repairs=(state.presentation.done or state.presentation.short) is not None,
    )


def _start_of(state: RunState, presenter: Agent) -> str | None:
    presentation, winner = state.presentation, state.winner
    draft = presentation.draft if presentation.presenter == presenter.agent_id else None
    chosen = state.agents[winner.agent_id].latest if winner is not None else None
    start = draft or (chosen.candidate if chosen is not None else None)
    return None if start is None else start.change_set_id


def offer_override(state: RunState) -> Wanted | None:
    choice = state.override.choice
    if state.winner is None:
        return None
    if choice is not None and choice != state.winner.agent_id:
        return (SelectWinner(choice, state.winner.tally, "override"),)
    if not window_is_due(state):
        return None
    return () if state.is_pending("override") else (_question(state, state.winner.agent_id),)


def window_is_due(state: RunState) -> bool:
    policy = state.spec.coordination_overrides.override
    if policy == "off" or state.winner is None or state.override.closed:
        return False
    answers = _latest_answers(state)
    if policy == "ask":
        return len(answers) > 1
    first = answers[0].candidate.change_set_id if answers[0].candidate is not None else None
    return any(
        not is_duplicate(answers[0].content, answer.content) or not is_same_change(first, answer)
        for answer in answers[1:]
    )


def can_override(state: RunState, agent_id: AgentId | None) -> UserError | None:
    """Why not, for the one who asks. Without an agent, the vote is to stand now."""
    if not state.is_pending("override") or state.cancel_requested:
        return Conflict("The presenter can be chosen only after the vote and before the presentation.")
    if agent_id is None:
        return None
    votable = [candidate.agent_id for candidate in candidates(state)]
    if agent_id in votable:
        return None
    names = ", ".join(votable)
    return BadParams(
        [FieldError(path="agentId", message=f"{agent_id!r} has no answer to present; choose from {names}")]
    )


def _latest_answers(state: RunState) -> list[GivenAnswer]:
    return [agent.latest for agent in state.agents.values() if agent.latest is not None]


def _question(state: RunState, winner: AgentId) -> RequestDecision:
    answers = _latest_answers(state)
    others = [answer for answer in answers if answer.agent_id != winner]
    is_offer = state.spec.coordination_overrides.override == "offer"
    return RequestDecision(
        detail=OverrideDetail(answers=tuple(_brief(state, answer) for answer in answers)),
        title=f"{winner} was chosen to present. Choose another?",
        choices=(
            Choice(id="cancel", label=f"Let {winner} present"),
            *(Choice(id=answer.agent_id, label=f"Present {answer.agent_id}'s answer") for answer in others),
        ),
        expires_after=state.spec.coordination_overrides.override_seconds if is_offer else None,
    )


def _brief(state: RunState, answer: GivenAnswer) -> AnswerBrief:
    return AnswerBrief(
        answer_id=answer.answer_id,
        label=answer.label,
        agent_id=answer.agent_id,
        content=answer.content,
        candidate=answer.candidate,
        checks=views(state, keys_of_answer(state, answer)),
        standing=answer_standing(state, answer),
    )
