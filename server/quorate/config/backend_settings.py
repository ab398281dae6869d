"""One model behind an agent or the assistant, as a file describes it."""

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from quorate.config.mcp_settings import McpServer
from quorate.config.presets import PRESETS
from quorate.config.problems import nearest
from quorate.config.secrets import Secret, may_be_shown
from quorate.config.section import Count, EmptyListIfNull, HeaderName, Seconds, Section, Text, Url


def _known_type(value: str) -> str:
    name = value.lower()
    if name in PRESETS:
        return name
    shown = f"unknown backend type '{value}'" if may_be_shown("type", value) else "unknown backend type"
    near = nearest(name, PRESETS)
    right = f"did you mean '{near}'?" if near else f"use one of {', '.join(PRESETS)}"
    raise PydanticCustomError("backend_type", "{what}, {right}", {"what": shown, "right": right})


BackendType = Annotated[str, AfterValidator(_known_type)]
UsdPerMtok = Annotated[float, Field(ge=0)]


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
    max_tokens: Count | None = Field(default=None, description="The most tokens of one answer.")
    reasoning: ReasoningSettings | None = Field(default=None, description="How the model thinks before it answers.")
    timeout_seconds: Seconds | None = Field(
        default=None, description="How long one call may take before it counts as failed."
    )
    context_window: Count | None = Field(
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
