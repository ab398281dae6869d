"""What an adapter adds to a stream: CPU time a chunk, against a bare HTTP client and JSON parser in the same run."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Final

import httpx2

from teamwright.config.presets import ApiKind
from teamwright.models.factory import Models
from teamwright.models.port import TextDelta
from tests.bench.models_server import Wire, replaying
from tests.models.asking import KEY, KEY_VARIABLE, asking, backend_at

CHUNKS: Final = 3000
ROUNDS: Final = 5
LIMITS: Final[dict[Wire, float]] = {"chat": 2.5, "messages": 4.0}
_KINDS: Final[dict[Wire, ApiKind]] = {"chat": "openai_chat", "messages": "anthropic"}
_PATHS: Final[dict[Wire, str]] = {"chat": "/v1/chat/completions", "messages": "/v1/messages"}


async def bare(client: httpx2.AsyncClient, url: str) -> int:
    """The least that can be done with a stream."""
    events = 0
    rest = b""
    async with client.stream("POST", url, json={"model": "bench"}) as response:
        async for chunk in response.aiter_bytes():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line.startswith(b"data: ") and line != b"data: [DONE]":
                    json.loads(line[6:])
                    events += 1
    return events


async def ours(models: Models, url: str, kind: ApiKind) -> int:
    model = models.open(backend_at(url, kind, "bench"))
    return sum([isinstance(part, TextDelta) async for part in model.stream(asking())])


async def cpu_per_chunk(stream: Callable[[], Awaitable[int]]) -> float:
    began = time.process_time()
    events = await stream()
    assert events >= CHUNKS
    return (time.process_time() - began) / events


async def compare(wire: Wire, url: str) -> tuple[float, float]:
    """Both in turns, the best of several rounds: other work on the machine only ever adds."""
    address = url + ("/v1" if wire == "chat" else "")
    async with (
        Models({KEY_VARIABLE: KEY}) as models,
        httpx2.AsyncClient(timeout=60) as client,
    ):
        await ours(models, address, _KINDS[wire])
        rounds = [
            (
                await cpu_per_chunk(lambda: bare(client, url + _PATHS[wire])),
                await cpu_per_chunk(lambda: ours(models, address, _KINDS[wire])),
            )
            for _ in range(ROUNDS)
        ]
    floors, costs = zip(*rounds, strict=True)
    return min(floors), min(costs)


def main() -> bool:
    held = True
    for wire, limit in LIMITS.items():
        with replaying(wire, chunks=CHUNKS, pace=0.0) as url:
            floor, cost = asyncio.run(compare(wire, url))
        ratio = cost / floor
        held = held and ratio <= limit
        print(f"{wire}: {cost * 1e6:.1f} µs a chunk, bare {floor * 1e6:.1f} µs: {ratio:.2f}x (at most {limit}x)")
    return held
