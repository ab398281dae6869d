"""What is publicly known of models: prices and windows. Importing it takes half a second, so it is preloaded."""

from genai_prices import Usage as PricedUsage
from genai_prices import calc_price
from genai_prices.data_snapshot import get_snapshot

from quorate.protocol.usage import Usage


def price_usd(usage: Usage, cache_write_tokens: int, *, model: str, base_url: str) -> float | None:
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


def known_window(*, model: str, base_url: str) -> int | None:
    try:
        return get_snapshot().find_provider_model(model, None, None, base_url)[1].context_window
    except LookupError:
        return None
