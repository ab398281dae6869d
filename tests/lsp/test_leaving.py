"""Every way out is the same one: within five seconds, everything written, nobody left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.lsp.raw_server import RawServer, command, notification, raw_server, request
from tests.support.doors import Serve
from tests.support.programs import hangs, play, says
from tests.support.programs.installation import Programs

LIMIT_SECONDS = 5.0


def is_alive(process_id: int) -> bool:
    try:
        state = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def ended_in_time(server: RawServer) -> int:
    began = time.monotonic()
    code = server.ended()
    assert time.monotonic() - began < LIMIT_SECONDS
    assert "Traceback" not in server.stderr()
    return code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_server_with_its_answers_written(tmp_path: Path, number: signal.Signals) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        server.send(command(1, "teamwright.session.list"))
        assert server.answer_to(1)["result"] == {"sessions": []}
        server.signal(number)
        assert ended_in_time(server) == 1
        assert server.rest() == []


def test_the_end_of_the_input_ends_the_server_behind_what_was_asked_before(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.send(request(1, "initialize", {"capabilities": {}}), request(2, "shutdown")).close_input()
        assert [message["id"] for message in server.rest()] == [1, 2]
        assert ended_in_time(server) == 0


@pytest.mark.parametrize("is_greeted", [True, False], ids=["greeted", "not greeted"])
def test_an_editor_that_just_closes_the_input_has_left_in_good_order(tmp_path: Path, *, is_greeted: bool) -> None:
    with raw_server(tmp_path) as server:
        if is_greeted:
            server.send(request(1, "initialize", {"capabilities": {}}))
            server.answer_to(1)
        server.close_input()
        assert ended_in_time(server) == 0


def test_an_editor_that_leaves_straight_after_its_greeting_has_left_in_good_order(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.send(request(1, "initialize", {"capabilities": {}}), notification("initialized", {})).close_input()
        assert ended_in_time(server) == 0
        assert server.rest()[0]["id"] == 1


def test_leaving_before_any_greeting_is_an_error(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.send(request(1, "shutdown"))
        assert server.answer_to(1)["error"]["code"] == -32002
        server.send(notification("exit"))
        assert ended_in_time(server) == 1


def test_exit_without_shutdown_is_an_error(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        server.send(notification("exit"))
        assert ended_in_time(server) == 1


def test_the_server_leaves_with_the_process_that_it_was_told_of(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with parent, raw_server(tmp_path) as server:
        server.greet(processId=parent.pid)
        server.send(command(1, "teamwright.session.list"))
        server.answer_to(1)
        parent.kill()
        parent.wait()
        assert ended_in_time(server) == 1


def test_a_process_id_that_is_not_of_this_machine_is_passed_over(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet(processId=2**22 + 7)
        server.send(request(1, "shutdown"), notification("exit"))
        assert server.answer_to(1)["result"] is None
        assert ended_in_time(server) == 0


def test_a_client_that_reads_nothing_cannot_keep_the_server(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        for number in range(3_000):
            server.send(request(number, "teamwright/" + "unheard-of" * 10, {}))
        server.close_input()
        assert ended_in_time(server) == 0


def test_a_client_that_closes_its_end_of_the_output_ends_the_server(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        server.send(command(0, "teamwright.session.list"))
        server.answer_to(0)
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.send(command(1, "teamwright.session.list"))
        assert ended_in_time(server) == 1


def test_what_hangs_is_left_when_the_time_is_up_and_its_children_are_ended(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, threading\n"
        "from teamwright.lsp.language_server import TeamwrightServer\n"
        "said = TeamwrightServer.answer_initialize\n"
        "def hanging(server, message_id, params):\n"
        "    sleeping = 'import time; time.sleep(600)'\n"
        "    nested = f'import subprocess, sys; subprocess.run([sys.executable, \"-c\", {sleeping!r}])'\n"
        "    child = subprocess.Popen([sys.executable, '-c', nested], start_new_session=True)\n"
        "    threading.Thread(target=child.wait).start()\n"
        "    server.protocol.server_info.version = str(child.pid)\n"
        "    said(server, message_id, params)\n"
        "TeamwrightServer.answer_initialize = hanging\n"
        "from teamwright.lsp.serve import serve\n"
        "sys.exit(serve())\n"
    )
    with raw_server(tmp_path, code=code) as server:
        child = int(server.greet()["result"]["serverInfo"]["version"])
        grandchildren = Path(f"/proc/{child}/task/{child}/children")
        while not grandchildren.read_text(encoding="ascii"):
            os.sched_yield()
        family = [child, *map(int, grandchildren.read_text(encoding="ascii").split())]
        assert all(map(is_alive, family))
        server.send(request(1, "shutdown"), notification("exit"))
        assert ended_in_time(server) == 0
        assert [member for member in family if is_alive(member)] == []


@pytest.mark.asyncio
@pytest.mark.proves("F2")
async def test_an_agents_program_does_not_outlive_the_server(serve: Serve, programs: Programs) -> None:
    claude = programs.install("claude").replies(play(says("Let me see."), then=hangs(ignoring_termination=True)))
    client = await serve(config="agents:\n  - {id: claude, backend: {type: claude_code}}\n")
    await client.command("teamwright.chat", text="Hello")
    await client.event("item.delta")
    (call,) = claude.calls
    assert is_alive(call.pid)
    began = time.monotonic()
    await client.notify("exit", None)
    assert await client.ended() == 1
    assert time.monotonic() - began < LIMIT_SECONDS
    assert not is_alive(call.pid)
