"""Three agents that take their time: a run takes hardly longer than the longest chain of its models' answers.

The same calls made by a bare HTTP client, in a process of its own, say how much of that the machine adds just now.
"""

import asyncio
import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Final

import httpx2

from tests.bench.run_stage import Stage, on_stage
from tests.runtime.lines import TEAM, gives, votes
from tests.support.model_server import Answer, ModelServer, Request, text

ROUNDS: Final = 5
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
    """The best of some rounds, because others use this machine too."""
    best = float("inf")
    for _ in range(ROUNDS):
        asked = len(models.requests)
        started, finished = await stage.run()
        assert len(models.requests) - asked == CALLS, f"{len(models.requests) - asked} calls instead of {CALLS}"
        took = datetime.fromisoformat(finished["at"]) - datetime.fromisoformat(started["at"])
        best = min(best, took.total_seconds())
    return best


async def bare_seconds(url: str) -> float:
    """The same chain without us: all answer, all vote, one presents."""
    async with httpx2.AsyncClient(base_url=url, timeout=30) as client:

        async def ask(model: str) -> None:
            body = {"model": model, "stream": True, "messages": [{"role": "user", "content": "Say it."}]}
            async with client.stream("POST", "/chat/completions", json=body) as response:
                async for _ in response.aiter_bytes():
                    pass

        best = float("inf")
        for _ in range(ROUNDS + 1):
            begun = perf_counter()
            for _ in ("answer", "vote"):
                await asyncio.gather(*(ask(model) for model in TEAM))
            await ask(PRESENTER)
            best = min(best, perf_counter() - begun)
    return best


def bare_seconds_elsewhere(url: str) -> float:
    command = [sys.executable, "-m", __name__, url]
    done = subprocess.run(command, capture_output=True, check=True, cwd=Path(__file__).parents[2])
    return json.loads(done.stdout)


async def measure(seconds: tuple[float, ...]) -> tuple[float, float]:
    """A run's time and that of the bare calls, as multiples of the longest chain of the models' latencies."""
    chain = max(seconds) * 2 + seconds[TEAM.index(PRESENTER)]
    with ModelServer() as models:
        async with on_stage(models, TEAM) as stage:
            script(models, (0, 0, 0))
            await stage.run()
            script(models, seconds)
            ours = await run_seconds(stage, models)
        bare = await asyncio.to_thread(bare_seconds_elsewhere, models.openai_url)
        models.check()
    return ours / chain, bare / chain


def main() -> bool:
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
    sys.stdout.write(json.dumps(asyncio.run(bare_seconds(sys.argv[1]))))
