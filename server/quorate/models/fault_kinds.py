"""Tells a provider's errors apart by their code, their status and, where these are vague, their words. Pure."""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from quorate.models.errors import ErrorKind

_Table: TypeAlias = tuple[tuple[re.Pattern[str], ErrorKind], ...]


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


def kind_of(*, code: str, status: int | None, words: str) -> ErrorKind:
    kind = _first(_BY_CODE, code) or _of_status(status)
    return _first(_BY_WORDS, words) or kind if kind in _VAGUE else kind


def _of_status(status: int | None) -> ErrorKind:
    if status is None:
        return "server_error"
    return _BY_STATUS.get(status, "server_error" if status >= 500 else "bad_request")


def _first(table: _Table, text: str) -> ErrorKind | None:
    return next((kind for pattern, kind in table if pattern.search(text)), None)
