"""What went wrong at a provider, as an error with a sentence for the user. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, cast

from quorate.models.errors import ErrorKind, ModelError
from quorate.models.fault_kinds import kind_of

MAX_QUOTE: Final = 300
# Long runs of letters and digits, and shorter ones that begin as keys do. Stars are what providers mask keys with.
_LIKE_A_KEY: Final = re.compile(r"\bsk[-_][\w*-]{6,}|(?=[\w*-]*[\d*])[\w*-]{20,}")


@dataclass(frozen=True, slots=True)
class Target:
    """Whom a request went to, in words for people."""

    provider: str
    model: str
    give_a_key: str = "set api_key of this backend to a valid key"
    """What the user does about a key that is missing or refused."""
    host: str = ""
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class ProviderWords:
    """An error as the provider describes it; in mid-stream there is no status."""

    message: str = ""
    code: str = ""
    status: int | None = None
    retry_after: float | None = None

    @classmethod
    def of_body(cls, body: object, status: int | None = None, retry_after: float | None = None) -> "ProviderWords":
        """Reads `{"error": {…}}`, its inside, and the plain strings that imitators send."""
        outer = cast("dict[str, Any]", body) if isinstance(body, dict) else {"error": body}
        inner: object = outer.get("error", outer)
        if not isinstance(inner, dict):
            return cls(str(inner or ""), status=status, retry_after=retry_after)
        inner = cast("dict[str, Any]", inner)
        code = inner.get("code")
        if isinstance(code, int) and status is None:
            status = code
        names = (str(inner[key]) for key in ("code", "type", "status") if inner.get(key))
        return cls(str(inner.get("message") or ""), " ".join(names), status, retry_after)


_FAILED: Final = "{who} failed ({failure}): try again in a few minutes."
# What the provider said is quoted only where the user cannot know it otherwise: a refused key may be repeated in it.
_SENTENCES: Final[Mapping[ErrorKind, str]] = {
    "bad_key": "{who} refused the key: {give_a_key}.",
    "out_of_credit": "The account at {who} has no credit or quota left: top it up, or choose another backend.",
    "not_permitted": "{who} does not let this key use {model}: ask for access, or choose another model.",
    "unknown_model": "{who} has no model {model!r}: correct `model` (or `base_url`) of this backend.",
    "rate_limited": "{who} limits the rate of requests to {model}: wait a little, or let fewer agents work at once.",
    "overloaded": "{who} is overloaded: try again in a few minutes, or choose another model.",
    "timeout": "{who} gave up on the request ({failure}): try again.",
    "too_large": "The request is too large for {who}: attach less.",
    "context_length_exceeded": "The conversation is too long for {model}: compact the session, or attach less.",
    "tools_unsupported": "{model} at {who} cannot call tools: choose another model.",
    "content_filter": "The content filter of {who} refused the request: put it in other words.",
    "bad_request": "{who} rejected the request to {model}: {words}",
}


def provider_fault(target: Target, words: ProviderWords) -> ModelError:
    kind = kind_of(code=words.code, status=words.status, words=words.message)
    if words.status is not None and 300 <= words.status < 400:
        message = f"{target.provider} redirects to another address (HTTP {words.status}): set base_url to that one."
        return ModelError("bad_request", message)
    said = quoted(words.message)
    failure = f"HTTP {words.status}" if words.status else said or "an error in mid-answer"
    message = _SENTENCES.get(kind, _FAILED).format(
        who=target.provider,
        model=target.model,
        give_a_key=target.give_a_key,
        failure=failure,
        words=said or failure,
    )
    return ModelError(kind, message, retry_after=words.retry_after)


def unreachable(target: Target, *, hung_up: bool = False) -> ModelError:
    place = target.provider if target.host == target.provider else f"{target.provider} at {target.host}"
    if hung_up:
        message = f"{place} closed the connection without an answer: try again."
    elif target.is_local:
        message = f"{place} cannot be reached: start it, or correct base_url."
    else:
        message = f"{place} cannot be reached: check the network, the proxy and base_url."
    return ModelError("connection", message)


def broken_off(target: Target) -> ModelError:
    message = f"The connection to {target.provider} broke in mid-answer: check the network and try again."
    return ModelError("connection", message)


def quoted(message: str) -> str:
    """Someone else's words in one line, without what may be a secret."""
    line = re.sub(r"://[^/@\s]+@", "://", " ".join(message.split()))
    line = _LIKE_A_KEY.sub("***", line)
    return line if len(line) <= MAX_QUOTE else line[:MAX_QUOTE] + "…"


def retry_after_seconds(headers: Mapping[str, str], now: datetime) -> float | None:
    """Milliseconds, seconds or an HTTP date: servers send any of them."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or value is None:
        return seconds
    try:
        due = parsedate_to_datetime(value)
    except ValueError:
        return None
    due = due if due.tzinfo else due.replace(tzinfo=UTC)
    return max(0.0, (due - now).total_seconds())


def _number(text: str | None) -> float | None:
    return float(text) if text is not None and re.fullmatch(r"\d+(\.\d+)?", text) else None
