"""What agents are sent: how small a first request is, and how much of a later one a provider has in its cache."""

import asyncio
import json
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Final

from tests.bench.run_scale import by_the_book
from tests.bench.run_stage import on_stage
from tests.runtime.lines import TEAM, gives, repeats, votes
from tests.support.model_server import Answer, ModelServer, Request, calls, tool

FIRST_LIMIT: Final = 6 * 1024


async def requests_of_a_run() -> Sequence[Request]:
    """Of the agent that has the most: it looks around, answers, votes, votes again after a new answer, presents."""
    with ModelServer() as models:
        for name in TEAM:
            models.model(name).always(by_the_book)
        asked_to_vote = models.gate("beta is asked to vote")

        def votes_too_early(_: Request) -> Answer:
            asked_to_vote.release()
            return votes("agent2")

        looks = calls(tool("list_files", path="scratch"))
        models.model("beta").replies(looks, gives("The answer of beta."), votes_too_early)
        models.model("gamma").replies(gives("The answer of gamma."), gives("Better.").waits_for(asked_to_vote))
        async with on_stage(models, TEAM) as stage:
            await stage.run()
        return models.requests_to("beta")


def in_cache_order(request: Request) -> bytes:
    """Providers cache what they read in this order: the tools, then the system prompt and the messages."""
    return json.dumps([request.body["tools"], request.body["messages"]], separators=(",", ":")).encode()


def repeated(earlier: bytes, later: bytes) -> float:
    """The share of the later text that begins it exactly as the earlier one."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(earlier, later, strict=False)))
    return same / len(later)


def main() -> bool:
    first, *later = asyncio.run(requests_of_a_run())
    print(f"a trivial task: {len(first.raw)} bytes in the first request, tools included (at most {FIRST_LIMIT})")
    faithful = True
    for earlier, request in pairwise([first, *later]):
        faithful = faithful and repeats(earlier, request)
        messages = repeated(*(json.dumps(each.body["messages"])[:-1].encode() for each in (earlier, request)))
        print(
            f"a later request of {len(request.raw)} bytes repeats all messages before it: {repeats(earlier, request)}; "
            f"they are {messages:.0%} of its messages; "
            f"{repeated(in_cache_order(earlier), in_cache_order(request)):.0%} of it is cached, its tools first"
        )
    return len(first.raw) <= FIRST_LIMIT and faithful


if __name__ == "__main__":
    main()
