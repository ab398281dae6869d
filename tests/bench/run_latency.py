"""Three agents that take their time: a run takes hardly longer than the longest chain of its models' answers.

The same calls made by a bare HTTP client say how much of that the machine adds just now.
"""

import asyncio
from dataclasses import dataclass
from statistics import median
from typing import Final

from tests.bench.run_latency_clients import PRESENTER, Client, Job
from tests.runtime.lines import TEAM, gives, votes
from tests.support.model_server import Answer, ModelServer, Request, calls, text, tool

ROUNDS: Final = 9
LIMIT: Final = 1.05


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    seconds: tuple[float, float, float] = (0.4, 0.4, 0.4)
    # Where there are any, each agent looks at some of them before it answers.
    files: int = 0

    @property
    def rounds(self) -> int:
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


async def measure(case: Case) -> tuple[float, float]:
    """A run's time and that of the bare calls, as multiples of the longest chain of the models' latencies.

    Turn and turn about, and the median of each: others use this machine too.
    """
    with ModelServer() as models:

        async def seconds(client: Client) -> float:
            asked = len(models.requests)
            spent = await client.seconds()
            assert (made := len(models.requests) - asked) == case.calls, f"{made} calls instead of {case.calls}"
            return spent

        job = Job(models.openai_url, case.rounds, case.files)
        async with Client.of("runs", job) as runs, Client.of("bare", job) as bare:
            script(models, case, (0, 0, 0))
            await seconds(runs)
            await seconds(bare)
            script(models, case, case.seconds)
            times = [(await seconds(runs), await seconds(bare)) for _ in range(ROUNDS)]
        models.check()
    ours, theirs = zip(*times, strict=True)
    return median(ours) / case.longest_chain, median(theirs) / case.longest_chain


def main() -> bool:
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
    main()
