"""The window between the vote and the presentation in which a person may choose another presenter."""

from quorate.engine.commands import RequestDecision, SelectWinner, Wanted
from quorate.engine.similarity import is_duplicate
from quorate.engine.state import GivenAnswer, RunState
from quorate.engine.voting import candidates
from quorate.protocol.decisions import AnswerBrief, Choice, OverrideDetail
from quorate.protocol.errors import BadParams, Conflict, FieldError, UserError
from quorate.protocol.ids import AgentId

OFFER_SECONDS = 5.0


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
    return any(not is_duplicate(answers[0].content, answer.content) for answer in answers[1:])


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
        detail=OverrideDetail(answers=tuple(_brief(answer) for answer in answers)),
        title=f"{winner} was chosen to present. Choose another?",
        choices=(
            Choice(id="cancel", label=f"Let {winner} present"),
            *(Choice(id=answer.agent_id, label=f"Present {answer.agent_id}'s answer") for answer in others),
        ),
        expires_after=OFFER_SECONDS if is_offer else None,
    )


def _brief(answer: GivenAnswer) -> AnswerBrief:
    return AnswerBrief(answer_id=answer.answer_id, label=answer.label, agent_id=answer.agent_id, content=answer.content)
