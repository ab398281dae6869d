"""Three agents that take their time: a run takes hardly longer than the longest chain of its models' answers.

The same calls made by a bare HTTP client, in a process of its own, say how much of that the machine adds just now.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import httpx2

from tests.bench.run_stage import Stage, on_stage
from tests.runtime.lines import TEAM, gives, votes
from tests.support.model_server import Answer, ModelServer, Request, text

ROUNDS: Final = 9
CALLS: Final = 7
LIMIT: Final = 1.05
SPEEDS: Final = {"alike": (0.4, 0.4, 0.4), "1 : 1.5 : 2": (0.4, 0.6, 0.8)}
PRESENTER: Final = TEAM[1]


def script(models: ModelServer, seconds: tuple[float, ...]) -> None:
    for name, latency in zip(TEAM, seconds, strict=True):

        def reply(request: Request, latency: float = latency) -> Answer:
            if "vote" in request.tool_names:
                return votes("agent2").after(latency)
            first = gives(f"The answer of {request.model}.") if "new_answer" in request.tool_names else text("The end.")
            return first.after(latency)

        models.model(name).always(reply)


async def run_seconds(stage: Stage, models: ModelServer) -> float:
    asked = len(models.requests)
    started, finished = await stage.run()
    assert len(models.requests) - asked == CALLS, f"{len(models.requests) - asked} calls instead of {CALLS}"
    return (datetime.fromisoformat(finished["at"]) - datetime.fromisoformat(started["at"])).total_seconds()


class BareCalls:
    """The same chain without us, in a process of its own: all answer, all vote, one presents."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    @asynccontextmanager
    async def to(cls, url: str) -> AsyncGenerator["BareCalls"]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__, url),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        try:
            yield cls(process)
        finally:
            await process.communicate(b"")

    async def seconds(self) -> float:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"\n")
        return float(await self._process.stdout.readline())


async def call_when_told(url: str) -> None:
    """The process of `BareCalls`: for every line that it is sent it makes the calls and says how long they took."""
    async with httpx2.AsyncClient(base_url=url, timeout=30) as client:

        async def ask(model: str) -> None:
            body = {"model": model, "stream": True, "messages": [{"role": "user", "content": "Say it."}]}
            async with client.stream("POST", "/chat/completions", json=body) as response:
                async for _ in response.aiter_bytes():
                    pass

        while await asyncio.to_thread(sys.stdin.readline):
            begun = perf_counter()
            for _ in ("answer", "vote"):
                await asyncio.gather(*(ask(model) for model in TEAM))
            await ask(PRESENTER)
            sys.stdout.write(f"{perf_counter() - begun}\n")
            sys.stdout.flush()


async def measure(seconds: tuple[float, ...]) -> tuple[float, float]:
    """A run's time and that of the bare calls, as multiples of the longest chain of the models' latencies.

    Turn and turn about, and the median of each: others use this machine too.
    """
    chain = max(seconds) * 2 + seconds[TEAM.index(PRESENTER)]
    with ModelServer() as models:
        async with on_stage(models, TEAM) as stage, BareCalls.to(models.openai_url) as bare:
            script(models, (0, 0, 0))
            await stage.run()
            await bare.seconds()
            script(models, seconds)
            times = [(await run_seconds(stage, models), await bare.seconds()) for _ in range(ROUNDS)]
        models.check()
    ours, theirs = zip(*times, strict=True)
    return median(ours) / chain, median(theirs) / chain


def main() -> bool:
    # The scripted models and the client that reads the events share this process: an answer that is due must not wait
    # for a client that the bare calls do not have.
    sys.setswitchinterval(0.001)
    held = True
    for name, seconds in SPEEDS.items():
        ours, bare = asyncio.run(measure(seconds))
        print(
            f"three agents, {name}: exactly {CALLS} calls, {ours:.3f}x the longest chain of answers, "
            f"{ours / bare:.3f}x the bare calls (at most {LIMIT}x)"
        )
        held = held and ours / bare <= LIMIT
    return held


if __name__ == "__main__":
    asyncio.run(call_when_told(sys.argv[1]))
