"""Fifty streams at a hundred chunks a second each: one core keeps up."""

import asyncio
import time
from typing import Final

from teamwright.models.factory import Models
from teamwright.models.port import TextDelta
from tests.bench.models_server import replaying
from tests.models.asking import KEY, KEY_VARIABLE, asking, backend_at

STREAMS: Final = 50
CHUNKS: Final = 300
PACE: Final = 0.01
# Of one core. The time by the clock is only told: it is the machine's other work that decides about it.
LIMIT: Final = 0.9


async def read_all(url: str) -> tuple[float, float]:
    async with Models({KEY_VARIABLE: KEY}) as models:
        model = models.open(backend_at(f"{url}/v1", "openai_chat", "bench"))

        async def one() -> int:
            return sum([isinstance(part, TextDelta) async for part in model.stream(asking())])

        await models.adapter(backend_at(f"{url}/v1", "openai_chat", "bench"))
        began, worked = time.perf_counter(), time.process_time()
        counts = await asyncio.gather(*(one() for _ in range(STREAMS)))
        assert counts == [CHUNKS] * STREAMS
        return time.perf_counter() - began, time.process_time() - worked


def main() -> bool:
    with replaying("chat", chunks=CHUNKS, pace=PACE) as url:
        took, worked = asyncio.run(read_all(url))
    spoken = CHUNKS * PACE
    share = worked / spoken
    print(
        f"{STREAMS} streams of {1 / PACE:.0f} chunks/s: {share:.0%} of a core (at most {LIMIT:.0%}), "
        f"read in {took / spoken:.2f}x the time in which they were spoken"
    )
    return share <= LIMIT
