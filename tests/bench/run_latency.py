"""Three agents that take their time: a run takes hardly longer than the longest chain of its models' answers.

The same calls made by a bare HTTP client, in a process of its own, say how much of that the machine adds just now.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import httpx2

from tests.bench.run_stage import Stage, on_stage
from tests.runtime.lines import TEAM, gives, votes
from tests.support.model_server import Answer, ModelServer, Request, calls, text, tool

ROUNDS: Final = 9
LIMIT: Final = 1.05
PRESENTER: Final = TEAM[1]


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    seconds: tuple[float, float, float] = (0.4, 0.4, 0.4)
    # Where there are any, each agent looks at some of them before it answers.
    files: int = 0

    @property
    def rounds(self) -> int:
        """Of calls of the whole team; one agent presents behind them."""
        return 3 if self.files else 2

    @property
    def calls(self) -> int:
        return self.rounds * len(TEAM) + 1

    @property
    def longest_chain(self) -> float:
        return max(self.seconds) * self.rounds + self.seconds[TEAM.index(PRESENTER)]


CASES: Final = (
    Case("alike"),
    Case("1 : 1.5 : 2", (0.4, 0.6, 0.8)),
    Case("alike, with file tools among 10,000 files", files=10_000),
)


def script(models: ModelServer, case: Case, seconds: tuple[float, ...]) -> None:
    for name, latency in zip(TEAM, seconds, strict=True):

        def reply(request: Request, latency: float = latency) -> Answer:
            has_looked = not case.files or any(role == "tool" for role, _ in request.messages)
            return _next(request, has_looked=has_looked).after(latency)

        models.model(name).always(reply)


def _next(request: Request, *, has_looked: bool) -> Answer:
    if "vote" in request.tool_names:
        return votes("agent2")
    if "new_answer" not in request.tool_names:
        return text("The end.")
    if has_looked:
        return gives(f"The answer of {request.model}.")
    return calls(tool("list_files", path="part7"), tool("read_file", path="part7/module7.py"))


async def run_seconds(stage: Stage, models: ModelServer, case: Case) -> float:
    asked = len(models.requests)
    paths = [{"path": ".", "permission": "read"}] if case.files else []
    started, finished = await stage.run(contextPaths=paths)
    assert len(models.requests) - asked == case.calls, f"{len(models.requests) - asked} calls instead of {case.calls}"
    return (datetime.fromisoformat(finished["at"]) - datetime.fromisoformat(started["at"])).total_seconds()


class BareCalls:
    """The same chain without us, in a process of its own: all are asked a few times, then one presents."""

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

    async def seconds(self, rounds: int) -> float:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"%d\n" % rounds)
        return float(await self._process.stdout.readline())


async def call_when_told(url: str) -> None:
    """The process of `BareCalls`: for every line that it is sent it makes the calls and says how long they took."""
    async with httpx2.AsyncClient(base_url=url, timeout=30) as client:

        async def ask(model: str) -> None:
            body = {"model": model, "stream": True, "messages": [{"role": "user", "content": "Say it."}]}
            async with client.stream("POST", "/chat/completions", json=body) as response:
                async for _ in response.aiter_bytes():
                    pass

        while rounds := await asyncio.to_thread(sys.stdin.readline):
            begun = perf_counter()
            for _ in range(int(rounds)):
                await asyncio.gather(*(ask(model) for model in TEAM))
            await ask(PRESENTER)
            sys.stdout.write(f"{perf_counter() - begun}\n")
            sys.stdout.flush()


async def measure(case: Case) -> tuple[float, float]:
    """A run's time and that of the bare calls, as multiples of the longest chain of the models' latencies.

    Turn and turn about, and the median of each: others use this machine too.
    """
    with ModelServer() as models:
        async with on_stage(models, TEAM, files=case.files) as stage, BareCalls.to(models.openai_url) as bare:
            script(models, case, (0, 0, 0))
            await run_seconds(stage, models, case)
            await bare.seconds(case.rounds)
            script(models, case, case.seconds)
            times = [(await run_seconds(stage, models, case), await bare.seconds(case.rounds)) for _ in range(ROUNDS)]
        models.check()
    ours, theirs = zip(*times, strict=True)
    return median(ours) / case.longest_chain, median(theirs) / case.longest_chain


def main() -> bool:
    # The scripted models and the client that reads the events share this process: an answer that is due must not wait
    # for a client that the bare calls do not have.
    sys.setswitchinterval(0.001)
    held = True
    for case in CASES:
        ours, bare = asyncio.run(measure(case))
        print(
            f"three agents, {case.name}: exactly {case.calls} calls, {ours:.3f}x the longest chain of answers, "
            f"{ours / bare:.3f}x the bare calls (at most {LIMIT}x)"
        )
        held = held and ours / bare <= LIMIT
    return held


if __name__ == "__main__":
    asyncio.run(call_when_told(sys.argv[1]))
