"""OpenAI's chat completions, read by OpenAI's own client."""

from typing import Any

import pytest
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessageParam

from tests.support.model_server import (
    ModelServer,
    Quirks,
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

ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Hi"}]


async def ask(client: AsyncOpenAI) -> ChatCompletion:
    return await client.chat.completions.create(model="alpha", messages=ASKED)


async def stream(client: AsyncOpenAI) -> list[ChatCompletionChunk]:
    chunks = await client.chat.completions.create(
        model="alpha", messages=ASKED, stream=True, stream_options={"include_usage": True}
    )
    return [chunk async for chunk in chunks]


def deltas(chunks: list[ChatCompletionChunk]) -> list[dict[str, Any]]:
    return [
        choice.delta.model_dump(exclude_none=True)
        for chunk in chunks
        for choice in chunk.choices
        if choice.finish_reason is None
    ]


@pytest.mark.asyncio
async def test_text_is_streamed_word_by_word_between_a_role_and_a_finish_reason(
    models: ModelServer, openai: AsyncOpenAI
) -> None:
    models.model("alpha").replies(text("Good morning, you"))
    chunks = await stream(openai)
    assert deltas(chunks) == [
        {"role": "assistant", "content": ""},
        {"content": "Good "},
        {"content": "morning, "},
        {"content": "you"},
    ]
    assert [choice.finish_reason for chunk in chunks for choice in chunk.choices] == [None, None, None, None, "stop"]


@pytest.mark.asyncio
async def test_usage_comes_in_a_last_chunk_without_choices(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("Hello").costing(Usage(input=100, output=20, cached=64, reasoning=8)))
    *others, last = await stream(openai)
    assert last.choices == []
    assert last.usage is not None
    assert last.usage.model_dump(include={"prompt_tokens", "completion_tokens", "total_tokens"}) == {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
    }
    assert last.usage.prompt_tokens_details is not None
    assert last.usage.prompt_tokens_details.cached_tokens == 64
    assert last.usage.completion_tokens_details is not None
    assert last.usage.completion_tokens_details.reasoning_tokens == 8
    assert [chunk.usage for chunk in others] == [None] * len(others)


@pytest.mark.asyncio
async def test_without_asking_for_it_a_stream_carries_no_usage(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("Hello"))
    chunks = [chunk async for chunk in await openai.chat.completions.create(model="alpha", messages=ASKED, stream=True)]
    assert all(chunk.choices and chunk.usage is None for chunk in chunks)


@pytest.mark.asyncio
async def test_parallel_calls_come_in_fragments_with_id_and_name_only_in_the_first(
    models: ModelServer, openai: AsyncOpenAI
) -> None:
    models.model("alpha").replies(calls(tool("vote", agent_id="agent1"), tool("read_file", path="a.py")))
    chunks = await stream(openai)
    fragments = [call for delta in deltas(chunks) for call in delta.get("tool_calls", [])]
    assert fragments == [
        {"index": 0, "id": "call_1_0", "type": "function", "function": {"name": "vote", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"agent_id":'}},
        {"index": 0, "function": {"arguments": '"agent1"}'}},
        {"index": 1, "id": "call_1_1", "type": "function", "function": {"name": "read_file", "arguments": ""}},
        {"index": 1, "function": {"arguments": '{"path":"a.p'}},
        {"index": 1, "function": {"arguments": 'y"}'}},
    ]
    assert chunks[-2].choices[0].finish_reason == "tool_calls"


@pytest.mark.asyncio
async def test_the_typed_stream_helper_rebuilds_interleaved_calls(models: ModelServer, openai: AsyncOpenAI) -> None:
    scripted = calls(tool("vote", agent_id="agent1"), tool("read_file", path="a/rather/long/path.py"))
    models.model("alpha").replies(scripted.with_quirks(Quirks(interleaved_calls=True)))
    async with openai.chat.completions.stream(model="alpha", messages=ASKED) as events:
        completion = await events.get_final_completion()
    rebuilt = [(call.function.name, call.function.arguments) for call in completion.choices[0].message.tool_calls or []]
    assert rebuilt == [("vote", '{"agent_id":"agent1"}'), ("read_file", '{"path":"a/rather/long/path.py"}')]


@pytest.mark.asyncio
async def test_a_local_server_may_leave_out_the_index_of_a_call(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(calls(tool("vote", n=1)).with_quirks(Quirks(tool_index=False)))
    fragments = [call for delta in deltas(await stream(openai)) for call in delta.get("tool_calls", [])]
    assert fragments == [
        {"id": "call_1_0", "type": "function", "function": {"name": "vote", "arguments": ""}},
        {"function": {"arguments": '{"n":1}'}},
    ]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
@pytest.mark.asyncio
async def test_reasoning_is_streamed_in_the_field_of_the_server(
    models: ModelServer, openai: AsyncOpenAI, field: Any
) -> None:
    models.model("alpha").replies(
        answer(thinking("Let me see"), "Yes").with_quirks(Quirks(reasoning_field=field)),
    )
    assert deltas(await stream(openai))[1:] == [{field: "Let "}, {field: "me "}, {field: "see"}, {"content": "Yes"}]


@pytest.mark.asyncio
async def test_an_answer_in_one_piece_has_the_whole_message(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(answer(thinking("Hm"), "I vote", tool("vote", agent_id="agent1")))
    completion = await ask(openai)
    assert completion.choices[0].model_dump(exclude_none=True) == {
        "index": 0,
        "finish_reason": "tool_calls",
        "message": {
            "role": "assistant",
            "content": "I vote",
            "annotations": [],
            "reasoning_content": "Hm",
            "tool_calls": [
                {
                    "id": "call_1_0",
                    "type": "function",
                    "function": {"name": "vote", "arguments": '{"agent_id":"agent1"}'},
                }
            ],
        },
    }
    assert completion.usage is not None
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (12, 7)


@pytest.mark.asyncio
async def test_the_finish_reason_tells_why_an_answer_is_short(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("To be cont").truncated(), filtered("Once"), refuses("I cannot"), empty())
    finished = [(await ask(openai)).choices[0] for _ in range(4)]
    assert [(choice.finish_reason, choice.message.content, choice.message.refusal) for choice in finished] == [
        ("length", "To be cont", None),
        ("content_filter", "Once", None),
        ("stop", None, "I cannot"),
        ("stop", None, None),
    ]


@pytest.mark.asyncio
async def test_every_event_is_valid_by_the_types_of_openai(models: ModelServer, openai: AsyncOpenAI) -> None:
    everything = answer(thinking("Hm"), "I vote", tool("vote", agent_id="agent1"))
    models.model("alpha").replies(everything, everything, refuses("No"))
    for _ in range(2):
        for chunk in await stream(openai):
            ChatCompletionChunk.model_validate(chunk.model_dump(), strict=True)
    ChatCompletion.model_validate((await ask(openai)).model_dump(), strict=True)
