"""OpenAI's errors, in the words and types that its API uses."""

from tests.support.model_server.faults import Fault, FaultKind, ProviderError
from tests.support.model_server.frames import JsonObject
from tests.support.model_server.request import Request


def openai_error(fault: Fault, request: Request) -> JsonObject:
    """The object under `error`."""
    error = _table(request)[fault.kind]
    return {
        "message": fault.message or error.message,
        "type": error.type,
        "param": error.param,
        "code": error.code,
    }


def _table(request: Request) -> dict[FaultKind, ProviderError]:
    invalid = "invalid_request_error"
    return {
        "bad_request": ProviderError(invalid, "Invalid request.", param="messages"),
        "bad_key": ProviderError(invalid, f"Incorrect API key provided: {_masked(request.key)}.", "invalid_api_key"),
        "forbidden": ProviderError(
            "request_forbidden",
            "Country, region, or territory not supported",
            "unsupported_country_region_territory",
        ),
        "unknown_model": ProviderError(
            invalid,
            f"The model `{request.model}` does not exist or you do not have access to it.",
            "model_not_found",
        ),
        "timeout": ProviderError("server_error", "Request timed out."),
        "too_large": ProviderError(invalid, "Request body is too large.", "request_too_large"),
        "rate_limit": ProviderError(
            "tokens",
            f"Rate limit reached for {request.model} on tokens per min (TPM): Limit 30000, Used 29500, "
            "Requested 900. Please try again in 800ms.",
            "rate_limit_exceeded",
        ),
        "quota": ProviderError(
            "insufficient_quota",
            "You exceeded your current quota, please check your plan and billing details.",
            "insufficient_quota",
        ),
        "server_error": ProviderError(
            "server_error", "The server had an error while processing your request. Sorry about that!"
        ),
        "unavailable": ProviderError("server_error", "The server is currently overloaded. Please try again later."),
        "overloaded": ProviderError("server_error", "The server is currently overloaded. Please try again later."),
        "context_length": _context_length(request),
    }


def _context_length(request: Request) -> ProviderError:
    if "input" in request.body:
        return ProviderError(
            "invalid_request_error",
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            "context_length_exceeded",
            "input",
        )
    return ProviderError(
        "invalid_request_error",
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. "
        "Please reduce the length of the messages.",
        "context_length_exceeded",
        "messages",
    )


def _masked(key: str) -> str:
    return f"{key[:4]}{'*' * 8}{key[-4:]}" if len(key) > 12 else key
