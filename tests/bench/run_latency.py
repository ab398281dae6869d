"""Three agents that take their time: a run takes hardly longer than the longest chain of its models' answers."""

import asyncio
from datetime import datetime
from typing import Final

from tests.bench.run_stage import on_stage
from tests.runtime.lines import TEAM, gives, votes
from tests.support.model_server import Answer, ModelServer, Request, text

ROUNDS: Final = 5
CALLS: Final = 7
LIMIT: Final = 1.05
SPEEDS: Final = {"alike": (0.4, 0.4, 0.4), "1 : 1.5 : 2": (0.4, 0.6, 0.8)}


def script(models: ModelServer, seconds: tuple[float, ...]) -> None:
    for name, latency in zip(TEAM, seconds, strict=True):

        def reply(request: Request, latency: float = latency) -> Answer:
            if "vote" in request.tool_names:
                return votes("agent2").after(latency)
            first = gives(f"The answer of {request.model}.") if "new_answer" in request.tool_names else text("The end.")
            return first.after(latency)

        models.model(name).always(reply)


async def measure(seconds: tuple[float, ...]) -> tuple[float, float, int]:
    """The best of some rounds, because others use this machine too: wall ÷ chain, CPU seconds, model calls."""
    chain = max(seconds) * 2 + seconds[1]
    with ModelServer() as models:
        async with on_stage(models, TEAM) as stage:
            script(models, (0, 0, 0))
            await stage.run()
            script(models, seconds)
            best, cpu, calls = float("inf"), 0.0, 0
            for _ in range(ROUNDS):
                asked, worked = len(models.requests), stage.cpu_seconds()
                started, finished = await stage.run()
                took = datetime.fromisoformat(finished["at"]) - datetime.fromisoformat(started["at"])
                best = min(best, took.total_seconds() / chain)
                calls = max(calls, len(models.requests) - asked)
                cpu = stage.cpu_seconds() - worked
        models.check()
    return best, cpu, calls


def main() -> bool:
    held = True
    for name, seconds in SPEEDS.items():
        ratio, cpu, calls = asyncio.run(measure(seconds))
        print(
            f"three agents, {name}: {calls} calls (exactly {CALLS}), {ratio:.3f}x the longest chain of answers "
            f"(at most {LIMIT}x), {cpu * 1000:.0f} ms of CPU"
        )
        held = held and calls == CALLS and ratio <= LIMIT
    return held


if __name__ == "__main__":
    main()
