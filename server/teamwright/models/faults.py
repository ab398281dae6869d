"""What went wrong at a provider: told apart by code, status and words, and said in a sentence for the user. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeAlias, cast

from teamwright.models.errors import ErrorKind, ModelError

MAX_QUOTE: Final = 300
MAX_WORDS: Final = 2_000
# Long runs of letters and digits, and shorter ones that begin as keys do. Stars are what providers mask keys with.
_LIKE_A_KEY: Final = re.compile(r"\bsk[-_][\w*-]{6,}|(?=[\w*-]*[\d*])[\w*-]{20,}")
_Table: TypeAlias = tuple[tuple[re.Pattern[str], ErrorKind], ...]


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
            return cls(_in_short(inner), status=status, retry_after=retry_after)
        inner = cast("dict[str, Any]", inner)
        code = inner.get("code")
        if isinstance(code, int) and status is None:
            status = code
        names = (_in_short(inner[key]) for key in ("code", "type", "status") if inner.get(key))
        return cls(_in_short(inner.get("message")), " ".join(names), status, retry_after)


def _in_short(said: object) -> str:
    """Enough to tell what it is about, and little enough to be looked through."""
    return str(said or "")[:MAX_WORDS]


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
    kind = _kind_of(code=words.code, status=words.status, words=words.message)
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


def garbled(target: Target) -> ModelError:
    message = f"{target.provider} sent something that is no event of its format: check base_url."
    return ModelError("garbled_stream", message)


def quoted(message: str) -> str:
    """Someone else's words in one line, without what may be a secret."""
    line = re.sub(r"://[^/@\s]+@", "://", " ".join(message[:MAX_WORDS].split()))
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


def _table(*rows: tuple[str, ErrorKind]) -> _Table:
    return tuple((re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in rows)


_BY_CODE: Final = _table(
    (r"context_length_exceeded|exceed_context_size", "context_length_exceeded"),
    (r"insufficient_quota|billing", "out_of_credit"),
    (r"content_filter|content_policy", "content_filter"),
    (r"overloaded", "overloaded"),
    (r"invalid_api_key|authentication", "bad_key"),
    (r"permission_error|permission_denied", "not_permitted"),
    (r"model_not_found|not_found_error", "unknown_model"),
    (r"request_too_large", "too_large"),
    (r"rate_limit", "rate_limited"),
    (r"timeout_error", "timeout"),
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
_VAGUE: Final[frozenset[ErrorKind]] = frozenset({"rate_limited", "bad_request", "server_error"})
_BY_WORDS: Final = _table(
    (r"context (?:length|window|size)|(?:prompt|input) is too long|too many tokens", "context_length_exceeded"),
    (r"input token count.*exceeds|reduce the length of the (?:messages|prompt|input)", "context_length_exceeded"),
    (r"does not support tools|tools param requires|tool choice requires", "tools_unsupported"),
    (r"credit balance|exceeded your current quota|usage limits?\b|insufficient (?:balance|credits)", "out_of_credit"),
    (r"(?:invalid|incorrect) api key|api key not valid|not logged in|please (?:log|sign) in", "bad_key"),
    (r"content management policy|content filter", "content_filter"),
    (r"overloaded", "overloaded"),
    (r"rate limit|too many requests|resource.?exhausted|quota", "rate_limited"),
)


def _kind_of(*, code: str, status: int | None, words: str) -> ErrorKind:
    kind = _first(_BY_CODE, code) or _of_status(status)
    return _first(_BY_WORDS, words) or kind if kind in _VAGUE else kind


def _of_status(status: int | None) -> ErrorKind:
    if status is None:
        return "server_error"
    return _BY_STATUS.get(status, "server_error" if status >= 500 else "bad_request")


def _first(table: _Table, text: str) -> ErrorKind | None:
    return next((kind for pattern, kind in table if pattern.search(text)), None)
