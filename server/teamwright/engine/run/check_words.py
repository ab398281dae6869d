"""What checks say, in words for those who judge answers by them."""

from teamwright.engine.run.checking import final_of
from teamwright.engine.run.evidence import base_keys, is_checked, keys_of, keys_of_answer, progress
from teamwright.engine.run.state import CheckKey, CheckProgress, GivenAnswer, RunState

_MOST_NAMES = 10


def answer_words(state: RunState, answer: GivenAnswer) -> str:
    """Nothing where nothing is checked, or the answer changes nothing."""
    if not is_checked(state) or answer.candidate is None:
        return ""
    told = _told(state, keys_of_answer(state, answer))
    return f"{told} It changes its own checks." if answer.candidate.changes_own_checks else told


def base_words(state: RunState) -> str:
    return _told(state, base_keys(state)) if is_checked(state) else ""


def final_words(state: RunState) -> str:
    """Of what was presented last."""
    presented = state.presentation.done or state.presentation.short
    final = final_of(state)
    candidate = presented.candidate if presented is not None else final.candidate if final is not None else None
    return _told(state, keys_of(state, "final", candidate))


def _told(state: RunState, keys: tuple[CheckKey, ...]) -> str:
    return " ".join(f"{key.name}: {_words(progress(state, key))}." for key in keys) or "none applies."


def _words(at: CheckProgress) -> str:
    if at.result is None:
        return "no result yet"
    match at.result.outcome:
        case "timed_out":
            told = "timed out"
        case "error":
            told = "could not be run"
        case "passed" | "failed" as outcome:
            told = outcome
    if at.result.tests is not None:
        counts = at.result.tests
        skipped = f", {counts.skipped} skipped" if counts.skipped else ""
        told += f" ({counts.passed} passed, {counts.failed} failed{skipped})"
    if at.result.failures:
        told += f"; failing: {_named(tuple(failure.name for failure in at.result.failures))}"
    return told + _compared(at)


def _compared(at: CheckProgress) -> str:
    if at.compared is None:
        return ""
    told = ""
    if at.compared.broke_count:
        told += f"; broke {at.compared.broke_count} that passed without it: {_named(at.compared.broke)}"
    if at.compared.not_fixed:
        told += f"; {at.compared.not_fixed} that failed without it no longer reported, which does not count as mended"
    if at.compared.flaky:
        told += f"; varies by itself: {_named(at.compared.flaky)}"
    return told


def _named(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown} and {len(names) - _MOST_NAMES} more"
