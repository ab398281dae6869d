"""Who asks the scripted models, each in a process of its own: a model that is due must not wait for its client."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Final

import httpx2

from tests.bench.run_stage import on_stage
from tests.runtime.lines import TEAM

PRESENTER: Final = TEAM[1]


@dataclass(frozen=True, slots=True)
class Job:
    """What a client is told on its command line."""

    openai_url: str
    # Of calls of the whole team; one agent presents behind them.
    rounds: int
    # Of the workspace; where there are any, the agents are given it to read.
    files: int


class Client:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    @asynccontextmanager
    async def of(cls, kind: str, job: Job) -> AsyncGenerator["Client"]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__, kind, job.openai_url, str(job.rounds), str(job.files)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        try:
            yield cls(process)
        finally:
            await process.communicate(b"")

    async def seconds(self) -> float:
        """Of the whole chain of calls, made once."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"\n")
        return float(await self._process.stdout.readline())


async def run_when_told(job: Job) -> None:
    """A run of a real server takes from its first fact to its last, as the log has it."""
    async with on_stage(job, TEAM, files=job.files) as stage:
        paths = [{"path": ".", "permission": "read"}] if job.files else []

        async def chain() -> float:
            started, finished = await stage.run(contextPaths=paths)
            return (datetime.fromisoformat(finished["at"]) - datetime.fromisoformat(started["at"])).total_seconds()

        await _when_told(chain)


async def call_when_told(job: Job) -> None:
    """The same calls without us."""
    async with httpx2.AsyncClient(base_url=job.openai_url, timeout=30) as client:

        async def ask(model: str) -> None:
            body = {"model": model, "stream": True, "messages": [{"role": "user", "content": "Say it."}]}
            async with client.stream("POST", "/chat/completions", json=body) as response:
                async for _ in response.aiter_bytes():
                    pass

        async def chain() -> float:
            begun = perf_counter()
            for _ in range(job.rounds):
                await asyncio.gather(*(ask(model) for model in TEAM))
            await ask(PRESENTER)
            return perf_counter() - begun

        await _when_told(chain)


async def _when_told(chain: Callable[[], Awaitable[float]]) -> None:
    """For every line that comes in, how long the chain took."""
    while await asyncio.to_thread(sys.stdin.readline):
        sys.stdout.write(f"{await chain()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    kind, url, rounds, files = sys.argv[1:]
    told = {"runs": run_when_told, "bare": call_when_told}[kind]
    asyncio.run(told(Job(url, int(rounds), int(files))))
