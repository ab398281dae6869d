"""`GET /v1/models`, as OpenAI and as Anthropic answer it."""

from collections.abc import Sequence

from tests.support.model_server.frames import JsonObject
from tests.support.model_server.request import Request


def speaks_anthropic(request: Request) -> bool:
    """Both providers have this path; only Anthropic's clients name a version."""
    return "anthropic-version" in request.headers


def model_list(names: Sequence[str], request: Request) -> JsonObject:
    data = [model_entry(name, request) for name in names]
    if not speaks_anthropic(request):
        return {"object": "list", "data": data}
    ends = {"first_id": names[0], "last_id": names[-1]} if names else {"first_id": None, "last_id": None}
    return {"data": data, "has_more": False, **ends}


def model_entry(name: str, request: Request) -> JsonObject:
    if not speaks_anthropic(request):
        return {"id": name, "object": "model", "created": 1_780_000_000, "owned_by": "scripted"}
    return {
        "type": "model",
        "id": name,
        "display_name": name.title(),
        "created_at": "2026-01-01T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": 200_000,
        "max_tokens": 64_000,
    }
