"""What checks say of answers: which results are in, how an answer stands against the workspace without it.

Everything here follows from facts. Who has not been checked is not called checked: its standing is None.
"""

from collections.abc import Iterator

from teamwright.engine.run.state import Agent, CheckKey, CheckProgress, GivenAnswer, RunState
from teamwright.protocol.checks import (
    Candidate,
    ChecksPolicy,
    CheckStanding,
    CheckSubject,
    CheckView,
    OfAnswer,
)

_NOTHING_YET = CheckProgress()
# What judges nobody: the workspace itself could not be checked.
_NO_MEASURE = frozenset({"timed_out", "error"})
# Who is not known to have broken anything goes before who has.
_RANKS: dict[CheckStanding | None, int] = {"green": 3, "no_worse": 2, None: 1, "broke": 0}


def is_checked(state: RunState) -> bool:
    """Whether the run's answers are checked at all."""
    return bool(state.spec.checks) and state.serves_writes


def policy_of(state: RunState) -> ChecksPolicy:
    """Nothing can be required where nothing can be run."""
    return state.spec.checks_policy if is_checked(state) else "inform"


def keys_of(state: RunState, of: CheckSubject, candidate: Candidate | None) -> tuple[CheckKey, ...]:
    """The checks that are run on a candidate. One that it cannot make a difference to tells what the base's told."""
    if not is_checked(state) or (of != "base" and candidate is None):
        return ()
    change_set_id = None if candidate is None else candidate.change_set_id
    return tuple(CheckKey(of, check.name, change_set_id) for check in state.spec.checks)


def keys_of_answer(state: RunState, answer: GivenAnswer) -> tuple[CheckKey, ...]:
    """None of a lone agent that just answers: its candidate is the result, and is checked as that."""
    return () if state.is_direct else keys_of(state, OfAnswer(answer_id=answer.answer_id), answer.candidate)


def progress(state: RunState, key: CheckKey) -> CheckProgress:
    return state.checks.get(key, _NOTHING_YET)


def is_settled(state: RunState, keys: tuple[CheckKey, ...]) -> bool:
    """Whether nobody needs to wait for these any more: all is known of them, or they have taken too long."""
    return all(key.of in state.checks_waited or is_known(state, key) for key in keys)


def is_known(state: RunState, key: CheckKey) -> bool:
    """With the comparison, where there is something to compare with."""
    own = progress(state, key)
    return own.result is not None and (key.of == "base" or own.compared is not None or not can_compare(state, key))


def can_compare(state: RunState, key: CheckKey) -> bool:
    base = progress(state, CheckKey("base", key.name)).result
    return base is not None and base.outcome not in _NO_MEASURE


def base_keys(state: RunState) -> tuple[CheckKey, ...]:
    return keys_of(state, "base", None)


def answer_is_settled(state: RunState, answer: GivenAnswer) -> bool:
    return is_settled(state, keys_of_answer(state, answer))


def is_evidence_in(state: RunState, since: int = 0) -> bool:
    """Of the base, and of all answers from that one on."""
    if not is_checked(state):
        return True
    return is_settled(state, base_keys(state)) and all(
        answer_is_settled(state, answer) for answer in state.answers[since:]
    )


def shown_answers(state: RunState, seen: int) -> int:
    """How many an agent may be shown by now: up to the first whose results are still to come."""
    if not is_evidence_in(state, len(state.answers)):
        return seen
    unsettled = (
        number
        for number, answer in enumerate(state.answers[seen:], seen)
        if is_checked(state) and not answer_is_settled(state, answer)
    )
    return next(unsettled, len(state.answers))


# Standing


def standing(state: RunState, of: CheckSubject, candidate: Candidate | None) -> CheckStanding | None:
    """None where nothing, or too little, is known. Without a candidate it is as the workspace is."""
    if not is_checked(state):
        return None
    names = [check.name for check in state.spec.checks]
    judged = [_judged(state, name, of, candidate) for name in names if not _judges_nobody(state, name)]
    if not judged:
        return None
    if "broke" in judged:
        return "broke"
    if None in judged:
        return None
    return "green" if all(each == "green" for each in judged) else "no_worse"


def _judges_nobody(state: RunState, name: str) -> bool:
    base = progress(state, CheckKey("base", name)).result
    return base is not None and base.outcome in _NO_MEASURE


def _judged(state: RunState, name: str, of: CheckSubject, candidate: Candidate | None) -> CheckStanding | None:
    if candidate is None:
        base = progress(state, CheckKey("base", name)).result
        return None if base is None else "green" if base.outcome == "passed" else "no_worse"
    own = progress(state, CheckKey(of, name, candidate.change_set_id))
    if own.result is None or own.compared is None:
        return None
    if own.compared.broke_count:
        return "broke"
    return "green" if own.passed and not own.compared.not_fixed else "no_worse"


def answer_standing(state: RunState, answer: GivenAnswer) -> CheckStanding | None:
    return standing(state, OfAnswer(answer_id=answer.answer_id), answer.candidate)


def agent_standing(state: RunState, agent: Agent) -> CheckStanding | None:
    return None if agent.latest is None else answer_standing(state, agent.latest)


def broken_by(state: RunState, answer: GivenAnswer) -> int:
    return sum(
        compared.broke_count
        for key in keys_of_answer(state, answer)
        if (compared := progress(state, key).compared) is not None
    )


def rank(of: CheckStanding | None) -> int:
    return _RANKS[of]


# What there is to see


def views(state: RunState, keys: tuple[CheckKey, ...]) -> tuple[CheckView, ...]:
    return tuple(_views(state, keys))


def _views(state: RunState, keys: tuple[CheckKey, ...]) -> Iterator[CheckView]:
    for key in keys:
        at = progress(state, key)
        if at.is_running and state.finished is None:
            yield CheckView(name=key.name, outcome="running")
        elif at.result is not None:
            broke = None if at.compared is None else at.compared.broke_count
            yield CheckView(name=key.name, outcome=at.result.outcome, tests=at.result.tests, broke=broke)
