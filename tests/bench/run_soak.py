"""What the server keeps of runs that are over: its memory after many of them, against that after the first hundred.

Each has a session of its own, which is put away when it has been idle for a while, and a client that draws it.
"""

import asyncio
from typing import Final

from tests.bench.process_figures import megabytes
from tests.bench.run_scale import by_the_book
from tests.bench.run_stage import on_stage
from tests.runtime.lines import TEAM
from tests.support.model_server import ModelServer

FIRST: Final = 100
RUNS: Final = 300
LIMIT: Final = 4.0
PUT_AWAY_SOON: Final = "orchestrator: {interactive_mode: {idle_minutes: 0.05}}\n"


async def growth(runs: int) -> float:
    """In megabytes, after the first."""
    with ModelServer() as models:
        for name in TEAM:
            models.model(name).always(by_the_book)
        async with on_stage(models, TEAM, extra=PUT_AWAY_SOON, transcript=True) as stage:
            before = 0.0
            for number in range(runs):
                if number == FIRST:
                    before = megabytes(stage.client.pid)
                await stage.run()
                # Looking for one among the events of all runs would take longer than the runs.
                stage.client.events.clear()
            return megabytes(stage.client.pid) - before


def main() -> bool:
    grown = asyncio.run(growth(RUNS))
    print(f"{RUNS - FIRST} runs after the first {FIRST}: {grown:+.1f} MB (limit {LIMIT} MB)")
    return grown <= LIMIT


if __name__ == "__main__":
    main()
