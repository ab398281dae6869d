"""What a test may ask about a request, whichever format it came in."""

import asyncio
from typing import Any

import pytest
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from tests.support.model_server import ModelServer, Request, text

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}}


async def send_chat(client: AsyncOpenAI) -> None:
    await client.chat.completions.create(
        model="alpha",
        messages=[
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "Read it."}]},
            {
                "role": "assistant",
                "content": "I will.",
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "a"}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "contents"},
        ],
        tools=[{"type": "function", "function": {"name": "read_file", "parameters": SCHEMA}}],
    )


async def send_responses(client: AsyncOpenAI) -> None:
    await client.responses.create(
        model="alpha",
        instructions="Be brief.",
        input=[
            {"role": "user", "content": [{"type": "input_text", "text": "Read it."}]},
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "I will.", "annotations": []}],
            },
            {"type": "function_call", "call_id": "c1", "name": "read_file", "arguments": '{"path": "a"}'},
            {"type": "function_call_output", "call_id": "c1", "output": "contents"},
        ],
        tools=[{"type": "function", "name": "read_file", "parameters": SCHEMA, "strict": False}],
    )


async def send_messages(client: AsyncAnthropic) -> None:
    await client.messages.create(
        model="alpha",
        max_tokens=10,
        system=[{"type": "text", "text": "Be brief."}],
        messages=[
            {"role": "user", "content": "Read it."},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm", "signature": "s"},
                    {"type": "text", "text": "I will."},
                    {"type": "tool_use", "id": "c1", "name": "read_file", "input": {"path": "a"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "contents"}]}
                ],
            },
        ],
        tools=[{"name": "read_file", "input_schema": SCHEMA}],
    )


def shown(request: Request) -> dict[str, Any]:
    return {
        "system": request.system,
        "messages": request.messages,
        "tools": request.tool_names,
        "schema": request.conversation.tools["read_file"],
        "calls": request.tool_calls,
        "results": request.tool_results,
    }


@pytest.mark.asyncio
async def test_the_same_conversation_reads_alike_in_every_format(
    models: ModelServer, openai: AsyncOpenAI, anthropic: AsyncAnthropic
) -> None:
    models.model("alpha").always(text("Done"))
    await send_chat(openai)
    await send_responses(openai)
    await send_messages(anthropic)
    assert [shown(request) for request in models.requests] == [
        {
            "system": "Be brief.",
            "messages": [("user", "Read it."), ("assistant", "I will."), ("tool", "contents")],
            "tools": ["read_file"],
            "schema": SCHEMA,
            "calls": [("c1", "read_file", '{"path": "a"}')],
            "results": [("c1", "contents")],
        }
    ] * 3
    assert models.requests[0].text == "Be brief.\nRead it.\nI will.\ncontents"


@pytest.mark.asyncio
async def test_a_request_keeps_headers_body_and_bytes(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("Hello"))
    await openai.responses.create(model="alpha", input="Grüße")
    (request,) = models.requests
    assert (request.method, request.path, request.streaming) == ("POST", "/v1/responses", False)
    assert request.headers["authorization"] == "Bearer sk-scripted-openai"
    assert request.key == "sk-scripted-openai"
    assert request.body == {"model": "alpha", "input": "Grüße"}
    assert "Grüße".encode() in request.raw
    await request.answered.reaches()


@pytest.mark.asyncio
async def test_a_request_tells_when_its_client_went_away(models: ModelServer, openai: AsyncOpenAI) -> None:
    gate = models.gate("thinking")
    models.model("alpha").replies(text("Never heard").waits_for(gate))
    asked = asyncio.ensure_future(openai.responses.create(model="alpha", input="Hi"))
    await gate.reached()
    (request,) = models.requests
    assert not request.client_left
    asked.cancel()
    await request.disconnected()
    request.wait_disconnected()
    assert request.client_left
    assert request.answered.count == 0
