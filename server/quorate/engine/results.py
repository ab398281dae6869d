"""What a run hands back, whole or cut short."""

from quorate.engine.plans import plan_as_text
from quorate.engine.state import GivenAnswer, RunState
from quorate.engine.voting import leader, tally
from quorate.protocol.views import RunResult


def best_answer(state: RunState) -> GivenAnswer | None:
    chosen = state.winner.agent_id if state.winner is not None else leader(state, tally(state))
    return state.agents[chosen].latest if chosen is not None else None


def result_of(state: RunState) -> RunResult | None:
    """The best there is: the plan, the presentation, the best answer so far; of a lone agent what it had written."""
    answer, presented = best_answer(state), state.presentation.done
    if state.planning.plan is not None:
        author = presented or answer
        text = plan_as_text(state.planning.plan)
        return None if author is None else RunResult(text=text, agent_id=author.agent_id, strategy="plan")
    if presented is not None:
        strategy = state.spec.coordination_overrides.final_answer_strategy
        return RunResult(text=presented.text, agent_id=presented.agent_id, strategy=strategy)
    if answer is not None:
        strategy = "best_answer" if state.winner is None or state.winner.by == "timeout" else "winner_reuse"
        return RunResult(text=answer.content, agent_id=answer.agent_id, strategy=strategy)
    talker = next((agent for agent in state.agents.values() if agent.text and state.is_direct), None)
    return None if talker is None else RunResult(text=talker.text, agent_id=talker.agent_id, strategy="partial")
