"""Token counts as the scripts state them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Usage:
    """Counted as OpenAI counts: `input` includes what was read from and written to the cache."""

    input: int = 12
    output: int = 7
    cached: int = 0
    cache_written: int = 0
    reasoning: int = 0
