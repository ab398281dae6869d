"""Secrets taken out of a text: those that the environment holds, and what looks like one."""

import re
from collections.abc import Mapping
from typing import Final

from quorate.config.secrets import is_secret_name

_MASK: Final = "***"
# Shorter values are words like "none" or "test", and masking them would mangle every text.
_SHORTEST_SECRET: Final = 8
_SHAPES: Final = re.compile(
    r"\b(?:sk|pk|rk|xai|gsk|ghp|gho|hf|r8)[-_][A-Za-z0-9_\-]{8,}|\bAIza[A-Za-z0-9_\-]{20,}|(?<=bearer )[^\s\"']+",
    re.IGNORECASE,
)


class Redaction:
    def __init__(self, environ: Mapping[str, str]) -> None:
        secrets = {value for name, value in environ.items() if is_secret_name(name) and len(value) >= _SHORTEST_SECRET}
        # Longest first: a secret may begin with another.
        found = sorted(map(re.escape, secrets), key=len, reverse=True)
        self._held = re.compile("|".join(found)) if found else None

    def __call__(self, text: str) -> str:
        shapeless = _SHAPES.sub(_MASK, text)
        return self._held.sub(_MASK, shapeless) if self._held is not None else shapeless
