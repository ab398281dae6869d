"""What may go wrong at a provider, named once; each format has its own words for it."""

from dataclasses import dataclass
from typing import Literal

FaultKind = Literal[
    "bad_request",
    "bad_key",
    "forbidden",
    "unknown_model",
    "timeout",
    "too_large",
    "rate_limit",
    "quota",
    "server_error",
    "unavailable",
    "overloaded",
    "context_length",
]

_KIND_BY_STATUS: dict[int, FaultKind] = {
    400: "bad_request",
    401: "bad_key",
    403: "forbidden",
    404: "unknown_model",
    408: "timeout",
    413: "too_large",
    429: "rate_limit",
    500: "server_error",
    503: "unavailable",
    529: "overloaded",
}


@dataclass(frozen=True)
class Fault:
    """One error as a provider reports it. Without a message it has the provider's own sentence."""

    kind: FaultKind
    status: int
    message: str | None = None


def fault_of_status(status: int, message: str | None = None) -> Fault:
    kind = _KIND_BY_STATUS.get(status, "server_error" if status >= 500 else "bad_request")
    return Fault(kind, status, message)


@dataclass(frozen=True)
class ProviderError:
    """A fault in a provider's own words: the type, code and sentence of its error bodies."""

    type: str
    message: str
    code: str | None = None
    param: str | None = None
