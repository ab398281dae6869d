"""The one place where a model is asked again. When and how often is a pure schedule; every wait is announced."""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

import anyio

from quorate.models.adapter import Adapter
from quorate.models.errors import ModelError
from quorate.models.port import ModelRequest, Notice, Part, Restarted


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
