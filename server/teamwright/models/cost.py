"""What a model costs and how much it can read: as configured, else as publicly known, else unknown."""

from dataclasses import dataclass
from typing import Final

from teamwright.models.port import ModelUsage
from teamwright.preload import preload
from teamwright.protocol.usage import Usage

# Importing it takes half a second, so it is preloaded beside the event loop.
_PRICES: Final = "genai_prices"
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
            await preload(_PRICES)
            known = _known_window(self.model, self.base_url)
        return known or (DEFAULT_LOCAL_WINDOW if self.is_local else DEFAULT_WINDOW)

    async def cost_of(self, report: ModelUsage) -> float | None:
        """What the user has configured comes before what the provider says, and that before what is publicly known."""
        if self.configured_price is None and report.cost_usd is not None:
            return report.cost_usd
        return await self.cost_usd(report.usage, report.cache_write_tokens)

    async def cost_usd(self, usage: Usage, cache_write_tokens: int = 0) -> float | None:
        if self.configured_price is not None:
            return self.configured_price.of(usage)
        if self.base_url is None:
            return None
        await preload(_PRICES)
        return _listed_price_usd(usage, cache_write_tokens, model=self.model, base_url=self.base_url)


def _listed_price_usd(usage: Usage, cache_write_tokens: int, *, model: str, base_url: str) -> float | None:
    from genai_prices import Usage as PricedUsage  # noqa: PLC0415 - preloaded
    from genai_prices import calc_price  # noqa: PLC0415 - preloaded

    priced = PricedUsage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cached_tokens or None,
        cache_write_tokens=cache_write_tokens or None,
    )
    try:
        total = float(calc_price(priced, model, provider_api_url=base_url).total_price)
    except (LookupError, ValueError):
        return None
    # A model that is listed without a price seems to cost nothing; only some are free, and say so in their name.
    used = usage.input_tokens + usage.output_tokens
    return total if total or not used or model.endswith(":free") else None


def _known_window(model: str, base_url: str) -> int | None:
    from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415 - preloaded

    try:
        return get_snapshot().find_provider_model(model, None, None, base_url)[1].context_window
    except LookupError:
        return None
