"""The most memory that the server uses for a run of three agents, with one provider's SDK loaded."""

import asyncio
from typing import Final

from tests.bench.run_scale import by_the_book
from tests.bench.run_stage import on_stage
from tests.runtime.lines import TEAM
from tests.support.model_server import ModelServer

LIMIT: Final = 140


async def measure() -> float:
    with ModelServer() as models:
        for name in TEAM:
            models.model(name).always(by_the_book)
        async with on_stage(models, TEAM) as stage:
            await stage.run()
            return stage.peak_megabytes()


def main() -> bool:
    peak = asyncio.run(measure())
    print(f"a run of three agents: {peak:.0f} MB at most (limit {LIMIT} MB)")
    return peak <= LIMIT


if __name__ == "__main__":
    main()
