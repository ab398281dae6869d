"""A model as its callers see it: asked again where that can help, metered and priced, whatever adapter is behind it."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

import anyio

from teamwright.models.adapter import Adapter
from teamwright.models.cost import ModelFacts
from teamwright.models.errors import ModelError
from teamwright.models.metering import MeteredAdapter, TokenEstimate
from teamwright.models.port import ModelRequest, Notice, Part, Restarted
from teamwright.protocol.usage import Usage


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Seconds. A provider that asks for a longer wait than `longest` is not waited for."""

    attempts: int = 4
    first: float = 1.0
    longest: float = 60.0


DEFAULT_POLICY: Final = RetryPolicy()


def next_delay(attempt: int, error: ModelError, rand: float, policy: RetryPolicy = DEFAULT_POLICY) -> float | None:
    """The wait after that attempt (the first is 1) failed, or None to give up. `rand` is in [0, 1)."""
    if not error.retryable or attempt >= policy.attempts:
        return None
    asked = error.retry_after or 0.0
    if asked > policy.longest:
        return None
    backoff = min(policy.first * 2 ** (attempt - 1), policy.longest)
    # Agents that were limited together should not come back together.
    return asked + backoff * (0.5 + rand / 2)


async def with_retries(
    adapter: Adapter,
    request: ModelRequest,
    policy: RetryPolicy = DEFAULT_POLICY,
    rand: Callable[[], float] = random.random,
) -> AsyncGenerator[Part]:
    """All attempts and waits together take no longer than the request's `whole`."""
    clock = asyncio.get_running_loop().time
    ends_at = clock() + request.deadlines.whole
    for attempt in count(1):
        streamed = False
        one_try = replace(request, deadlines=replace(request.deadlines, whole=ends_at - clock()))
        try:
            async with aclosing(adapter.attempt(one_try)) as parts:
                async for part in parts:
                    streamed = True
                    yield part
                return
        except ModelError as error:
            delay = next_delay(attempt, error, rand(), policy)
            if delay is None or clock() + delay > ends_at:
                raise _given_up(error, attempt, policy) from error
            problem = error.message
        if streamed:
            yield Restarted()
        yield Notice(f"{problem} Trying again in {delay:.0f} s ({attempt + 1} of {policy.attempts}).")
        await anyio.sleep(delay)


def _given_up(error: ModelError, attempts: int, policy: RetryPolicy) -> ModelError:
    if error.retryable and error.retry_after is not None and error.retry_after > policy.longest:
        asked = f"It asks to be left alone for {error.retry_after / 60:.0f} min, which is too long to wait."
        return ModelError(error.kind, f"{error.message} {asked}", retry_after=error.retry_after)
    if attempts > 1:
        return ModelError(error.kind, f"{error.message} ({attempts} tries)", retry_after=error.retry_after)
    return error


class BackendModel:
    def __init__(
        self,
        name: str,
        opened: Callable[[], Awaitable[Adapter]],
        *,
        facts: ModelFacts,
        estimate: TokenEstimate,
        retry: RetryPolicy,
        longest_call: float | None = None,
    ) -> None:
        self.name = name
        self._adapter = MeteredAdapter(opened, estimate, facts.cost_of)
        self._facts = facts
        self._estimate = estimate
        self._retry = retry
        self._longest_call = longest_call

    def stream(self, request: ModelRequest) -> AsyncGenerator[Part]:
        limits = request.deadlines
        if self._longest_call is not None:
            limits = replace(limits, whole=min(limits.whole, self._longest_call))
        return with_retries(self._adapter, replace(request, deadlines=limits), self._retry)

    async def window(self) -> int:
        return await self._facts.window()

    def estimated_tokens(self, request: ModelRequest) -> int:
        return self._estimate.tokens(request)

    async def cost_usd(self, usage: Usage) -> float | None:
        return await self._facts.cost_usd(usage)
