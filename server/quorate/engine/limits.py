"""How many answers a run takes, and from whom."""

from quorate.engine.state import Agent, RunState

MAX_STEPS_PER_ATTEMPT = 50
MISSTEPS_UNTIL_ABSTAINING = 3


def global_cap_met(state: RunState) -> bool:
    cap = state.spec.coordination_overrides.max_new_answers_global
    return cap is not None and len(state.answers) >= cap


def own_cap_met(state: RunState, agent: Agent) -> bool:
    return agent.answers >= state.spec.coordination_overrides.max_new_answers_per_agent


def may_answer_again(state: RunState, agent: Agent) -> bool:
    return not own_cap_met(state, agent) and not global_cap_met(state)


def is_too_far_ahead(state: RunState, agent: Agent) -> bool:
    """Whether one more answer would put the agent further ahead of a live peer than is fair."""
    rules = state.spec.coordination_overrides
    fewest = min((peer.answers for peer in state.agents.values() if peer.standing == "live"), default=agent.answers)
    return rules.fairness_enabled and agent.answers + 1 - fewest > rules.fairness_lead_cap_answers


def has_run_out_of_tries(agent: Agent) -> bool:
    attempt = agent.attempt
    return attempt is not None and max(attempt.plain_texts, attempt.mistakes) >= MISSTEPS_UNTIL_ABSTAINING
