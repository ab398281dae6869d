"""Runs of all kinds in a world where everything that can happen does. A failure prints how to play it again."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quorate.engine.commands import Deliberate, Present, StopAgent
from quorate.engine.decide import decide
from quorate.engine.limits import global_cap_met
from quorate.engine.reduce import fold
from quorate.engine.state import RunState
from quorate.engine.view import view
from quorate.engine.voting import counts, tally
from quorate.protocol.events import (
    AgentInformed,
    AgentStarted,
    AnswerSubmitted,
    MessageShared,
    RunFinished,
    Seen,
    VoteCast,
)
from quorate.protocol.ids import AgentId
from quorate.protocol.records import EventRecord
from quorate.protocol.runs import ResolvedRunSpec
from quorate.protocol.usage import Budget
from tests.engine.chance import Chance, Drawn, Seeded, one_of
from tests.engine.simulation import Luck, Simulation
from tests.engine.story import spec

MOST_STEPS = 1500
SEEDS = st.integers(0, 2**64 - 1)


def profile(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def any_spec(chance: Chance) -> ResolvedRunSpec:
    agents = "a b c d e"[: 1 + 2 * chance.below(5)]
    changes: dict[str, Any] = {
        "refinement": bool(chance.below(4)),
        "planning_mode": not chance.below(4),
        "execute_after_planning": not chance.below(2),
        "writes": not chance.below(3),
        "budget": Budget(usd=1, seconds=60) if not chance.below(3) else None,
        "max_new_answers_per_agent": 1 + chance.below(3),
        "max_new_answers_global": 1 + chance.below(6) if not chance.below(3) else None,
        "answer_novelty_requirement": one_of(chance, ("lenient", "balanced", "strict")),
        "fairness_lead_cap_answers": 1 + chance.below(2),
        "final_answer_strategy": one_of(chance, ("winner_reuse", "winner_present", "synthesize")),
        "override": one_of(chance, ("ask", "offer", "off")),
        "initial_round_timeout_seconds": one_of(chance, (None, 30)),
        "subsequent_round_timeout_seconds": one_of(chance, (None, 30)),
    }
    for name in ("defer_voting_until_all_answered", "disable_injection", "skip_voting", "skip_final_presentation"):
        changes[name] = not chance.below(5)
    return spec(agents, **changes)


def any_luck(chance: Chance) -> Luck:
    return Luck(
        trouble=one_of(chance, (1, 1, 2, 5)),
        words=chance.below(3),
        restarts=chance.below(4),
        cancels=1 if not chance.below(3) else 0,
        budgets=chance.below(3),
    )


def play_any(chance: Chance) -> Simulation:
    autonomy = one_of(chance, ("hitl", "hitl", "autonomous"))
    apply_changes = one_of(chance, ("ask", "auto"))
    return play(Simulation(chance, any_spec(chance), any_luck(chance), autonomy=autonomy, apply_changes=apply_changes))


class Witness:
    """Counts votes from the log by the plainest means: who had seen every answer, and every word meant for them."""

    def __init__(self) -> None:
        self._read = 0
        self._answers = 0
        self._messages = 0
        self._shown: dict[AgentId, Seen] = {}
        self._meant: dict[AgentId, int] = {}
        self._last: dict[AgentId, tuple[AgentId, Seen]] = {}

    def standing_votes(self, log: list[EventRecord]) -> dict[AgentId, AgentId]:
        for record in log[self._read :]:
            self._hear(record)
        self._read = len(log)
        return {
            voter: target
            for voter, (target, shown) in self._last.items()
            if shown.answers == self._answers and shown.messages >= self._meant.get(voter, 0)
        }

    def _hear(self, record: EventRecord) -> None:
        agent = record.agent_id or AgentId("nobody")
        match record.event:
            case AgentStarted(seen=seen) | AgentInformed(seen=seen):
                self._shown[agent] = seen or Seen()
            case AnswerSubmitted():
                self._answers += 1
            case MessageShared(to=to):
                self._messages += 1
                self._meant |= dict.fromkeys(to, self._messages)
            case VoteCast(target=target):
                self._last[agent] = (target, self._shown[agent])
            case _:
                pass


def play(simulation: Simulation) -> Simulation:
    witness = Witness()
    simulation.play(MOST_STEPS, lambda: inspect(simulation, witness))
    judge_the_end(simulation)
    return simulation


def inspect(simulation: Simulation, witness: Witness) -> None:
    """What holds at every moment."""
    state = simulation.state
    wanted = simulation.wanted
    works = [command for command in wanted if isinstance(command, Deliberate | Present)]
    assert len({work.agent_id for work in works}) == len(works)
    assert sum(isinstance(work, Present) for work in works) <= 1
    if state.winner is not None:
        assert state.agents[state.winner.agent_id].latest is not None
        return
    votes = witness.standing_votes(simulation.log)
    assert {vote.voter: vote.target for vote in state.votes if counts(state, vote)} == votes
    assert sum(tally(state).values()) == len(votes)
    if not is_cut_short(state) and not global_cap_met(state):
        superseded = [c.agent_id for c in wanted if isinstance(c, StopAgent) and c.reason == "superseded"]
        assert all(state.agents[agent_id].latest is not None for agent_id in superseded)


def is_cut_short(state: RunState) -> bool:
    return state.cancel_requested or state.timed_out or state.budget.refused or state.budget.reached is not None


def judge_the_end(simulation: Simulation) -> None:
    state, log = simulation.state, simulation.log
    assert decide(state) == ()
    seen = view(state)
    assert (seen.phase, seen.finished_at) == ("finished", log[-1].at)
    finish = log[-1].event
    assert isinstance(finish, RunFinished)
    if state.answers:
        assert finish.result is not None
        assert finish.outcome != "failed" or state.planning.execution is not None
    elif finish.outcome == "completed":
        raise AssertionError("nothing was answered, yet the run is complete")


@profile(1500)
@given(SEEDS)
def test_every_run_ends_and_keeps_its_promises(seed: int) -> None:
    play_any(Seeded(seed))


@profile(100)
@given(st.data())
def test_every_run_ends_however_its_course_is_drawn(data: st.DataObject) -> None:
    play_any(Drawn(data))


@profile(100)
@given(SEEDS, st.integers(0, 10_000))
def test_a_log_folded_in_two_parts_is_the_same_run(seed: int, cut: int) -> None:
    log = play_any(Seeded(seed)).log
    middle = cut % (len(log) + 1)
    assert fold(log[middle:], fold(log[:middle])) == fold(log)


@profile(150)
@given(SEEDS, st.integers(2, 6))
def test_when_all_goes_well_no_call_is_made_that_is_not_needed(seed: int, size: int) -> None:
    luck = Luck(trouble=0, words=0, restarts=0, cancels=0, budgets=0)
    played = play(Simulation(Seeded(seed), spec(" ".join("abcdef"[:size])), luck))
    assert (played.calls, view(played.state).outcome) == (2 * size + 1, "completed")


@pytest.mark.slow
@profile(100_000)
@given(SEEDS)
def test_every_run_ends_and_keeps_its_promises_for_a_long_time(seed: int) -> None:
    play_any(Seeded(seed))


@pytest.mark.slow
@profile(2_000)
@given(st.data())
def test_every_run_ends_however_its_course_is_drawn_for_a_long_time(data: st.DataObject) -> None:
    play_any(Drawn(data))
