"""What every adapter offers, and what it is told about its model."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from quorate.models.port import ModelRequest, Part

Effort: TypeAlias = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


@dataclass(frozen=True, slots=True)
class Generation:
    """How a model is to answer, as its backend is configured. What is None is left to the provider."""

    model: str
    temperature: float | None = None
    max_output_tokens: int | None = None
    effort: Effort | None = None
    summary: Literal["auto", "concise", "detailed"] | None = None


class Adapter(Protocol):
    def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        """One try, without a second: a ModelError says whether another can help."""
        ...
