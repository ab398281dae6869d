"""Every attempt is accounted for, also where the provider does not say what it used, or fails in mid-answer."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import TypeAlias

from quorate.models.adapter import Adapter
from quorate.models.errors import ModelError
from quorate.models.estimate import TokenEstimate
from quorate.models.port import (
    Finished,
    ModelRequest,
    Part,
    ReasoningDelta,
    TextDelta,
    ToolArgumentsDelta,
    UsageReported,
)
from quorate.protocol.usage import Usage

Price: TypeAlias = Callable[[UsageReported], Awaitable[float | None]]


class MeteredAdapter:
    def __init__(self, opened: Callable[[], Awaitable[Adapter]], estimate: TokenEstimate, price: Price) -> None:
        self._opened = opened
        self._estimate = estimate
        self._price = price

    async def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        adapter = await self._opened()
        length = 0
        reported = False
        try:
            async with aclosing(adapter.attempt(request)) as parts:
                async for part in parts:
                    if isinstance(part, (TextDelta, ReasoningDelta, ToolArgumentsDelta)):
                        length += len(part.text)
                        yield part
                    elif isinstance(part, UsageReported):
                        reported = True
                        self._estimate.learn(request, part.usage.input_tokens)
                        yield await self._priced(part)
                    else:
                        if isinstance(part, Finished) and not reported:
                            yield await self._guessed(request, length)
                        yield part
        except ModelError:
            # What was streamed is paid for, though the provider had no time to say how much it was.
            if length and not reported:
                yield await self._guessed(request, length)
            raise

    async def _priced(self, part: UsageReported) -> UsageReported:
        return replace(part, cost_usd=await self._price(part))

    async def _guessed(self, request: ModelRequest, length: int) -> UsageReported:
        usage = Usage(
            input_tokens=self._estimate.tokens(request), output_tokens=self._estimate.tokens_of_text(length), calls=1
        )
        return await self._priced(UsageReported(usage, estimated=True))
