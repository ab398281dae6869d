"""What a model's provider may fail with, in one tree and in sentences for users."""

from typing import Literal

from teamwright.protocol.errors import TeamwrightError

ErrorKind = Literal[
    "rate_limited",
    "overloaded",
    "server_error",
    "connection",
    "timeout",
    "stalled",
    "truncated_stream",
    "empty_answer",
    "bad_key",
    "out_of_credit",
    "not_permitted",
    "unknown_model",
    "bad_request",
    "too_large",
    "endless_answer",
    "unsupported_image",
    "tools_unsupported",
    "context_length_exceeded",
    "content_filter",
    "garbled_stream",
    "program_missing",
    "program_version",
    "program_crashed",
    "program_garbage",
]

# A second try can help where the fault lies with the moment, not with the request or the set-up.
RETRYABLE: frozenset[ErrorKind] = frozenset(
    {
        "rate_limited",
        "overloaded",
        "server_error",
        "connection",
        "timeout",
        "stalled",
        "truncated_stream",
        "empty_answer",
        "garbled_stream",
        "program_crashed",
    }
)


class ModelError(TeamwrightError):
    """Its text is one sentence for the user; it never holds a key, a header or a URL's credentials."""

    def __init__(self, kind: ErrorKind, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.retry_after = retry_after

    @property
    def message(self) -> str:
        return str(self)

    @property
    def retryable(self) -> bool:
        return self.kind in RETRYABLE
