"""What looks like a key in a text that leaves the house. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from teamwright.models.masking import MASK

_KEYS: Final[dict[str, str]] = {
    "a private key": r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.{0,10000}?-----END [A-Z ]{0,30}PRIVATE KEY-----",
    "a key of OpenAI, Anthropic or a provider like them": r"\b(?:sk|pk|rk|xai|gsk|r8)[-_][A-Za-z0-9_\-]{8,200}",
    "a token of GitHub": r"\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})",
    "a token of GitLab": r"\bglpat-[A-Za-z0-9_\-]{20,100}",
    "a token of Hugging Face": r"\bhf_[A-Za-z0-9]{20,100}",
    "a key of Google": r"\bAIza[A-Za-z0-9_\-]{30,60}",
    "a key of Amazon": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a token of Slack": r"\bxox[abprs]-[A-Za-z0-9\-]{10,200}",
    "a token of npm": r"\bnpm_[A-Za-z0-9]{30,60}",
    "a JSON web token": r"\beyJ[A-Za-z0-9_\-]{10,2000}\.eyJ[A-Za-z0-9_\-]{10,4000}\.[A-Za-z0-9_\-]{10,1000}",
    "a password in an address": r"(?<=://)[^\s/:@\"']{1,100}:[^\s/@\"']{1,200}(?=@)",
}
_PATTERNS: Final = {name: re.compile(pattern, re.DOTALL) for name, pattern in _KEYS.items()}


def found_keys(text: str) -> Iterator[tuple[str, int]]:
    """What kind of key, and how many of them."""
    for name, pattern in _PATTERNS.items():
        if count := sum(1 for _ in pattern.finditer(text)):
            yield name, count


def without_keys(text: str) -> str:
    for pattern in _PATTERNS.values():
        text = pattern.sub(MASK, text)
    return text


def warnings_about(text: str) -> tuple[str, ...]:
    """A sentence for each kind of key, for whoever is about to hand the text on."""
    return tuple(
        f"It holds what looks like {name}{_often(count)}: look at it before you hand it on."
        for name, count in found_keys(text)
    )


def _often(count: int) -> str:
    return f", in {count} places" if count > 1 else ""
