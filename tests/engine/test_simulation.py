"""Runs of all kinds in a world where everything that can happen does. A failure prints how to play it again."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teamwright.engine.run.commands import Deliberate, Present, StopAgent
from teamwright.engine.run.decide import decide
from teamwright.engine.run.reduce import fold
from teamwright.engine.run.state import RunState
from teamwright.engine.run.view import view
from teamwright.engine.run.voting import counts, global_cap_met, tally
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.events import (
    AgentInformed,
    AgentStarted,
    AnswerSubmitted,
    CheckFinished,
    MessageShared,
    RunFinished,
    Seen,
    VoteCast,
)
from teamwright.protocol.ids import AgentId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.runs import ResolvedRunSpec
from teamwright.protocol.usage import Budget
from tests.engine.chance import Chance, Drawn, Seeded, one_of
from tests.engine.simulation import Luck, Simulation
from tests.engine.story import spec

MOST_STEPS = 1500
CHECKS = (
    CheckDefinition(name="tests", argv=("pytest",), source="user"),
    CheckDefinition(name="docs", argv=("make",), paths=("docs",), source="user"),
)
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
        "writes": bool(chance.below(2)),
        "budget": Budget(usd=1, seconds=60) if not chance.below(3) else None,
        "max_new_answers_per_agent": 1 + chance.below(3),
        "max_new_answers_global": 1 + chance.below(6) if not chance.below(3) else None,
        "answer_novelty_requirement": one_of(chance, ("lenient", "balanced", "strict")),
        "fairness_lead_cap_answers": 1 + chance.below(2),
        "final_answer_strategy": one_of(chance, ("winner_reuse", "winner_present", "synthesize")),
        "override": one_of(chance, ("ask", "offer", "off")),
        "initial_round_timeout_seconds": one_of(chance, (None, 30)),
        "subsequent_round_timeout_seconds": one_of(chance, (None, 30)),
        "checks": one_of(chance, ((), CHECKS[:1], CHECKS)),
        "checks_policy": one_of(chance, ("prefer", "require", "inform")),
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
        checks=one_of(chance, (100, 5, 0)),
    )


def play_any(chance: Chance) -> Simulation:
    autonomy = one_of(chance, ("hitl", "hitl", "autonomous"))
    consents = {"apply_changes": one_of(chance, ("ask", "auto")), "execute_plan": one_of(chance, ("ask", "auto"))}
    return play(Simulation(chance, any_spec(chance), any_luck(chance), autonomy=autonomy, **consents))


class VoteObserver:
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
            case MessageShared(to=to, part=None):
                self._messages += 1
                self._meant |= dict.fromkeys(to, self._messages)
            case VoteCast(target=target):
                self._last[agent] = (target, self._shown[agent])
            case _:
                pass


class CheckObserver:
    """Which bytes were checked, by the log alone."""

    def __init__(self) -> None:
        self._read = 0
        self._finished: set[tuple[str, str, str | None]] = set()

    def finished(self, log: list[EventRecord]) -> set[tuple[str, str, str | None]]:
        for record in log[self._read :]:
            if isinstance(record.event, CheckFinished):
                of = record.event.of
                subject = of if isinstance(of, str) else of.answer_id
                self._finished.add((subject, record.event.name, record.event.change_set_id))
        self._read = len(log)
        return self._finished


def inspect_evidence(simulation: Simulation, observer: CheckObserver) -> None:
    """Nothing is called checked of which the log does not say so, for exactly these bytes."""
    state, seen = simulation.state, view(simulation.state)
    finished = observer.finished(simulation.log)
    for answer in seen.answers:
        changes = None if answer.candidate is None else answer.candidate.change_set_id
        told = {check.name for check in answer.checks if check.outcome != "running"}
        assert all((answer.answer_id, name, changes) in finished for name in told)
        if answer.standing is not None:
            subject = "base" if changes is None else answer.answer_id
            assert (subject, "tests", changes) in finished or ("base", "docs", None) in finished
            assert state.serves_writes
    proposed = state.changes.change_set_id
    if proposed is not None and state.finished is None and not is_cut_short(state):
        told = {check.name for check in seen.checks.final if check.outcome != "running"}
        assert all(("final", name, proposed) in finished for name in told)


def play(simulation: Simulation) -> Simulation:
    observer, checks = VoteObserver(), CheckObserver()

    def look() -> None:
        inspect_evidence(simulation, checks)
        inspect(simulation, observer)

    simulation.play(MOST_STEPS, look)
    judge_the_end(simulation)
    return simulation


def inspect(simulation: Simulation, observer: VoteObserver) -> None:
    """What holds at every moment."""
    state = simulation.state
    wanted = simulation.wanted
    works = [command for command in wanted if isinstance(command, Deliberate | Present)]
    assert len({work.agent_id for work in works}) == len(works)
    assert sum(isinstance(work, Present) for work in works) <= 1
    if state.winner is not None:
        assert state.agents[state.winner.agent_id].latest is not None
        return
    votes = observer.standing_votes(simulation.log)
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


@profile(2000)
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


@profile(150)
@given(SEEDS, st.integers(2, 5), st.sampled_from(["winner_reuse", "winner_present"]))
def test_evidence_costs_no_model_call(seed: int, size: int, strategy: str) -> None:
    """With a candidate the winner's answer is the result as it stands: 6 calls of three agents."""
    luck = Luck(trouble=0, words=0, restarts=0, cancels=0, budgets=0)
    run = spec(" ".join("abcde"[:size]), writes=True, checks=CHECKS, final_answer_strategy=strategy)
    played = play(Simulation(Seeded(seed), run, luck))
    presentation = int(strategy == "winner_present")
    assert (played.calls, view(played.state).outcome) == (2 * size + presentation, "completed")


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
