"""Where tokens, money and time went: by what attempts were for."""

from collections.abc import Iterator
from typing import Final

from teamwright.engine.analysis.history import PastRun
from teamwright.engine.spending import NOTHING_SPENT
from teamwright.protocol.transcript import Tone
from teamwright.protocol.views import RunStage, StageUse

# In the order in which a run goes through them; with the colour that each has in the picture.
STAGES: Final[dict[RunStage, tuple[str, Tone]]] = {
    "planning": ("planning", "busy"),
    "answering": ("answering", "busy"),
    "refining": ("refining", "accent"),
    "voting": ("voting", "idle"),
    "presenting": ("presenting", "ok"),
    "unused": ("without a result", "warn"),
}


def stage_uses(past: PastRun) -> Iterator[StageUse]:
    for stage, (label, _) in STAGES.items():
        attempts = [attempt for attempt in past.history.attempts if attempt.stage == stage]
        if attempts:
            spent = sum((attempt.spending for attempt in attempts), NOTHING_SPENT)
            seconds = sum(past.duration(attempt) for attempt in attempts)
            yield StageUse(stage=stage, label=label, usage=spent.usage, cost_usd=spent.cost_usd, seconds=seconds)
