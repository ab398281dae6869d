"""Events of rarer servers, decoded without a server."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from teamwright.models.errors import ModelError
from teamwright.models.faults import Target, broken_off
from teamwright.models.http.chat import ChatDecoder
from teamwright.models.http.messages import MessagesDecoder
from teamwright.models.http.transport import streamed_answer
from teamwright.models.limits import MAX_LINE_BYTES
from teamwright.models.port import Deadlines, Part, ReasoningDelta, Replay, StreamFinished, TextDelta
from teamwright.models.reading import LineReader
from tests.models.asking import VOTE, asking, calls_of

TARGET = Target("Acme", "roadrunner", host="acme.example")


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def decoded(decoder: ChatDecoder | MessagesDecoder, *events: dict[str, Any]) -> list[Part]:
    return [*(part for event in events for part in decoder.decode(event)), *decoder.end()]


def test_reasoning_among_the_pieces_of_the_text_is_told_apart() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    parts = decoded(
        ChatDecoder(asking(), TARGET, "here"),
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": [thought, {"type": "text", "text": "Yes."}]}),
        chunk({"content": ""}, "stop"),
    )
    assert parts == [ReasoningDelta("Hm."), TextDelta("Yes."), StreamFinished("stop")]


def test_a_signature_on_a_call_goes_back_with_it() -> None:
    signature = {"google": {"thought_signature": "sealed"}}
    call = {"index": 0, "id": "c1", "function": {"name": "vote", "arguments": '{"agent_id": "a"}'}}
    parts = decoded(
        ChatDecoder(asking("Vote", VOTE), TARGET, "here"),
        chunk({"tool_calls": [{**call, "extra_content": signature}]}),
        chunk({}, "stop"),
    )
    entry = {"id": "c1", "type": "function", "function": call["function"], "extra_content": signature}
    said = {"role": "assistant", "content": None, "tool_calls": [entry]}
    assert [called.call_id for called in calls_of(parts)] == ["c1"]
    assert parts[-1] == StreamFinished("tool_calls", Replay("here", (said,)))


def test_calls_that_all_have_the_same_index_are_told_apart_by_their_ids() -> None:
    def call(number: int) -> dict[str, Any]:
        arguments = json.dumps({"agent_id": f"agent{number}"})
        return chunk(
            {"tool_calls": [{"index": 0, "id": f"c{number}", "function": {"name": "vote", "arguments": arguments}}]}
        )

    parts = decoded(ChatDecoder(asking("Vote", VOTE), TARGET, "here"), call(1), call(2), chunk({}, "tool_calls"))
    assert [called.arguments for called in calls_of(parts)] == [{"agent_id": "agent1"}, {"agent_id": "agent2"}]


def test_thoughts_that_anthropic_hides_go_back_unread() -> None:
    hidden = {"type": "redacted_thinking", "data": "sealed"}
    parts = decoded(
        MessagesDecoder(asking(), TARGET, "here"),
        {"type": "message_start", "message": {"usage": {"input_tokens": 3, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": hidden},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Yes."}},
        {"type": "content_block_start", "index": 2, "content_block": {"type": "something_new"}},
        {"type": "content_block_delta", "index": 2, "delta": {"type": "something_new_delta"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    )
    assert parts[-1] == StreamFinished("stop", Replay("here", (hidden, {"type": "text", "text": "Yes."})))


@asynccontextmanager
async def breaking_after(*events: dict[str, Any]) -> AsyncGenerator[AsyncIterator[bytes]]:
    async def chunks() -> AsyncGenerator[bytes]:
        for event in events:
            yield f"data: {json.dumps(event)}\n\n".encode()
        raise broken_off(TARGET)

    yield chunks()


@pytest.mark.asyncio
async def test_a_connection_that_breaks_matters_only_before_the_answers_end() -> None:
    async def read(*events: dict[str, Any]) -> list[Part]:
        decoder = ChatDecoder(asking(), TARGET, "here")
        answer = streamed_answer(breaking_after(*events), decoder, Deadlines(), TARGET)
        return [part async for part in answer]

    assert await read(chunk({"content": "Yes."}), chunk({}, "stop")) == [TextDelta("Yes."), StreamFinished("stop")]
    with pytest.raises(ModelError, match="broke in mid-answer"):
        await read(chunk({"content": "Yes."}))


def test_a_line_without_end_is_given_up() -> None:
    lines = LineReader(TARGET)
    piece = b"x" * (MAX_LINE_BYTES // 4)
    for _ in range(4):
        assert lines.feed(piece) == []
    with pytest.raises(ModelError, match="a line of more than"):
        lines.feed(piece)


def test_lines_end_at_a_newline_alone() -> None:
    lines = LineReader(TARGET)
    assert lines.feed("one\u2028one\r\ntw".encode()) == ["one\u2028one\r".encode()]
    assert lines.feed(b"o\n") == [b"two"]
    assert lines.rest() == b""
