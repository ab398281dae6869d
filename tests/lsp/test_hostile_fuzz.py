"""Hostile repositories, sessions and model replies, by chance: no crash, no bug, no hang, no write outside.

A slice of each runs with every change, many more with the slow suite. A failure names its seed.
"""

import asyncio
import json
import os
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, calls, text, tool

LEAVES: list[Any] = [
    None,
    True,
    -1,
    0,
    10**30,
    1.5,
    "",
    "x" * 3_000,
    "../../etc/passwd",
    "\u202e",
    "\ud800",
    [],
    {},
    [[]],
]
FEW, MANY = range(2), range(2, 40)
seeds = pytest.mark.parametrize("seed", [*FEW, *(pytest.param(seed, marks=pytest.mark.slow) for seed in MANY)])


def mutated(value: Any, chance: random.Random, odds: float = 0.1) -> Any:
    """The same JSON with odd values in it, things left out, and things that stand twice."""
    if chance.random() < odds:
        return chance.choice(LEAVES)
    if isinstance(value, dict):
        return {
            key if chance.random() > odds / 2 else f"{key}x": mutated(each, chance, odds)
            for key, each in cast("dict[str, Any]", value).items()
            if chance.random() > odds / 2
        }
    if isinstance(value, list):
        return [
            mutated(each, chance, odds)
            for each in cast("list[Any]", value)
            for _ in range(chance.choice([1, 1, 1, 1, 1, 1, 0, 2]))
        ]
    return value


def event(data: Any) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def honest_events() -> list[Any]:
    def chunk(delta: Json, finish: str | None = None) -> Json:
        return {"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    function = {"name": "list_files", "arguments": '{"glob": "*.py"}'}
    return [
        chunk({"role": "assistant", "content": ""}),
        chunk({"reasoning_content": "Hm."}),
        chunk({"content": "Hello "}),
        chunk({"content": "there."}),
        chunk({"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function}]}),
        chunk({}, "tool_calls"),
        {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 3}},
    ]


def stream_of(chance: random.Random) -> bytes:
    events = [mutated(each, chance) for each in honest_events() if chance.random() > 0.05]
    data = bytearray(b"".join(map(event, events)) + b"data: [DONE]\n\n")
    for _ in range(chance.choice([0, 0, 1, 5])):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data[: chance.choice([len(data), len(data), chance.randrange(len(data))])])


@asynccontextmanager
async def odd_provider(chance: random.Random) -> AsyncGenerator[str]:
    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            header = (await reader.readuntil(b"\r\n\r\n")).lower()
            lengths = [int(line[15:]) for line in header.split(b"\r\n") if line.startswith(b"content-length:")]
            await reader.readexactly(sum(lengths))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + stream_of(chance))
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(converse, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


async def turn_over(client: LspClient, said: str) -> Json:
    chat = await client.command("teamwright.chat", text=said)
    return (await client.event("turn.finished", lambda record: record["turnId"] == chat["turnId"]))["event"]


@seeds
@pytest.mark.asyncio
async def test_whatever_a_provider_streams_the_turn_ends(
    serve: Serve, seed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    async with odd_provider(random.Random(seed)) as url:
        agents = f"agents:\n  - {{id: alpha, backend: {{type: chatcompletion, model: alpha, base_url: '{url}'}}}}\n"
        client = await serve(config=agents)
        ended = await asyncio.gather(*(turn_over(client, f"Hello {number}.") for number in range(4)))
    assert {each["outcome"] for each in ended} <= {"completed", "failed"}
    assert [each for each in ended if "Teamwright failed" in (each.get("error") or "")] == [], f"seed {seed}"
    assert "Traceback" not in capfd.readouterr().err, f"seed {seed}"


@seeds
@pytest.mark.asyncio
async def test_whatever_an_imported_session_holds_it_is_taken_or_refused(
    serve: Serve, models: ModelServer, seed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(seed)
    models.model("alpha").replies(calls(tool("list_files")), text("Nothing."))
    client = await serve(config=team_config(models, "alpha"))
    chat = await client.command("teamwright.chat", text="What is there?")
    await client.event("turn.finished")
    exported = (await client.command("teamwright.session.export", sessionId=chat["sessionId"]))["text"]
    for _ in range(25):
        odd = json.dumps(mutated(json.loads(exported), chance, 0.02), ensure_ascii=True)
        try:
            taken = await client.command("teamwright.session.import", text=odd)
            for name in ("open", "export", "stats", "delete"):
                await client.command(f"teamwright.session.{name}", sessionId=taken["sessionId"])
        except LspError as refused:
            assert 400 <= refused.code < 500, f"seed {seed}: {refused}"  # noqa: PT017 - some are taken
    assert "Traceback" not in capfd.readouterr().err, f"seed {seed}"


def hostile_repository(root: Path, outside: Path, chance: random.Random) -> None:
    (root / "plain.py").write_text("x = 1\n", encoding="utf-8")
    names = [
        "line\nbreak",
        "\x1b[31m",
        "-rf",
        "a" * 250,
        "\u202egnp.exe",
        "CON",
        "sp ace",
        "q'uote\"",
        "*",
        "é",
        "e\u0301",
    ]
    for name in chance.sample(names, 6):
        (root / name).write_text(chance.choice(["", "x" * 5_000, "\0\0", "a\n" * 5_000]), encoding="utf-8")
    (root / os.fsdecode(b"\xff\xfe")).write_bytes(b"odd")
    (root / "out").symlink_to(outside)
    (root / "loop").symlink_to(root / "loop")
    os.mkfifo(root / "pipe")
    with (root / "huge.bin").open("wb") as huge:
        huge.truncate(5_000_000_000)
    deep = root
    for _ in range(80):
        deep /= "d"
    deep.mkdir(parents=True)
    (root / ".gitattributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
    (root / ".gitignore").write_text("*" * 500 + "\n[\n!\n" + "**/" * 50, encoding="utf-8")
    if chance.random() < 0.5:
        (root / ".git").write_text(f"gitdir: {outside}\n", encoding="utf-8")
    else:
        (root / ".git").mkdir()
        evil = f'[filter "evil"]\n\tclean = touch {outside}/ran\n[core]\n\tfsmonitor = touch {outside}/ran\n'
        (root / ".git" / "config").write_text(evil, encoding="utf-8")


@seeds
@pytest.mark.asyncio
async def test_whatever_a_repository_holds_nothing_outside_is_touched(
    serve: Serve, models: ModelServer, workspace: Path, seed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    outside = workspace.parent / "outside"
    outside.mkdir()
    (outside / "kept.txt").write_text("kept", encoding="utf-8")
    hostile_repository(workspace, outside, random.Random(seed))
    looked = [
        tool("list_files"),
        tool("list_files", path="out"),
        tool("search_files", pattern="k.pt"),
        *(
            tool("read_file", path=path)
            for path in ("pipe", "huge.bin", "loop", "out/kept.txt", "plain.py", "../outside")
        ),
        tool("git_status"),
        tool("git_diff"),
    ]
    models.model("alpha").replies(calls(*looked), text("Odd."))
    client = await serve(config=team_config(models, "alpha"))
    ended = await turn_over(client, "Look around.")
    results = models.requests_to("alpha")[1].tool_results
    assert (ended["outcome"], len(results)) == ("completed", len(looked)), f"seed {seed}"
    assert [result.text for result in results if result.text.strip() == "kept"] == []
    assert {path.name: path.read_text(encoding="utf-8") for path in outside.iterdir()} == {"kept.txt": "kept"}
    assert "Traceback" not in capfd.readouterr().err, f"seed {seed}"
