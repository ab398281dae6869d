"""Three agents that write, and a check: the run takes hardly longer than its models' answers and the check between.

The check takes as long as the log says, from its start to its result: setting up its copy and shutting it in included.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from statistics import median
from typing import Final

from tests.bench.run_stage import Stage, on_stage
from tests.runtime.lines import TEAM, votes
from tests.support.lsp_client import Json
from tests.support.model_server import Answer, ModelServer, Request, calls, tool

ROUNDS: Final = 7
LIMIT: Final = 1.05
SECONDS: Final = 1.0
EXTRA: Final = (
    "checks: [{name: slow, argv: [sleep, '1']}]\n"
    "orchestrator: {final_answer_strategy: winner_reuse, interactive_mode: {apply_changes: auto}}\n"
)


def script(models: ModelServer, turn: Callable[[], int]) -> None:
    """All make the same change, so that one check is between the answers and the votes."""
    for name in TEAM:

        def reply(request: Request, name: str = name) -> Answer:
            if "vote" in request.tool_names:
                return votes("agent1").after(SECONDS)
            made = tool("write_file", path="note.txt", content=f"Made in turn {turn()}.\n")
            return calls(made, tool("new_answer", content=f"{name} says so, and {name} alone.")).after(SECONDS)

        models.model(name).always(reply)


def _at(record: Json) -> datetime:
    return datetime.fromisoformat(record["at"])


async def ratio(stage: Stage) -> float:
    started, finished = await stage.run(contextPaths=[{"path": ".", "permission": "write"}])
    facts = [each for each in stage.client.events if each.get("runId") == started["runId"]]
    answered = max(_at(each) for each in facts if each["event"]["type"] == "answer.submitted")
    known = [each for each in facts if each["event"]["type"] == "check.finished" and each["event"]["of"] != "final"]
    waited = max(0.0, (max(map(_at, known)) - answered).total_seconds())
    whole = (_at(finished) - _at(started)).total_seconds()
    return whole / (2 * SECONDS + waited)


async def measure() -> tuple[float, int]:
    turn = asked = 0
    with ModelServer() as models:
        script(models, lambda: turn)
        async with on_stage(models, TEAM, files=100, extra=EXTRA) as stage:
            ratios: list[float] = []
            for turn in range(ROUNDS):  # noqa: B007 - the script looks at it
                asked = len(models.requests)
                ratios.append(await ratio(stage))
        return median(ratios), len(models.requests) - asked


def main() -> bool:
    took, made = asyncio.run(measure())
    print(
        f"three agents that write, with a check on their path: exactly {made} calls, {took:.3f}x their answers and the "
        f"check (at most {LIMIT}x)"
    )
    return took <= LIMIT and made == 2 * len(TEAM)


if __name__ == "__main__":
    main()
