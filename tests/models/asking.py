"""How these tests open a model and ask it."""

from contextlib import aclosing
from dataclasses import replace
from typing import Any, Final, TypeAlias

from teamwright.config.backend_settings import BackendSettings
from teamwright.config.backends import ApiBackend, CliBackend
from teamwright.config.presets import ApiKind
from teamwright.config.secrets import Secret
from teamwright.models.port import (
    Deadlines,
    Model,
    ModelRequest,
    ModelToolCall,
    Part,
    ReasoningDelta,
    TextDelta,
    ToolCallCompleted,
    ToolCallInvalid,
    ToolSpec,
    UserPrompt,
)
from tests.support.model_server import ModelServer

KEY: Final = "sk-very-secret-key-0123456789"
KEY_VARIABLE: Final = "SCRIPTED_KEY"
WIRES: Final[tuple[ApiKind, ...]] = ("openai_chat", "openai_responses", "anthropic")

_TYPES: Final[dict[ApiKind, str]] = {
    "openai_chat": "chatcompletion",
    "openai_responses": "openai",
    "anthropic": "claude",
}
VOTE: Final = ToolSpec(
    "vote",
    "Vote for an answer.",
    {
        "type": "object",
        "properties": {"agent_id": {"type": "string"}, "reason": {"type": "string"}},
        "required": ["agent_id"],
        "additionalProperties": False,
    },
)

Settings: TypeAlias = Any


def backend(
    models: ModelServer, wire: ApiKind = "openai_chat", model: str = "alpha", **settings: Settings
) -> ApiBackend:
    return backend_at(models.url if wire == "anthropic" else models.openai_url, wire, model, **settings)


def backend_at(url: str, wire: ApiKind, model: str = "alpha", **settings: Settings) -> ApiBackend:
    return ApiBackend(
        kind=wire,
        model=model,
        base_url=url,
        key=Secret(f"${{{KEY_VARIABLE}}}"),
        key_needed=True,
        settings=BackendSettings(type=_TYPES[wire], model=model, base_url=url, **settings),
    )


def named(wire: ApiKind, url: str) -> str:
    """How an error speaks of the provider at that address."""
    host = url.removeprefix("http://").removesuffix("/v1")
    return {"openai_chat": host, "openai_responses": "OpenAI", "anthropic": "Anthropic"}[wire]


def asking(text: str = "Hello", *tools: ToolSpec, **changes: Any) -> ModelRequest:
    return replace(ModelRequest((UserPrompt(text),), tools=tools), **changes)


def hasty(**limits: float) -> Deadlines:
    """Generous but for what the test is about."""
    return replace(Deadlines(connect=10, first_byte=10, idle=10, whole=20), **limits)


async def answer_of(model: Model, request: ModelRequest) -> list[Part]:
    async with aclosing(model.stream(request)) as parts:
        return [part async for part in parts]


def text_of(parts: list[Part]) -> str:
    return "".join(part.text for part in parts if isinstance(part, TextDelta))


def reasoning_of(parts: list[Part]) -> str:
    return "".join(part.text for part in parts if isinstance(part, ReasoningDelta))


def calls_of(parts: list[Part]) -> list[ModelToolCall]:
    return [part.call for part in parts if isinstance(part, ToolCallCompleted)]


def problems_of(parts: list[Part]) -> list[str]:
    return [part.problem for part in parts if isinstance(part, ToolCallInvalid)]


def program_backend(type_: str, program: str, model: str | None = None, **settings: Settings) -> CliBackend:
    return CliBackend(program, model, BackendSettings(type=type_, model=model, program=program, **settings))
