"""The run's last words: who writes them, if anybody needs to."""

from quorate.engine.commands import Present, StopAgent, Wanted
from quorate.engine.limits import has_run_out_of_tries
from quorate.engine.state import Agent, Attempt, RunState
from quorate.protocol.events import Seen, StopReason
from quorate.protocol.ids import AgentId


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
    rules = state.spec.coordination_overrides
    if state.winner is None or state.is_direct or rules.skip_final_presentation or state.presentation.done is not None:
        return False
    return rules.final_answer_strategy != "winner_reuse" or state.serves_writes


def next_presenter(state: RunState) -> Agent | None:
    """The winner; if it cannot, the next agent by votes that can."""
    if state.winner is None:
        return None
    at_work = next((agent for agent in state.agents.values() if agent.attempt is not None), None)
    if at_work is not None:
        return at_work
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
    )
