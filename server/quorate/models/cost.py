"""What a model costs and how much it can read: as configured, else as publicly known, else unknown."""

from dataclasses import dataclass
from typing import Final

from quorate.models.loading import preload
from quorate.models.port import UsageReported
from quorate.protocol.usage import Usage

PRICES_MODULE: Final = "quorate.models.prices"
# What nobody has told us: small enough that what is sent fits, large enough to work with.
DEFAULT_WINDOW: Final = 32_000
DEFAULT_LOCAL_WINDOW: Final = 8_000


@dataclass(frozen=True, slots=True)
class ConfiguredPrice:
    """US dollars per million tokens."""

    input: float
    output: float
    cached: float | None = None

    def of(self, usage: Usage) -> float:
        cached = usage.cached_tokens or 0
        cached_price = self.input if self.cached is None else self.cached
        fresh = usage.input_tokens - cached
        return (fresh * self.input + cached * cached_price + usage.output_tokens * self.output) / 1_000_000


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """`base_url` is None for what has no public price list: programs, and servers on this machine."""

    model: str
    base_url: str | None
    configured_window: int | None = None
    configured_price: ConfiguredPrice | None = None
    is_local: bool = False

    async def window(self) -> int:
        known = self.configured_window
        if known is None and self.base_url is not None:
            await preload(PRICES_MODULE)
            from quorate.models.prices import known_window  # noqa: PLC0415 - preloaded beside the event loop

            known = known_window(model=self.model, base_url=self.base_url)
        return known or (DEFAULT_LOCAL_WINDOW if self.is_local else DEFAULT_WINDOW)

    async def cost_of(self, report: UsageReported) -> float | None:
        """What the user has configured comes before what the provider says, and that before what is publicly known."""
        if self.configured_price is None and report.cost_usd is not None:
            return report.cost_usd
        return await self.cost_usd(report.usage, report.cache_write_tokens)

    async def cost_usd(self, usage: Usage, cache_write_tokens: int = 0) -> float | None:
        if self.configured_price is not None:
            return self.configured_price.of(usage)
        if self.base_url is None:
            return None
        await preload(PRICES_MODULE)
        from quorate.models.prices import price_usd  # noqa: PLC0415 - preloaded beside the event loop

        return price_usd(usage, cache_write_tokens, model=self.model, base_url=self.base_url)
