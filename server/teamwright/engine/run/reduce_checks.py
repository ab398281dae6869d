"""What checks have come to."""

from dataclasses import replace
from typing import assert_never

from teamwright.engine.run.state import CheckKey, CheckProgress, KnownComparison, KnownResult, RunState
from teamwright.protocol.events import CheckCompared, CheckFinished, CheckStarted

CheckFact = CheckStarted | CheckFinished | CheckCompared


def reduce_check(state: RunState, event: CheckFact) -> RunState:
    key = CheckKey(event.of, event.name, event.change_set_id)
    before = state.checks.get(key, CheckProgress())
    match event:
        case CheckStarted():
            after = replace(before, is_running=True)
        case CheckFinished():
            result = KnownResult(event.outcome, event.tests, event.failures, event.tree)
            # Compared anew: it may be the same bytes on another workspace.
            after = CheckProgress(result=result)
        case CheckCompared():
            after = replace(
                before, compared=KnownComparison(event.broke, event.broke_count, event.not_fixed, event.flaky)
            )
        case _:
            assert_never(event)
    state = replace(state, checks={**state.checks, key: after})
    if isinstance(event, CheckFinished) and event.of == "final" and key.change_set_id == state.changes.change_set_id:
        # Checked once more, on the workspace as it is by now.
        return replace(state, changes=replace(state.changes, moved=False))
    return state
