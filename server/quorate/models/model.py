"""A model as the house sees it: attempts retried, metered and priced, whatever adapter is behind it."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace

from quorate.models.adapter import Adapter
from quorate.models.cost import ModelFacts
from quorate.models.estimate import TokenEstimate
from quorate.models.metering import MeteredAdapter
from quorate.models.port import ModelRequest, Part
from quorate.models.retry import RetryPolicy, with_retries
from quorate.protocol.usage import Usage


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
