"""Providers and models without measure: each is stopped early with a sentence, and nobody else waits for it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.doors import Serve, team_config
from tests.support.endless_server import STREAM, EndlessServer, endless
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio

# Above every bound, with what the sockets between us hold.
ENOUGH = 80_000_000
BLOCK = "x" * 50_000


def event(data: Any) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def chat(**delta: Any) -> bytes:
    return event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})


def called(number: int, arguments: str, *, name: str | None = "list_files") -> dict[str, Any]:
    return {"index": number, "id": f"call_{number}", "function": {"name": name, "arguments": arguments}}


@dataclass(frozen=True)
class Flood:
    says: str
    piece: Callable[[int], bytes]
    first: bytes = b""
    head: bytes = STREAM
    wire: str = "chatcompletion"


THINKING = {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": BLOCK}}
FLOODS = {
    "arguments": Flood("a tool call of more than", lambda _: chat(tool_calls=[called(0, BLOCK)])),
    "text of OpenAI": Flood("more than 4000000 characters", lambda _: chat(content=BLOCK), wire="openai"),
    "text": Flood("more than 4000000 characters", lambda _: chat(content=BLOCK)),
    "reasoning": Flood("more than 4000000 characters", lambda _: chat(reasoning_content=BLOCK)),
    "reasoning of Anthropic": Flood(
        "more than 4000000 characters",
        lambda _: event(THINKING),
        first=event({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}}),
        wire="claude",
    ),
    "calls": Flood("more than 128 tool calls", lambda number: chat(tool_calls=[called(number, "{}")])),
    "calls at once": Flood(
        "more than 128 tool calls", lambda _: chat(tool_calls=[called(number, "{}") for number in range(20_000)])
    ),
    "a line": Flood("a line of more than", lambda _: BLOCK.encode(), first=b"data: "),
    "an event": Flood("an event of more than", lambda _: b"data: " + BLOCK.encode() + b"\n"),
    "unseen blocks": Flood(
        "more around its words than words",
        lambda number: event(
            {"type": "content_block_start", "index": number, "content_block": {"type": "text", "text": BLOCK}}
        ),
        wire="claude",
    ),
    "signatures": Flood(
        "more around its words than words",
        lambda number: chat(content="x", reasoning_details=[{"index": number, "type": "t", "data": BLOCK}]),
    ),
    "deep JSON": Flood("no event of its format", lambda _: b"data: " + b"[" * 60_000 + b"\n\n"),
    "wide JSON": Flood("no event of its format", lambda _: b"data: [" + b"[]," * 300_000 + b"1]\n\n"),
    "an error": Flood(
        "rejected the request", lambda _: BLOCK.encode(), head=b"HTTP/1.1 400 Bad\r\nContent-Type: text/plain\r\n\r\n"
    ),
    "an error of Anthropic": Flood(
        "rejected the request",
        lambda _: BLOCK.encode(),
        head=b"HTTP/1.1 400 Bad\r\nContent-Type: text/plain\r\n\r\n",
        wire="claude",
    ),
    "headers": Flood("closed the connection", lambda _: b"X: " + BLOCK.encode(), head=b"HTTP/1.1 200 OK\r\n"),
    "compression": Flood(
        "compresses its answers",
        lambda _: b"\x1f\x8b",
        head=STREAM.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n"),
    ),
    "no stream": Flood(
        "sent more than", lambda _: BLOCK.encode(), head=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    ),
}


def config_of(server: EndlessServer, wire: str) -> str:
    url = server.url if wire == "claude" else server.openai_url
    return (
        "agents:\n  - id: alpha\n    backend: "
        f"{{type: {wire}, model: alpha, base_url: '{url}', api_key: '${{SCRIPTED_KEY}}'}}\n"
    )


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
async def test_an_answer_without_end_is_stopped_and_others_are_answered_meanwhile(serve: Serve, flood: Flood) -> None:
    async with endless(flood.head, flood.first, flood.piece) as server:
        client = await serve(config=config_of(server, flood.wire))
        await client.command("teamwright.chat", text="Hello.")
        assert (await client.command("teamwright.status"))["trusted"] is False
        finished = (await client.event("turn.finished"))["event"]
        await server.until_left()
    assert (finished["outcome"], flood.says in finished["error"]) == ("failed", True), finished["error"]
    assert server.sent < ENOUGH


async def test_of_many_calls_the_first_are_carried_out_and_the_others_refused_with_a_sentence(
    serve: Serve, models: ModelServer
) -> None:
    many = [tool("list_files", glob=f"*.{number}") for number in range(40)]
    models.model("alpha").replies(calls(*many), text("Done."))
    client = await serve(config=team_config(models, "alpha"))
    await client.command("teamwright.chat", text="List everything.")
    assert (await client.event("turn.finished"))["event"]["outcome"] == "completed"
    refused = [result.text for result in models.requests[1].tool_results if "At most 32 calls" in result.text]
    assert (len(models.requests[1].tool_results), len(refused)) == (40, 8)


@pytest.mark.parametrize("tokens", [-5, 10**30, 1.5, "many", None, [1]])
async def test_what_a_provider_says_it_used_is_taken_within_reason(
    serve: Serve, models: ModelServer, tokens: object
) -> None:
    line = event({"choices": [], "usage": {"prompt_tokens": tokens, "completion_tokens": 1}}).decode()
    models.model("alpha").always(text("Hello.").with_lines(*line.split("\n")[:1], ""))
    client = await serve(config=team_config(models, "alpha"))
    chat_ = await client.command("teamwright.chat", text="Hello.")
    await client.event("turn.finished")
    stats = await client.command("teamwright.session.stats", sessionId=chat_["sessionId"])
    assert 0 <= stats["usage"]["inputTokens"] <= 10**9


async def test_a_pattern_that_takes_for_ever_is_given_up_and_the_model_is_told(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "long.txt").write_text("a" * 40 + "!\n", encoding="utf-8")
    models.model("alpha").replies(calls(tool("search_files", pattern="^(a+)+$")), text("Too slow."))
    client = await serve(config=team_config(models, "alpha"))
    await client.command("teamwright.chat", text="Search.")
    assert (await client.command("teamwright.status"))["trusted"] is False
    await client.event("turn.finished")
    (result,) = models.requests_to("alpha")[1].tool_results
    assert "the pattern took too long" in result.text
