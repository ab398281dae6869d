"""A backend as a file describes it: one model behind an agent or the assistant, and MCP servers with tools for it."""

from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from teamwright.config.presets import PRESETS
from teamwright.config.problems import nearest
from teamwright.config.secrets import Secret, may_be_shown
from teamwright.config.section import (
    EmptyListIfNull,
    HeaderName,
    Seconds,
    Section,
    Text,
    Tokens,
    Url,
    VariableName,
    Word,
)
from teamwright.protocol.base import MAX_USD


class _Server(Section):
    name: Text = Field(description="The server's name, unique in its list. In a mapping of servers it is the key.")
    allowed_tools: tuple[str, ...] | None = Field(
        default=None, description="Only these tools of the server may be called. Unset: all of them."
    )
    exclude_tools: tuple[str, ...] = Field(default=(), description="These tools of the server may not be called.")


class StdioServer(_Server):
    type: Literal["stdio"] = Field(default="stdio", description="The server is a program that we start.")
    command: Text = Field(description="The program to start.")
    args: tuple[Word, ...] = Field(default=(), description="The program's arguments.")
    env: dict[VariableName, Secret] = Field(
        default={}, description="Environment variables for the program. ${NAME} stands for a variable of yours."
    )


class HttpServer(_Server):
    type: Literal["streamable-http", "http"] = Field(description="The server is reached over HTTP.")
    url: Url = Field(description="The server's address.")
    headers: dict[HeaderName, Secret] = Field(
        default={}, description="HTTP headers for each request. ${NAME} stands for an environment variable."
    )


McpServer: TypeAlias = Annotated[StdioServer | HttpServer, Field(discriminator="type")]


# Of MassGen's, those that nothing here can speak with.
UNSUPPORTED_TYPES: Final = frozenset({"ag2", "antigravity_cli", "copilot", "inference", "nlip", "uitars"})


def _known_type(value: str) -> str:
    name = value.lower()
    if name in PRESETS:
        return name
    if name in UNSUPPORTED_TYPES:
        what, right = f"backend type '{name}' is not supported", f"use one of {', '.join(PRESETS)}"
        raise PydanticCustomError("backend_type", "{what}, {right}", {"what": what, "right": right})
    shown = f"unknown backend type '{value}'" if may_be_shown("type", value) else "unknown backend type"
    near = nearest(name, PRESETS)
    right = f"did you mean '{near}'?" if near else f"use one of {', '.join(PRESETS)}"
    raise PydanticCustomError("backend_type", "{what}, {right}", {"what": shown, "right": right})


BackendType = Annotated[str, AfterValidator(_known_type)]
UsdPerMtok = Annotated[float, Field(ge=0, le=MAX_USD)]


class ReasoningSettings(Section):
    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = Field(
        default=None, description="How much the model thinks before it answers. Unset: the model's own default."
    )
    summary: Literal["auto", "concise", "detailed"] | None = Field(
        default=None, description="How the model's thinking is summed up for you, where the provider can do that."
    )


class PriceSettings(Section):
    unknown_keys: ClassVar[Literal["warning", "fault"]] = "fault"

    input_per_mtok: UsdPerMtok = Field(description="US dollars per million input tokens.")
    output_per_mtok: UsdPerMtok = Field(description="US dollars per million output tokens.")
    cached_per_mtok: UsdPerMtok | None = Field(
        default=None,
        description="US dollars per million input tokens that come from the provider's cache. Unset: as other input.",
    )


class BackendSettings(Section):
    type: BackendType = Field(
        description="The provider: openai, claude, gemini, grok, openrouter, ollama and others, any OpenAI-compatible "
        "server (chatcompletion with base_url), a program on the PATH (claude_code, codex, gemini_cli), or offline."
    )
    model: Text | None = Field(
        default=None, description="The model's name as the provider knows it. Unset: the provider's default, if any."
    )
    base_url: Url | None = Field(
        default=None,
        description="The address of the API. Unset: the provider's own. With openai, another address than the "
        "provider's own is spoken to in chat completions.",
    )
    api_key: Secret | None = Field(
        default=None,
        description="Where the key comes from, as ${NAME}. Unset: the provider's usual variable.",
    )
    temperature: float | None = Field(
        default=None, ge=0, le=2, description="How much chance there is in the answers, where the model takes it."
    )
    max_tokens: Tokens | None = Field(default=None, description="The most tokens of one answer.")
    reasoning: ReasoningSettings | None = Field(default=None, description="How the model thinks before it answers.")
    timeout_seconds: Seconds | None = Field(
        default=None, description="How long one call may take before it counts as failed."
    )
    context_window: Tokens | None = Field(
        default=None, description="How many tokens the model can read. Unset: what is known of the model."
    )
    price: PriceSettings | None = Field(
        default=None,
        description="What the model costs you. Unset: what the provider says, or what is publicly known of the model.",
    )
    tool_calling: Literal["auto", "native", "fenced"] = Field(
        default="auto",
        description="How the model calls tools: native is the provider's or the program's own way, fenced a block in "
        "the text of its answer, which any model can write; auto is native until the model turns out not to have it.",
    )
    headers: dict[HeaderName, Secret] = Field(
        default={}, description="Further HTTP headers for each request. ${NAME} stands for an environment variable."
    )
    program: Text | None = Field(
        default=None, description="For programs: the name or path to start instead of the usual one."
    )
    mcp_servers: Annotated[tuple[McpServer, ...], EmptyListIfNull] = Field(
        default=(), description="MCP servers whose tools this agent alone may use, besides those of the whole team."
    )
