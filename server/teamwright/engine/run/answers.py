"""Answers: what agents call them and each other, how alike two are, and which one a run hands back."""

import re

from teamwright.engine.run.planning import plan_as_text
from teamwright.engine.run.state import GivenAnswer, RunState
from teamwright.engine.run.voting import choose, tally
from teamwright.protocol.ids import AgentId
from teamwright.protocol.runs import ResolvedRunSpec, Strictness
from teamwright.protocol.views import RunResult


def alias(spec: ResolvedRunSpec, agent_id: AgentId) -> str:
    return f"agent{spec.agents.index(agent_id) + 1}"


def agent_called(spec: ResolvedRunSpec, name: str) -> AgentId | None:
    return next((agent_id for agent_id in spec.agents if alias(spec, agent_id) == name), None)


def answer_label(spec: ResolvedRunSpec, agent_id: AgentId, number: int) -> str:
    return f"{alias(spec, agent_id)}.{number}"


# The share of words in common from which on an answer is no news.
_TOO_ALIKE: dict[Strictness, float | None] = {"lenient": None, "balanced": 0.7, "strict": 0.5}


def is_duplicate(one: str, other: str) -> bool:
    return one.split() == other.split()


def is_same_change(one: str | None, other: GivenAnswer) -> bool:
    """Whether both change the same files to the same bytes, or none at all."""
    return one == (other.candidate.change_set_id if other.candidate is not None else None)


def is_too_alike(one: str, other: str, requirement: Strictness) -> bool:
    most = _TOO_ALIKE[requirement]
    if most is None:
        return False
    return likeness(one, other) > most


def likeness(one: str, other: str) -> float:
    """The share of words that both have, of all that either has."""
    words, others = _words(one), _words(other)
    return len(words & others) / len(words | others) if words else 0.0


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def best_answer(state: RunState) -> GivenAnswer | None:
    chosen = state.winner or choose(state, tally(state))
    return state.agents[chosen.agent_id].latest if chosen is not None else None


def result_of(state: RunState) -> RunResult | None:
    """The best there is: the plan, the presentation, the best answer so far; of a lone agent what it had written."""
    answer, presented = best_answer(state), state.presentation.done or state.presentation.short
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
