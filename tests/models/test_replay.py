"""What a provider wants back: signed and encrypted thoughts, to the one who gave them and to nobody else."""

from typing import Any

import pytest

from teamwright.config.presets import ApiKind
from teamwright.models.factory import Models
from teamwright.models.http.chat import ChatMemory
from teamwright.models.port import (
    ModelReply,
    ModelRequest,
    ModelToolCall,
    Replay,
    StreamFinished,
    ToolResultMessage,
    UserPrompt,
)
from tests.models.asking import VOTE, answer_of, asking, backend, calls_of
from tests.support.model_server import ModelServer, answer, raw_tool, text, thinking, tool

ASKED = UserPrompt("Vote")


async def replayed(providers: Models, models: ModelServer, wire: ApiKind) -> tuple[ModelToolCall, Replay]:
    models.model("alpha").replies(
        answer(thinking("Hm.", signature="sealed"), "I vote.", tool("vote", agent_id="agent1").with_id("c1"))
    )
    parts = await answer_of(providers.open(backend(models, wire)), asking("Vote", VOTE))
    finished = parts[-1]
    assert isinstance(finished, StreamFinished)
    assert finished.replay is not None
    return calls_of(parts)[0], finished.replay


async def next_request(
    providers: Models, models: ModelServer, wire: ApiKind, model: str, remembered: tuple[ModelToolCall, Replay]
) -> dict[str, Any]:
    call, replay = remembered
    models.model(model).replies(text("Done."))
    said = ModelReply("I vote.", (call,), replay)
    conversation = (ASKED, said, ToolResultMessage(call.call_id, "noted"))
    await answer_of(providers.open(backend(models, wire, model)), ModelRequest(conversation, tools=(VOTE,)))
    return models.requests[-1].body


@pytest.mark.asyncio
async def test_anthropic_gets_its_signed_thoughts_back(providers: Models, models: ModelServer) -> None:
    remembered = await replayed(providers, models, "anthropic")
    body = await next_request(providers, models, "anthropic", "alpha", remembered)

    assert body["messages"][1] == {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "sealed"},
            {"type": "text", "text": "I vote."},
            {"type": "tool_use", "id": "c1", "name": "vote", "input": {"agent_id": "agent1"}},
        ],
    }


@pytest.mark.asyncio
async def test_openai_gets_its_encrypted_thoughts_back(providers: Models, models: ModelServer) -> None:
    remembered = await replayed(providers, models, "openai_responses")
    body = await next_request(providers, models, "openai_responses", "alpha", remembered)

    kinds = [item.get("type", "message") for item in body["input"]]
    assert kinds == ["message", "reasoning", "message", "function_call", "function_call_output"]
    assert body["input"][1]["encrypted_content"] == "sealed"


@pytest.mark.asyncio
async def test_a_chat_server_gets_the_thoughts_of_a_tool_call_back(providers: Models, models: ModelServer) -> None:
    remembered = await replayed(providers, models, "openai_chat")
    body = await next_request(providers, models, "openai_chat", "alpha", remembered)

    arguments = '{"agent_id":"agent1"}'
    assert body["messages"][1] == {
        "role": "assistant",
        "content": "I vote.",
        "reasoning_content": "Hm.",
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "vote", "arguments": arguments}}],
    }


@pytest.mark.parametrize("wire", ["openai_chat", "openai_responses", "anthropic"])
@pytest.mark.asyncio
async def test_another_model_is_shown_the_text_and_the_calls_alone(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    remembered = await replayed(providers, models, wire)
    await next_request(providers, models, wire, "beta", remembered)

    assert "Hm." not in str(models.requests[-1].body)
    assert models.requests[-1].messages == [("user", "Vote"), ("assistant", "I vote."), ("tool", "noted")]
    assert [called.call_id for called in models.requests[-1].tool_calls] == ["c1"]


@pytest.mark.parametrize("wire", ["openai_responses", "anthropic"])
@pytest.mark.asyncio
async def test_an_invalid_call_goes_back_with_arguments_that_the_provider_accepts(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(answer(thinking("Hm."), raw_tool("vote", '{"agent_id": ').with_id("c1")), text("Ok."))
    model = providers.open(backend(models, wire))
    parts = await answer_of(model, asking("Vote", VOTE))
    finished = parts[-1]
    assert isinstance(finished, StreamFinished)

    said = ModelReply("", (ModelToolCall("c1", "vote", {}),), finished.replay)
    conversation = (ASKED, said, ToolResultMessage("c1", "not valid JSON", is_error=True))
    await answer_of(model, ModelRequest(conversation, tools=(VOTE,)))

    assert [called.arguments for called in models.requests[-1].tool_calls] == ["{}"]


def test_the_pieces_of_a_reasoning_detail_are_put_together() -> None:
    memory = ChatMemory("here")
    memory.note({"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "One ", "signature": None}]})
    memory.note({"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "two.", "signature": "sealed"}]})
    memory.text.append("Three.")

    detail = {"type": "reasoning.text", "index": 0, "text": "One two.", "signature": "sealed"}
    said = {"role": "assistant", "content": "Three.", "reasoning_details": [detail]}
    assert memory.replay(()) == Replay("here", (said,))
