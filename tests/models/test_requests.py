"""What a provider is sent for a request of ours."""

from typing import Any

import pytest

from teamwright.config.presets import ApiKind
from teamwright.models.errors import ModelError
from teamwright.models.factory import Models
from teamwright.models.port import (
    Image,
    ModelReply,
    ModelRequest,
    ModelToolCall,
    NamedTool,
    ToolChoice,
    ToolResultMessage,
    UserPrompt,
)
from tests.models.asking import KEY, VOTE, WIRES, answer_of, asking, backend
from tests.support.model_server import ModelServer, text

every_wire = pytest.mark.parametrize("wire", WIRES)
PIXEL = Image(b"\x89PNG", "image/png")
CACHED = {"cache_control": {"type": "ephemeral"}}


async def sent(
    providers: Models, models: ModelServer, wire: ApiKind, request: ModelRequest, **settings: Any
) -> dict[str, Any]:
    models.model("alpha").replies(text("Fine."))
    await answer_of(providers.open(backend(models, wire, **settings)), request)
    return models.requests[-1].body


@every_wire
@pytest.mark.asyncio
async def test_the_conversation_arrives_in_its_order_with_its_key(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    conversation = (
        UserPrompt("Vote."),
        ModelReply("I look.", (ModelToolCall("c1", "vote", {"agent_id": "a"}), ModelToolCall("c2", "vote", {}))),
        ToolResultMessage("c1", "noted"),
        ToolResultMessage("c2", "agent_id is missing", is_error=True),
        UserPrompt("Go on."),
    )
    await sent(providers, models, wire, ModelRequest(conversation, system="Be brief.", tools=(VOTE,)))

    request = models.requests[-1]
    assert request.key == KEY
    assert request.system == "Be brief."
    assert request.tool_names == ["vote"]
    assert [(call.call_id, call.name) for call in request.tool_calls] == [("c1", "vote"), ("c2", "vote")]
    failed = "agent_id is missing" if wire == "anthropic" else "Error: agent_id is missing"
    assert request.messages == [
        ("user", "Vote."),
        ("assistant", "I look."),
        ("tool", "noted"),
        ("tool", failed),
        ("user", "Go on."),
    ]


@pytest.mark.asyncio
async def test_anthropic_gets_results_in_one_message_and_its_stable_prefix_and_last_blocks_cached(
    providers: Models, models: ModelServer
) -> None:
    conversation = (
        UserPrompt("Vote."),
        ModelReply("", (ModelToolCall("functions.vote:0", "vote", {"agent_id": "a"}), ModelToolCall("c2", "vote", {}))),
        ToolResultMessage("functions.vote:0", "noted"),
        ToolResultMessage("c2", "missing", is_error=True),
        UserPrompt("Go on."),
    )
    body = await sent(providers, models, "anthropic", ModelRequest(conversation, system="Be brief.", tools=(VOTE,)))

    assert body["system"] == [{"type": "text", "text": "Be brief.", **CACHED}]
    assert body["tools"] == [{"name": "vote", "description": "Vote for an answer.", "input_schema": VOTE.schema}]
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "Vote."}]},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "functions_vote_0", "name": "vote", "input": {"agent_id": "a"}},
                {"type": "tool_use", "id": "c2", "name": "vote", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "functions_vote_0", "content": "noted"},
                {"type": "tool_result", "tool_use_id": "c2", "content": "missing", "is_error": True, **CACHED},
                {"type": "text", "text": "Go on.", **CACHED},
            ],
        },
    ]


@pytest.mark.asyncio
async def test_openai_is_asked_to_store_nothing(providers: Models, models: ModelServer) -> None:
    body = await sent(providers, models, "openai_responses", asking())
    assert body["store"] is False
    assert body["include"] == ["reasoning.encrypted_content"]


@pytest.mark.parametrize(
    ("wire", "choice", "wanted"),
    [
        ("openai_chat", "required", "required"),
        ("openai_chat", NamedTool("vote"), {"type": "function", "function": {"name": "vote"}}),
        ("openai_responses", "none", "none"),
        ("openai_responses", NamedTool("vote"), {"type": "function", "name": "vote"}),
        ("anthropic", "auto", {"type": "auto"}),
        ("anthropic", "none", {"type": "none"}),
        ("anthropic", "required", {"type": "any"}),
        ("anthropic", NamedTool("vote"), {"type": "tool", "name": "vote"}),
    ],
)
@pytest.mark.asyncio
async def test_the_choice_of_tools_is_said_in_the_providers_way(
    wire: ApiKind, choice: ToolChoice, wanted: object, providers: Models, models: ModelServer
) -> None:
    body = await sent(providers, models, wire, asking("Vote", VOTE, tool_choice=choice))
    assert body["tool_choice"] == wanted


@pytest.mark.parametrize(
    ("wire", "field"),
    [("openai_chat", "max_tokens"), ("openai_responses", "max_output_tokens"), ("anthropic", "max_tokens")],
)
@pytest.mark.asyncio
async def test_the_requests_own_limit_comes_before_the_configured_one(
    wire: ApiKind, field: str, providers: Models, models: ModelServer
) -> None:
    assert (await sent(providers, models, wire, asking(), max_tokens=500))[field] == 500
    assert (await sent(providers, models, wire, asking(max_output_tokens=70), max_tokens=500))[field] == 70


@pytest.mark.parametrize(
    ("wire", "field", "wanted"),
    [
        ("openai_chat", "reasoning_effort", "high"),
        ("openai_responses", "reasoning", {"effort": "high"}),
        ("anthropic", "thinking", {"type": "adaptive", "display": "summarized"}),
        ("anthropic", "output_config", {"effort": "high"}),
    ],
)
@pytest.mark.asyncio
async def test_the_configured_effort_is_passed_on(
    wire: ApiKind, field: str, wanted: object, providers: Models, models: ModelServer
) -> None:
    body = await sent(providers, models, wire, asking(), reasoning={"effort": "high"})
    assert body[field] == wanted


@pytest.mark.asyncio
async def test_older_claude_models_think_by_a_budget_beside_the_answer(providers: Models, models: ModelServer) -> None:
    models.model("claude-haiku-4-5").replies(text("Fine."))
    configured = backend(models, "anthropic", "claude-haiku-4-5", reasoning={"effort": "low"}, max_tokens=1000)
    await answer_of(providers.open(configured), asking("Vote", VOTE, tool_choice="required"))

    body = models.requests[-1].body
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 2048}
    assert body["max_tokens"] == 3048
    assert body["tool_choice"] == {"type": "auto"}, "a model that thinks must not be forced"


@every_wire
@pytest.mark.asyncio
async def test_images_travel_as_base64(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    body = await sent(providers, models, wire, ModelRequest((UserPrompt("Look", (PIXEL,)),)))

    url = "data:image/png;base64,iVBORw=="
    content = (body.get("messages") or body["input"])[0]["content"]
    wanted: dict[ApiKind, list[dict[str, Any]]] = {
        "openai_chat": [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": url}}],
        "openai_responses": [
            {"type": "input_text", "text": "Look"},
            {"type": "input_image", "detail": "auto", "image_url": url},
        ],
        "anthropic": [
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}, **CACHED},
            {"type": "text", "text": "Look", **CACHED},
        ],
    }
    assert content == wanted[wire]


@every_wire
@pytest.mark.asyncio
async def test_an_image_that_no_model_can_read_is_refused_before_anything_is_sent(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    request = ModelRequest((UserPrompt("Look", (Image(b"BM", "image/bmp"),)),))
    with pytest.raises(ModelError, match="attach the image as PNG, JPEG, GIF or WebP") as caught:
        await answer_of(providers.open(backend(models, wire)), request)

    assert caught.value.kind == "unsupported_image"
    assert models.requests == []


@every_wire
@pytest.mark.asyncio
async def test_the_same_conversation_gives_the_same_bytes(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    request = ModelRequest((UserPrompt("Vote."),), system="Be brief.", tools=(VOTE,))
    await sent(providers, models, wire, request)
    await sent(providers, models, wire, request)

    assert models.requests[0].raw == models.requests[1].raw


@every_wire
@pytest.mark.asyncio
async def test_nothing_of_the_users_identity_elsewhere_is_sent_to_another_host(
    wire: ApiKind, providers: Models, models: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = "authorization: Bearer of-elsewhere\nX-Api-Key: of-elsewhere\nX-Team: of-elsewhere\nX-Org: of-elsewhere"
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", elsewhere)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", elsewhere)
    for variable in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(variable, "of-elsewhere")

    await sent(providers, models, wire, asking(), headers={"x-team": "blue"})

    request = models.requests[-1]
    assert (request.headers["x-team"], request.key) == ("blue", KEY)
    assert not [name for name, value in request.headers.items() if "of-elsewhere" in value]
