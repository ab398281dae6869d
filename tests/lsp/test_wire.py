"""What the server makes of messages that a well-behaved client would not send, and of their order."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.lsp.raw_server import Json, command, frame, notification, raw_server, request


def codes(*answers: Json) -> list[object]:
    return [answer["error"]["code"] if "error" in answer else answer["result"] for answer in answers]


def test_before_the_greeting_only_the_greeting_is_taken_and_it_is_taken_once(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.send(command(1, "teamwright.session.list"), request(2, "shutdown"), request(3, "initialize", [1]))
        server.send(notification("initialized"), frame({"jsonrpc": "2.0", "id": 9, "result": None}))
        assert codes(*(server.answer_to(n) for n in (1, 2, 3))) == [-32002, -32002, -32602]
        assert server.greet()["result"]["serverInfo"]["name"] == "teamwright"
        server.send(request(4, "initialize", {"capabilities": {}}), command(5, "teamwright.session.list"))
        assert codes(server.answer_to(4), server.answer_to(5)) == [-32600, {"sessions": []}]


def test_after_shutdown_every_request_is_refused_and_exit_ends_in_zero(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        server.send(request(1, "shutdown"), command(2, "teamwright.session.list"), request(3, "textDocument/hover", {}))
        assert codes(*(server.answer_to(n) for n in (1, 2, 3))) == [None, -32600, -32600]
        server.send(notification("exit"))
        assert server.ended(5) == 0
        assert server.rest() == []


def test_messages_that_make_no_sense_are_answered_and_nothing_else_suffers(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        nonsense = [
            b"{",
            b"\xff\xfe",
            b"[" * 100_000,
            b"NaN",
            b'"text"',
            b"{}",
            b"[]",
            b'{"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}',
            b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}',
            b'{"jsonrpc": "2.0", "id": 7}',
            b'{"jsonrpc": "2.0", "id": 8, "method": 3}',
        ]
        server.send(*map(frame, nonsense))
        answered = [server.next() for _ in nonsense]
        assert [(answer["id"], answer["error"]["code"]) for answer in answered if answer is not None] == [
            *[(None, -32700)] * 4,
            *[(None, -32600)] * 5,
            (7, -32600),
            (8, -32600),
        ]
        server.send(command(2, "teamwright.session.list"))
        assert server.answer_to(2)["result"] == {"sessions": []}


def test_each_request_of_a_batch_is_refused_by_its_id(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        one, two = ({"jsonrpc": "2.0", "id": n, "method": "shutdown"} for n in (1, 2))
        server.send(frame([one, {"jsonrpc": "2.0", "method": "initialized"}, two]))
        assert codes(server.answer_to(1), server.answer_to(2)) == [-32600, -32600]


def test_bad_frames_are_answered_and_the_next_good_one_is_found(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        listing = command(1, "teamwright.session.list")
        server.send(b"Content-Length: much\r\n\r\n{}", listing)
        assert codes(server.answer_to(None), server.answer_to(1)) == [-32700, {"sessions": []}]
        server.send(b"Content-Length: 99999999999999999999\r\n\r\n{}", listing)
        assert codes(server.answer_to(None), server.answer_to(1)) == [-32700, {"sessions": []}]
        server.send(b"x" * 100_000, listing)
        assert codes(server.answer_to(None), server.answer_to(1)) == [-32700, {"sessions": []}]
        server.send(listing.replace(b"Content-Length", b"content-length"))
        assert codes(server.answer_to(1)) == [{"sessions": []}]


def test_params_are_answered_for_whatever_they_are(tmp_path: Path) -> None:
    odd = {"command": "teamwright.session.list", "arguments": [{"class": 1, "my-key": 2, "jsonrpc": {"jsonrpc": "x"}}]}
    with raw_server(tmp_path) as server:
        server.greet()
        server.send(
            frame({"jsonrpc": "2.0", "id": 1, "method": "workspace/executeCommand"}),
            request(2, "workspace/executeCommand", [1]),
            request(3, "workspace/executeCommand", {"command": "teamwright.session.list", "arguments": "x"}),
            request(4, "workspace/executeCommand", odd),
            request(5, "workspace/executeCommand", {"command": ["x"], "arguments": []}),
            request(6, "teamwright/unheardOf", {}),
            request(7, "$/unheardOf", {}),
            command(8, "teamwright.session.search", text="\ud800"),
        )
        answers = [server.answer_to(n) for n in range(1, 9)]
        assert codes(*answers) == [404, -32602, 400, 400, 404, -32601, -32601, 400]
        assert [error["path"] for error in answers[3]["error"]["data"]["errors"]] == ["class", "my-key", "jsonrpc"]


def test_a_cancelled_request_is_answered_as_cancelled_once(tmp_path: Path) -> None:
    """The command waits for the rest of the server to be loaded when it is cancelled."""
    with raw_server(tmp_path) as server:
        server.send(request(0, "initialize", {"capabilities": {}}), notification("initialized", {}))
        server.send(command(1, "teamwright.session.list"), notification("$/cancelRequest", {"id": 1}))
        server.send(notification("$/cancelRequest", {"id": 77}), notification("$/cancelRequest", [1]))
        server.send(command(2, "teamwright.session.list"), request(3, "shutdown"), notification("exit"))
        answers = {message["id"]: message for message in server.rest() if "method" not in message}
    assert answers[1]["error"]["code"] == -32800
    assert sorted(answers) == [0, 1, 2, 3]


def test_an_id_that_is_still_under_way_cannot_be_used_again(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        server.send(command(1, "teamwright.session.list"), command(1, "teamwright.session.list"))
        assert sorted(map(json.dumps, codes(server.answer_to(1), server.answer_to(1)))) == [
            "-32600",
            '{"sessions": []}',
        ]


def test_what_anything_prints_goes_to_stderr_and_never_on_the_wire(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys\n"
        "from teamwright.lsp.language_server import TeamwrightServer\n"
        "said = TeamwrightServer.answer_initialize\n"
        "def noisy(server, message_id, params):\n"
        "    print('printed', flush=True)\n"
        "    os.write(1, b'written')\n"
        "    subprocess.run([sys.executable, '-c', 'print(len(input() or 0) if 0 else 7)'], check=True)\n"
        "    said(server, message_id, params)\n"
        "TeamwrightServer.answer_initialize = noisy\n"
        "from teamwright.lsp.serve import serve\n"
        "sys.exit(serve())\n"
    )
    with raw_server(tmp_path, code=code) as server:
        server.greet()
        server.send(request(1, "shutdown"), notification("exit"))
        assert [message["id"] for message in server.rest()] == [1]
        assert server.ended() == 0
        assert "printed" in server.stderr()
        assert "written" in server.stderr()


def test_the_greeting_is_answered_before_anything_heavy_is_loaded(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from teamwright.lsp.language_server import TeamwrightServer\n"
        "said = TeamwrightServer.answer_initialize\n"
        "def telling(server, message_id, params):\n"
        "    said(server, message_id, params)\n"
        "    print(*sys.modules, file=sys.stderr, flush=True)\n"
        "TeamwrightServer.answer_initialize = telling\n"
        "from teamwright.lsp.serve import serve\n"
        "sys.exit(serve())\n"
    )
    # What measures the tests has a database of its own.
    unmeasured = {"COVERAGE_PROCESS_START": "", "COVERAGE_PROCESS_CONFIG": ""}
    with raw_server(tmp_path, code=code, env=unmeasured) as server:
        server.greet()
        server.send(command(1, "teamwright.session.list"))
        assert server.answer_to(1)["result"] == {"sessions": []}, "a command that came meanwhile was kept"
        loaded = set(server.stderr().split())
        assert "pygls" in loaded
        assert {"pydantic", "yaml", "anyio", "sqlite3", "openai", "anthropic", "mcp"} & loaded == set()


def test_an_editor_that_is_only_open_carries_none_of_the_team() -> None:
    code = "import sys, teamwright.lsp.client_connection\nprint(*sys.modules)"
    unmeasured = {"COVERAGE_PROCESS_START": "", "COVERAGE_PROCESS_CONFIG": ""}
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **unmeasured}
    )
    loaded = set(ended.stdout.split())
    assert "teamwright.application.lifecycle" in loaded
    team = {"teamwright.application.dispatch", "teamwright.runtime.sessions.supervisor", "teamwright.engine.run.reduce"}
    assert (team | {"sqlite3", "openai", "anthropic", "mcp"}) & loaded == set()


def test_a_client_that_asks_too_much_at_once_is_told_so_and_gets_every_answer(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        server.send(*(command(number, "teamwright.session.list") for number in range(3_000)))
        answered = codes(*(server.answer_to(number) for number in range(3_000)))
    assert {json.dumps(answer) for answer in answered} <= {'{"sessions": []}', "429"}
    assert answered.count({"sessions": []}) >= 1_000
