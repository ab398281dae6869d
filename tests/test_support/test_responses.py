"""OpenAI's responses, read by OpenAI's own client."""

import json
from typing import Any

import pytest
from openai import AsyncOpenAI
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from tests.support.model_server import (
    ModelServer,
    Usage,
    answer,
    calls,
    empty,
    fails,
    filtered,
    refuses,
    text,
    thinking,
    tool,
)

EVENT: TypeAdapter[ResponseStreamEvent] = TypeAdapter(ResponseStreamEvent)


async def stream(client: AsyncOpenAI, **options: Any) -> list[ResponseStreamEvent]:
    events = await client.responses.create(model="alpha", input="Hi", stream=True, **options)
    return [event async for event in events]


async def ask(client: AsyncOpenAI) -> Response:
    return await client.responses.create(model="alpha", input="Hi")


@pytest.mark.asyncio
async def test_text_is_streamed_through_an_item_and_its_part(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("Good morning"))
    events = await stream(openai)
    assert [event.type for event in events] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    assert [event.delta for event in events if event.type == "response.output_text.delta"] == ["Good ", "morning"]


@pytest.mark.asyncio
async def test_reasoning_is_streamed_as_a_summary_and_sealed_on_request(
    models: ModelServer, openai: AsyncOpenAI
) -> None:
    models.model("alpha").replies(answer(thinking("Let me see", signature="sealed"), "Yes"))
    events = await stream(openai, include=["reasoning.encrypted_content"])
    assert [event.delta for event in events if event.type == "response.reasoning_summary_text.delta"] == [
        "Let ",
        "me ",
        "see",
    ]
    items = [event.item for event in events if event.type == "response.output_item.done"]
    assert items[0].model_dump(exclude_none=True) == {
        "id": "rs_000000010000",
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": "Let me see"}],
        "encrypted_content": "sealed",
    }


@pytest.mark.asyncio
async def test_parallel_calls_stream_their_arguments(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(calls(tool("vote", agent_id="agent1"), tool("read_file", path="a.py")))
    events = await stream(openai)
    pieces = [event for event in events if event.type == "response.function_call_arguments.delta"]
    assert [(piece.output_index, piece.delta) for piece in pieces] == [
        (0, '{"agent_id":'),
        (0, '"agent1"}'),
        (1, '{"path":"a.p'),
        (1, 'y"}'),
    ]
    items = [event.item for event in events if event.type == "response.output_item.done"]
    assert [item.model_dump(include={"call_id", "name", "arguments", "status"}) for item in items] == [
        {"call_id": "call_1_0", "name": "vote", "arguments": '{"agent_id":"agent1"}', "status": "completed"},
        {"call_id": "call_1_1", "name": "read_file", "arguments": '{"path":"a.py"}', "status": "completed"},
    ]


@pytest.mark.asyncio
async def test_usage_comes_with_the_completed_response(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(
        text("Hello").costing(Usage(input=100, output=20, cached=64, cache_written=16, reasoning=8))
    )
    last = (await stream(openai))[-1]
    assert last.type == "response.completed"
    assert last.response.usage is not None
    assert last.response.usage.model_dump(exclude_none=True) == {
        "input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 64, "cache_write_tokens": 16},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 8},
        "total_tokens": 120,
    }


@pytest.mark.asyncio
async def test_an_answer_in_one_piece_equals_the_completed_response_of_the_stream(
    models: ModelServer, openai: AsyncOpenAI
) -> None:
    models.model("alpha").always(answer(thinking("Hm"), "Hello", tool("vote", agent_id="agent1").with_id("call_a")))
    whole = await ask(openai)
    last = (await stream(openai))[-1]
    assert last.type == "response.completed"
    assert whole.output_text == "Hello"
    unlike = {"id": True, "output": {"__all__": {"id"}}}
    assert whole.model_dump(exclude=unlike) == last.response.model_dump(exclude=unlike)


@pytest.mark.asyncio
async def test_the_typed_stream_helper_rebuilds_the_response(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(answer("Hello there", tool("vote", agent_id="agent1")))
    async with openai.responses.stream(model="alpha", input="Hi") as events:
        response = await events.get_final_response()
    assert response.output_text == "Hello there"
    assert [item.arguments for item in response.output if item.type == "function_call"] == ['{"agent_id":"agent1"}']


@pytest.mark.asyncio
async def test_the_status_tells_why_an_answer_is_short(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("To be cont").truncated(), filtered("Once"), refuses("I cannot"), empty())
    got = [await ask(openai) for _ in range(4)]
    assert [(each.status, each.incomplete_details and each.incomplete_details.reason) for each in got] == [
        ("incomplete", "max_output_tokens"),
        ("incomplete", "content_filter"),
        ("completed", None),
        ("completed", None),
    ]
    refusal = got[2].output[0]
    assert refusal.type == "message"
    assert refusal.content[0].model_dump() == {"type": "refusal", "refusal": "I cannot"}
    assert got[3].output == []


@pytest.mark.asyncio
async def test_a_truncated_stream_ends_with_an_incomplete_response(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("To be cont").truncated())
    assert (await stream(openai))[-1].type == "response.incomplete"


@pytest.mark.asyncio
async def test_every_event_is_numbered_and_valid_by_the_types_of_openai(
    models: ModelServer, openai: AsyncOpenAI
) -> None:
    models.model("alpha").replies(
        answer(thinking("Hm"), "I vote", tool("vote", agent_id="agent1")),
        refuses("I cannot"),
        text("To be cont").truncated(),
    )
    tools = [{"type": "function", "name": "vote", "parameters": {"type": "object"}, "strict": False}]
    for _ in range(3):
        events = await stream(openai, tools=tools, instructions="Be brief.")
        assert [event.sequence_number for event in events] == list(range(len(events)))
        for event in events:
            EVENT.validate_python(event.model_dump(), strict=True)


@pytest.mark.asyncio
async def test_an_error_in_the_stream_is_an_error_event_and_a_failed_response(
    models: ModelServer, openai: AsyncOpenAI
) -> None:
    models.model("alpha").replies(text("Good morning").breaks(fails(503), after=1))
    request = openai.responses.with_streaming_response.create(model="alpha", input="Hi", stream=True)
    async with request as response:
        lines = [line async for line in response.iter_lines()]
    error, failed = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")][-2:]
    sentence = "The server is currently overloaded. Please try again later."
    assert error == {
        "type": "error",
        "error": {"message": sentence, "type": "server_error", "param": None, "code": None},
        "sequence_number": 5,
    }
    assert failed["type"] == "response.failed"
    assert failed["response"]["status"] == "failed"
    assert failed["response"]["error"] == {"code": "server_error", "message": sentence}
