"""What went wrong at a provider, told apart by its status and its words. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, cast

from quorate.models.errors import ErrorKind, ModelError

MAX_QUOTE: Final = 300


@dataclass(frozen=True, slots=True)
class Target:
    """Whom a request went to, in words for people."""

    provider: str
    model: str
    key_variables: tuple[str, ...] = ()
    host: str = ""
    is_local: bool = False

    @property
    def how_to_set_the_key(self) -> str:
        if self.key_variables:
            return f"set {' or '.join(self.key_variables)} to a valid key"
        return "set api_key of this backend to a valid key"


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


_BY_CODE: Final[tuple[tuple[str, ErrorKind], ...]] = (
    (r"context_length_exceeded|exceed_context_size", "context_length_exceeded"),
    (r"insufficient_quota|billing", "out_of_credit"),
    (r"content_filter|content_policy", "content_filter"),
    (r"overloaded", "overloaded"),
    (r"invalid_api_key|authentication_error", "bad_key"),
    (r"permission_error|permission_denied", "not_permitted"),
    (r"model_not_found|not_found_error", "unknown_model"),
    (r"request_too_large", "too_large"),
    (r"rate_limit", "rate_limited"),
    (r"timeout_error", "timeout"),
    (r"server_error|api_error", "server_error"),
)
_BY_MESSAGE: Final[tuple[tuple[str, ErrorKind], ...]] = (
    (r"context (?:length|window|size)|(?:prompt|input) is too long|too many tokens", "context_length_exceeded"),
    (r"input token count.*exceeds|reduce the length of the (?:messages|prompt|input)", "context_length_exceeded"),
    (r"credit balance|exceeded your current quota|usage limits?\b|insufficient (?:balance|credits)", "out_of_credit"),
    (r"api key not valid|invalid api key|incorrect api key", "bad_key"),
    (r"content management policy|content filter", "content_filter"),
)
_BY_STATUS: Final[Mapping[int, ErrorKind]] = {
    401: "bad_key",
    402: "out_of_credit",
    403: "not_permitted",
    404: "unknown_model",
    408: "timeout",
    413: "too_large",
    429: "rate_limited",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
_FAILED: Final = "{who} failed ({failure}): try again in a few minutes."
# What the provider said is quoted only where the user cannot know it otherwise: a refused key may be repeated in it.
_SENTENCES: Final[Mapping[ErrorKind, str]] = {
    "bad_key": "{who} refused the key: {set_the_key}.",
    "out_of_credit": "The account at {who} has no credit or quota left: top it up, or choose another backend.",
    "not_permitted": "{who} does not let this key use {model}: ask for access, or choose another model.",
    "unknown_model": "{who} has no model {model!r}: correct `model` (or `base_url`) of this backend.",
    "rate_limited": "{who} limits the rate of requests to {model}: wait a little, or let fewer agents work at once.",
    "overloaded": "{who} is overloaded: try again in a few minutes, or choose another model.",
    "timeout": "{who} gave up on the request ({failure}): try again.",
    "too_large": "The request is too large for {who}: attach less.",
    "context_length_exceeded": "The conversation is too long for {model}: compact the session, or attach less.",
    "content_filter": "The content filter of {who} refused the request: put it in other words.",
    "bad_request": "{who} rejected the request to {model}: {words}",
}
# Errors that say "rate limit" or "server error" in their type are the vague ones: a message can say it better.
_REFINED_BY_MESSAGE: Final[frozenset[ErrorKind]] = frozenset({"rate_limited", "bad_request"})


def provider_fault(target: Target, words: ProviderWords) -> ModelError:
    kind = kind_of(words)
    return ModelError(kind, sentence(kind, target, words), retry_after=words.retry_after)


def unreachable(target: Target, *, hung_up: bool = False) -> ModelError:
    if hung_up:
        message = f"{target.provider} at {target.host} closed the connection without an answer: try again."
    elif target.is_local:
        message = f"{target.provider} cannot be reached at {target.host}: start it, or correct base_url."
    else:
        message = f"{target.provider} cannot be reached at {target.host}: check the network, the proxy and base_url."
    return ModelError("connection", message)


def kind_of(words: ProviderWords) -> ErrorKind:
    kind = _first(_BY_CODE, words.code) or _of_status(words.status)
    if kind in _REFINED_BY_MESSAGE:
        return _first(_BY_MESSAGE, words.message) or kind
    return kind


def _of_status(status: int | None) -> ErrorKind:
    if status is None:
        return "server_error"
    return _BY_STATUS.get(status, "server_error" if status >= 500 else "bad_request")


def _first(table: tuple[tuple[str, ErrorKind], ...], text: str) -> ErrorKind | None:
    return next((kind for pattern, kind in table if re.search(pattern, text, re.IGNORECASE)), None)


def sentence(kind: ErrorKind, target: Target, words: ProviderWords) -> str:
    failure = f"HTTP {words.status}" if words.status else quoted(words.message) or "an error in mid-answer"
    return _SENTENCES.get(kind, _FAILED).format(
        who=target.provider,
        model=target.model,
        set_the_key=target.how_to_set_the_key,
        failure=failure,
        words=quoted(words.message) or failure,
    )


def quoted(message: str) -> str:
    """A provider's own sentence in one line, without what may be a secret."""
    line = re.sub(r"://[^/@\s]+@", "://", " ".join(message.split()))
    line = re.sub(r"\b(?:sk|pk|gsk|xai|key|AIza)[-_]?[\w*.-]{12,}", "***", line)
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
