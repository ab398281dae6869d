"""Which checks a run wants run and compared now, and what it proposes in the end, with the checks of exactly that."""

from collections.abc import Iterator
from dataclasses import dataclass

from teamwright.engine.run.answers import best_answer
from teamwright.engine.run.commands import ArmTimer, CompareCheck, RunCheck, Wanted
from teamwright.engine.run.evidence import (
    answer_standing,
    base_keys,
    can_compare,
    is_checked,
    is_settled,
    keys_of,
    keys_of_answer,
    policy_of,
    progress,
    rank,
    standing,
)
from teamwright.engine.run.state import CheckKey, RunState
from teamwright.protocol.checks import Candidate, CheckSubject
from teamwright.protocol.ids import AgentId


@dataclass(frozen=True, slots=True)
class Final:
    """What the run wants to change in the end, and by whose hand."""

    agent_id: AgentId
    candidate: Candidate | None
    notice: str | None = None


def final_of(state: RunState) -> Final | None:
    """What was presented, or the winner's own where nothing is; None before either is known."""
    if state.winner is None or not state.serves_writes:
        return None
    winner = state.agents[state.winner.agent_id].latest
    presented = state.presentation.done
    if presented is None:
        return None if winner is None else Final(winner.agent_id, winner.candidate)
    if winner is not None and policy_of(state) == "require" and falls_short(state):
        notice = "What was presented breaks what the winner's own changes do not, so these are proposed instead."
        return Final(winner.agent_id, winner.candidate, notice)
    return Final(presented.agent_id, presented.candidate)


def falls_short(state: RunState) -> bool:
    """Whether what was presented stands lower than the winner's own, both being known."""
    presented = state.presentation.done
    winner = state.agents[state.winner.agent_id].latest if state.winner is not None else None
    if presented is None or winner is None or winner.candidate is None:
        return False
    own, given = answer_standing(state, winner), standing(state, "final", presented.candidate)
    return own is not None and given is not None and rank(given) < rank(own)


def final_keys(state: RunState) -> tuple[CheckKey, ...]:
    final = final_of(state)
    return () if final is None else keys_of(state, "final", final.candidate)


def is_final_settled(state: RunState) -> bool:
    return is_settled(state, final_keys(state))


def check_final(state: RunState) -> Wanted | None:
    """What is proposed is checked first, the base it is compared with included."""
    if not is_checked(state) or state.changes.proposed is not None or state.changes.settled is not None:
        return None
    return None if is_final_settled(state) and is_settled(state, base_keys(state)) else ()


def wanted_checks(state: RunState, *, is_open: bool, is_presenting: bool) -> Iterator[RunCheck | CompareCheck]:
    """Beside everything else. Once it is settled who has won (no longer open) only what is about that."""
    for key in _keys_wanted(state, is_open=is_open, is_presenting=is_presenting):
        at = progress(state, key)
        if at.result is None:
            yield RunCheck(key.of, key.name, key.change_set_id)
        elif key.of != "base" and at.compared is None and can_compare(state, key):
            yield CompareCheck(key.of, key.name, key.change_set_id)


def _keys_wanted(state: RunState, *, is_open: bool, is_presenting: bool) -> Iterator[CheckKey]:
    if not is_checked(state):
        return
    yield from base_keys(state)
    best = best_answer(state)
    for answer in state.answers:
        if is_open or answer is best:
            yield from keys_of_answer(state, answer)
    if not is_presenting and not is_open:
        yield from final_keys(state)


def check_timers(state: RunState) -> Iterator[ArmTimer]:
    """How long anybody waits for results that do not come."""
    if not is_checked(state):
        return
    seconds = state.spec.checks_wait_seconds

    def waiting(of: CheckSubject, keys: tuple[CheckKey, ...]) -> bool:
        return of not in state.checks_waited and not is_settled(state, keys)

    base = base_keys(state)
    if waiting("base", base):
        yield ArmTimer("checks_wait", state.clock.due_at(state.started_at, seconds), of="base")
    if state.winner is None:
        for answer in state.answers:
            keys = keys_of_answer(state, answer)
            if keys and waiting(keys[0].of, keys):
                yield ArmTimer("checks_wait", state.clock.due_at(answer.given, seconds), of=keys[0].of)
    elif state.presentation.since is not None and waiting("final", final_keys(state)):
        yield ArmTimer("checks_wait", state.clock.due_at(state.presentation.since, seconds), of="final")
