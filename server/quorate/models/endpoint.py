"""Where an API is and what opens it. The key is in no text of ours, so it is left out of the value's own."""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

ANTHROPIC_HOST: Final = "api.anthropic.com"
OPENAI_HOST: Final = "api.openai.com"
_LOOPBACK: Final = {"127.0.0.1", "localhost", "::1"}


@dataclass(frozen=True, slots=True)
class Endpoint:
    base_url: str
    key: str = field(default="", repr=False)
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def host(self) -> str:
        """With its port, without credentials."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2]

    @property
    def is_anthropic(self) -> bool:
        return urlsplit(self.base_url).hostname == ANTHROPIC_HOST

    @property
    def is_openai(self) -> bool:
        return urlsplit(self.base_url).hostname == OPENAI_HOST

    @property
    def is_local(self) -> bool:
        return urlsplit(self.base_url).hostname in _LOOPBACK
