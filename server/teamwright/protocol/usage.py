"""Tokens, money and time: what was used, and how much may be."""

from typing import Annotated

from pydantic import Field

from teamwright.protocol.base import MAX_SECONDS, MAX_TOKENS, MAX_USD, Maybe, Wire

# What a fact says was used: less than nothing would give a budget room, and no number at all would never reach one.
Tally = Annotated[int, Field(ge=0)]
Usd = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class Usage(Wire):
    input_tokens: Tally = 0
    output_tokens: Tally = 0
    cached_tokens: Maybe[Tally] = None
    calls: Tally = 0

    def __add__(self, other: "Usage") -> "Usage":
        cached = (self.cached_tokens, other.cached_tokens)
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=None if cached == (None, None) else sum(tokens or 0 for tokens in cached),
            calls=self.calls + other.calls,
        )


class Budget(Wire):
    """A limit is met when any of its parts is."""

    usd: Maybe[float] = Field(default=None, gt=0, le=MAX_USD, allow_inf_nan=False)
    tokens: Maybe[int] = Field(default=None, gt=0, le=MAX_TOKENS)
    seconds: Maybe[float] = Field(default=None, gt=0, le=MAX_SECONDS, allow_inf_nan=False)
