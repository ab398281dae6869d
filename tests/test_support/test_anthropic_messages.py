"""Anthropic's messages, read by Anthropic's own client."""

from typing import Any

import pytest
from anthropic import AsyncAnthropic
from anthropic.types import Message, MessageParam, RawMessageStreamEvent
from pydantic import TypeAdapter

from tests.support.model_server import (
    ModelServer,
    Usage,
    answer,
    calls,
    empty,
    filtered,
    refuses,
    text,
    thinking,
    tool,
)

ASKED: list[MessageParam] = [{"role": "user", "content": "Hi"}]
EVENT: TypeAdapter[RawMessageStreamEvent] = TypeAdapter(RawMessageStreamEvent)


async def stream(client: AsyncAnthropic) -> list[RawMessageStreamEvent]:
    events = await client.messages.create(model="alpha", max_tokens=100, messages=ASKED, stream=True)
    return [event async for event in events]


async def ask(client: AsyncAnthropic) -> Message:
    return await client.messages.create(model="alpha", max_tokens=100, messages=ASKED)


def deltas(events: list[RawMessageStreamEvent]) -> list[dict[str, Any]]:
    return [event.delta.model_dump() for event in events if event.type == "content_block_delta"]


@pytest.mark.asyncio
async def test_text_is_streamed_through_a_content_block(models: ModelServer, anthropic: AsyncAnthropic) -> None:
    models.model("alpha").replies(text("Good morning"))
    events = await stream(anthropic)
    assert [event.type for event in events] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert deltas(events) == [{"type": "text_delta", "text": "Good "}, {"type": "text_delta", "text": "morning"}]


@pytest.mark.asyncio
async def test_thinking_ends_with_its_signature(models: ModelServer, anthropic: AsyncAnthropic) -> None:
    models.model("alpha").replies(answer(thinking("Let me see", signature="signed"), "Yes"))
    assert deltas(await stream(anthropic)) == [
        {"type": "thinking_delta", "thinking": "Let "},
        {"type": "thinking_delta", "thinking": "me "},
        {"type": "thinking_delta", "thinking": "see"},
        {"type": "signature_delta", "signature": "signed"},
        {"type": "text_delta", "text": "Yes"},
    ]


@pytest.mark.asyncio
async def test_parallel_calls_stream_their_input_as_partial_json(
    models: ModelServer, anthropic: AsyncAnthropic
) -> None:
    models.model("alpha").replies(calls(tool("vote", agent_id="agent1"), tool("read_file", path="a.py")))
    events = await stream(anthropic)
    started = [event.content_block for event in events if event.type == "content_block_start"]
    assert [block.model_dump(include={"type", "id", "name", "input"}) for block in started] == [
        {"type": "tool_use", "id": "toolu_1_0", "name": "vote", "input": {}},
        {"type": "tool_use", "id": "toolu_1_1", "name": "read_file", "input": {}},
    ]
    pieces = [
        (event.index, event.delta.partial_json)
        for event in events
        if event.type == "content_block_delta" and event.delta.type == "input_json_delta"
    ]
    assert pieces == [(0, ""), (0, '{"agent_id":'), (0, '"agent1"}'), (1, ""), (1, '{"path":"a.p'), (1, 'y"}')]


@pytest.mark.asyncio
async def test_usage_comes_at_the_start_and_is_completed_at_the_end(
    models: ModelServer, anthropic: AsyncAnthropic
) -> None:
    models.model("alpha").replies(text("Hello").costing(Usage(input=100, output=20, cached=64, cache_written=16)))
    events = await stream(anthropic)
    start = events[0]
    assert start.type == "message_start"
    counts = {"input_tokens": 20, "cache_read_input_tokens": 64, "cache_creation_input_tokens": 16}
    assert start.message.usage.model_dump(include={*counts, "output_tokens"}) == {**counts, "output_tokens": 1}
    end = events[-2]
    assert end.type == "message_delta"
    assert end.usage.model_dump(exclude_none=True) == {**counts, "output_tokens": 20}


@pytest.mark.asyncio
async def test_the_typed_stream_helper_rebuilds_the_message_given_in_one_piece(
    models: ModelServer, anthropic: AsyncAnthropic
) -> None:
    models.model("alpha").always(answer(thinking("Hm"), "I vote", tool("vote", agent_id="agent1").with_id("toolu_a")))
    whole = await ask(anthropic)
    async with anthropic.messages.stream(model="alpha", max_tokens=100, messages=ASKED) as events:
        rebuilt = await events.get_final_message()
    assert [block.model_dump(exclude_none=True) for block in whole.content] == [
        {"type": "thinking", "thinking": "Hm", "signature": "sig_scripted"},
        {"type": "text", "text": "I vote"},
        {
            "type": "tool_use",
            "id": "toolu_a",
            "name": "vote",
            "input": {"agent_id": "agent1"},
            "caller": {"type": "direct"},
        },
    ]
    assert rebuilt.model_dump(exclude={"id"}, exclude_none=True) == whole.model_dump(exclude={"id"}, exclude_none=True)


@pytest.mark.asyncio
async def test_the_stop_reason_tells_why_an_answer_is_short(models: ModelServer, anthropic: AsyncAnthropic) -> None:
    models.model("alpha").replies(
        text("To be cont").truncated(),
        text("Too lo").overflowing(),
        filtered("Once"),
        refuses("I cannot"),
        empty(),
    )
    got = [await ask(anthropic) for _ in range(5)]
    assert [(each.stop_reason, [block.type for block in each.content]) for each in got] == [
        ("max_tokens", ["text"]),
        ("model_context_window_exceeded", ["text"]),
        ("refusal", ["text"]),
        ("refusal", ["text"]),
        ("end_turn", []),
    ]


@pytest.mark.asyncio
async def test_every_event_is_valid_by_the_types_of_anthropic(models: ModelServer, anthropic: AsyncAnthropic) -> None:
    everything = answer(thinking("Hm"), "I vote", tool("vote", agent_id="agent1"))
    models.model("alpha").replies(everything, refuses("I cannot"), everything)
    for _ in range(2):
        for event in await stream(anthropic):
            EVENT.validate_python(event.model_dump(), strict=True)
    Message.model_validate((await ask(anthropic)).model_dump(), strict=True)
