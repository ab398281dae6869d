"""Tokens, money and time: what was used, and how much may be."""

from pydantic import Field

from quorate.protocol.base import Maybe, Wire


class Usage(Wire):
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: Maybe[int] = None
    calls: int = 0

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

    usd: Maybe[float] = Field(default=None, gt=0)
    tokens: Maybe[int] = Field(default=None, gt=0)
    seconds: Maybe[float] = Field(default=None, gt=0)
