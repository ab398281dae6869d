"""From three agents to fifty: what a model call costs us, when the models themselves take no time."""

import asyncio
from collections.abc import Sequence
from typing import Final

from tests.bench.run_stage import on_stage
from tests.runtime.lines import gives, votes
from tests.support.model_server import Answer, ModelServer, Request, text

ROUNDS: Final = 3
# Each agent is shown every other's answer, so that the bytes of a run grow with the square of its agents.
LIMIT: Final = 2.0


def by_the_book(request: Request) -> Answer:
    if "vote" in request.tool_names:
        return votes("agent2")
    return gives(f"The answer of {request.model}.") if "new_answer" in request.tool_names else text("The end.")


async def cpu_per_call(names: Sequence[str]) -> float:
    with ModelServer() as models:
        for name in names:
            models.model(name).always(by_the_book)
        async with on_stage(models, names) as stage:
            await stage.run()
            best = float("inf")
            for _ in range(ROUNDS):
                asked, worked = len(models.requests), stage.cpu_seconds()
                await stage.run()
                best = min(best, (stage.cpu_seconds() - worked) / (len(models.requests) - asked))
        models.check()
    return best


def main() -> bool:
    three, fifty = (asyncio.run(cpu_per_call([f"m{number}" for number in range(1, size + 1)])) for size in (3, 50))
    print(
        f"CPU per model call: {three * 1000:.1f} ms with three agents, {fifty * 1000:.1f} ms with fifty, "
        f"growth {fifty / three:.2f}x (at most {LIMIT}x)"
    )
    return fifty / three <= LIMIT


if __name__ == "__main__":
    main()
