"""The machine stays cheap with many agents: counted in calls, not in seconds, so that a busy computer is no excuse."""

import sys
from types import FrameType

from teamwright.engine.run.decide import decide
from teamwright.engine.run.reduce import reduce
from teamwright.engine.run.state import Run
from teamwright.protocol.records import EventRecord
from tests.engine.chance import Seeded
from tests.engine.simulation import Luck, Simulation
from tests.engine.story import spec


def log_of(size: int) -> list[EventRecord]:
    luck = Luck(trouble=1, words=2, restarts=0, cancels=0, budgets=0)
    agents = " ".join(f"agent-{number}" for number in range(size))
    simulation = Simulation(Seeded(7), spec(agents), luck)
    simulation.play(100_000, lambda: None)
    return simulation.log


def calls_per_fact(log: list[EventRecord]) -> float:
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before, run = sys.getprofile(), None
    sys.setprofile(count)
    try:
        run = _played(log)
    finally:
        sys.setprofile(before)
    assert run is not None
    assert run.finished is not None
    return calls / len(log)


def _played(log: list[EventRecord]) -> Run | None:
    run: Run | None = None
    for record in log:
        run = reduce(run, record)
        if run is not None:
            decide(run)
    return run


def test_a_fact_of_a_run_of_fifty_agents_costs_no_more_than_in_proportion() -> None:
    assert calls_per_fact(log_of(50)) < 1.5 * 5 * calls_per_fact(log_of(10))
