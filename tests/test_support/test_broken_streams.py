"""What may happen to a stream on its way, as the providers' own clients live through it."""

import json
from collections.abc import AsyncGenerator, Callable
from typing import Literal

import anthropic as anthropic_sdk
import httpx2
import openai as openai_sdk
import pytest
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from tests.support.model_server import ModelServer, calls, context_exceeded, empty, fails, raw_tool, text

Stream = Callable[[], AsyncGenerator[str]]


@pytest.fixture
def chat(openai: AsyncOpenAI) -> Stream:
    async def words() -> AsyncGenerator[str]:
        events = await openai.chat.completions.create(
            model="alpha", messages=[{"role": "user", "content": "Hi"}], stream=True
        )
        async with events:
            async for event in events:
                if content := event.choices[0].delta.content:
                    yield content

    return words


@pytest.fixture
def responses(openai: AsyncOpenAI) -> Stream:
    async def words() -> AsyncGenerator[str]:
        async with await openai.responses.create(model="alpha", input="Hi", stream=True) as events:
            async for event in events:
                if event.type == "response.output_text.delta":
                    yield event.delta

    return words


@pytest.fixture
def messages(anthropic: AsyncAnthropic) -> Stream:
    async def words() -> AsyncGenerator[str]:
        events = await anthropic.messages.create(
            model="alpha", max_tokens=10, messages=[{"role": "user", "content": "Hi"}], stream=True
        )
        async with events:
            async for event in events:
                if event.type == "content_block_delta" and event.delta.type == "text_delta":
                    yield event.delta.text

    return words


@pytest.fixture(params=["chat", "responses", "messages"])
def stream(request: pytest.FixtureRequest) -> Stream:
    return request.getfixturevalue(request.param)


async def collect(stream: Stream, into: list[str]) -> None:
    async for word in stream():
        into.append(word)  # noqa: PERF401 - what came before an error must be kept


async def whole(stream: Stream) -> str:
    return "".join([word async for word in stream()])


@pytest.mark.asyncio
async def test_a_cut_stream_ends_in_a_connection_error_after_what_was_sent(models: ModelServer, stream: Stream) -> None:
    models.model("alpha").replies(text("One two three").cut(after=2))
    got: list[str] = []
    # Anthropic's client lets the error of its transport through.
    with pytest.raises((openai_sdk.APIConnectionError, httpx2.RemoteProtocolError)):
        await collect(stream, got)
    assert got == ["One ", "two "]


@pytest.mark.asyncio
async def test_a_stalled_stream_sends_nothing_more_until_the_client_goes(models: ModelServer, stream: Stream) -> None:
    models.model("alpha").replies(text("One two three").stalls(after=1))
    words = stream()
    assert await anext(words) == "One "
    assert not models.requests[0].client_left
    await words.aclose()
    await models.requests[0].disconnected()


@pytest.mark.parametrize("part", ["finish", "done"])
@pytest.mark.asyncio
async def test_a_stream_may_end_without_its_terminal_event(
    models: ModelServer, stream: Stream, part: Literal["finish", "done"]
) -> None:
    models.model("alpha").replies(text("One two").ends_before(part))
    assert await whole(stream) == "One two"


@pytest.mark.asyncio
async def test_a_stream_without_its_end_lacks_exactly_the_last_events(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("One"), text("One").ends_before("done"), text("One").ends_before("finish"))
    lines = [await raw_lines(openai) for _ in range(3)]
    assert lines[0][-1] == "data: [DONE]"
    assert json.loads(lines[1][-1].removeprefix("data: "))["choices"][0]["finish_reason"] == "stop"
    assert json.loads(lines[2][-1].removeprefix("data: "))["choices"][0]["delta"] == {"content": "One"}


async def raw_lines(client: AsyncOpenAI) -> list[str]:
    request = client.chat.completions.with_streaming_response.create(
        model="alpha", messages=[{"role": "user", "content": "Hi"}], stream=True
    )
    async with request as response:
        return [line async for line in response.iter_lines() if line]


@pytest.mark.asyncio
async def test_an_error_inside_the_stream_is_raised_by_the_clients(models: ModelServer, stream: Stream) -> None:
    models.model("alpha").replies(text("One two three").breaks(fails(529), after=1))
    got: list[str] = []
    with pytest.raises((openai_sdk.APIError, anthropic_sdk.APIStatusError)) as raised:
        await collect(stream, got)
    assert got == ["One "]
    assert "verloaded" in str(raised.value)


@pytest.mark.asyncio
async def test_the_context_may_be_found_too_long_when_the_stream_has_begun(
    models: ModelServer, responses: Stream
) -> None:
    models.model("alpha").replies(empty().breaks(context_exceeded(), after=0))
    with pytest.raises(openai_sdk.APIError) as raised:
        await whole(responses)
    assert raised.value.code == "context_length_exceeded"


@pytest.mark.asyncio
async def test_comments_crlf_and_split_characters_change_nothing(models: ModelServer, stream: Stream) -> None:
    said = "Grüße 你好 🎉 done"
    models.model("alpha").replies(
        text(said).with_keep_alives(), text(said).with_crlf(), text(said).in_writes_of(1), text(said).in_writes_of(3)
    )
    assert [await whole(stream) for _ in range(4)] == [said] * 4


@pytest.mark.asyncio
async def test_characters_that_some_take_for_line_ends_stand_as_they_are(models: ModelServer, stream: Stream) -> None:
    said = "one\u2028two\u2029three\u0085four"
    models.model("alpha").replies(text(said))
    assert await whole(stream) == said


@pytest.mark.asyncio
async def test_line_ends_inside_json_are_raw_bytes_on_the_wire(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("one\u2028", "two\u0085"))
    request = openai.chat.completions.with_streaming_response.create(
        model="alpha", messages=[{"role": "user", "content": "Hi"}], stream=True
    )
    async with request as response:
        raw = b"".join([chunk async for chunk in response.iter_bytes()])
    assert 'one\u2028"'.encode() in raw
    assert 'two\u0085"'.encode() in raw


@pytest.mark.asyncio
async def test_every_write_reaches_the_client_alone(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("你").in_writes_of(2))
    request = openai.chat.completions.with_streaming_response.create(
        model="alpha", messages=[{"role": "user", "content": "Hi"}], stream=True
    )
    async with request as response:
        assert max([len(chunk) async for chunk in response.iter_bytes()]) == 2


@pytest.mark.asyncio
async def test_garbage_lines_come_between_the_events(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("One two").with_lines("<html>502</html>", "data: {not json", "", after=1))
    lines = await raw_lines(openai)
    assert lines[2:4] == ["<html>502</html>", "data: {not json"]
    assert lines[-1] == "data: [DONE]"


@pytest.mark.parametrize("arguments", ['{"agent_id": ', '{"a":1,"a":2}', "not json at all"])
@pytest.mark.asyncio
async def test_the_arguments_of_a_call_may_be_any_text(
    models: ModelServer, openai: AsyncOpenAI, arguments: str
) -> None:
    models.model("alpha").always(calls(raw_tool("vote", arguments)))
    completion = await openai.chat.completions.create(model="alpha", messages=[{"role": "user", "content": "Hi"}])
    response = await openai.responses.create(model="alpha", input="Hi")
    assert [call.to_dict()["function"] for call in completion.choices[0].message.tool_calls or []] == [
        {"name": "vote", "arguments": arguments}
    ]
    assert [item.arguments for item in response.output if item.type == "function_call"] == [arguments]


@pytest.mark.asyncio
async def test_two_calls_may_have_the_same_id(models: ModelServer, anthropic: AsyncAnthropic) -> None:
    twice = raw_tool("vote", "{}").with_id("toolu_same")
    models.model("alpha").replies(calls(twice, twice))
    message = await anthropic.messages.create(
        model="alpha", max_tokens=10, messages=[{"role": "user", "content": "Hi"}]
    )
    assert [block.id for block in message.content if block.type == "tool_use"] == ["toolu_same", "toolu_same"]


@pytest.mark.asyncio
async def test_a_reply_in_one_piece_may_be_cut_too(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("One two three").cut())
    with pytest.raises(openai_sdk.APIConnectionError):
        await openai.responses.create(model="alpha", input="Hi")
