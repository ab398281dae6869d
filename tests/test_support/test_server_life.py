"""The server's beginning and end, in this process and as a program."""

import json
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

import httpx2
import pytest
from openai import OpenAI

from tests.support.model_server import ModelServer, never_answers, text
from tests.support.patience import PATIENCE_SECONDS

TEAM = """
from tests.support.model_server import ModelServer, text

def script(server: ModelServer) -> None:
    server.model("alpha").replies(text("Hello from afar").waits_for(server.gate("thinking")))
"""


def test_a_stopped_server_leaves_no_thread_and_no_listener() -> None:
    before = threading.active_count()
    with ModelServer() as server, OpenAI(base_url=server.openai_url, api_key="sk", max_retries=0) as client:
        server.model("alpha").replies(text("Hello"))
        client.responses.create(model="alpha", input="Hi")
        url = server.url
    assert threading.active_count() == before
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(url)


def test_a_reply_that_would_never_end_does_not_keep_the_server_alive() -> None:
    with ModelServer() as server:
        server.model("alpha").replies(never_answers())
        with httpx2.Client() as client, client.stream("GET", f"{server.url}/control/requests") as response:
            assert response.status_code == 200
        asking = threading.Thread(target=_ask_in_vain, args=(server.url,))
        asking.start()
        server.wait_received(1)
    asking.join(PATIENCE_SECONDS)
    assert not asking.is_alive()


def _ask_in_vain(url: str) -> None:
    with pytest.raises(httpx2.RemoteProtocolError):
        httpx2.post(f"{url}/v1/responses", json={"model": "alpha", "input": "Hi"}, timeout=PATIENCE_SECONDS)


def test_a_port_that_is_taken_is_an_error_at_the_start(models: ModelServer) -> None:
    port = int(models.url.rpartition(":")[2])
    with pytest.raises(OSError, match=r"(?i)address already in use|only one usage"), ModelServer(port):
        pass


def test_the_program_serves_a_script_to_other_processes(tmp_path: Path) -> None:
    script = tmp_path / "team.py"
    script.write_text(TEAM, encoding="utf-8")
    with start(script) as program:
        url = said_by(program)["url"]
        with OpenAI(base_url=f"{url}/v1", api_key="sk", max_retries=0) as client:
            release = threading.Thread(target=_release_when_reached, args=(url,))
            release.start()
            assert client.responses.create(model="alpha", input="Hi").output_text == "Hello from afar"
            release.join(PATIENCE_SECONDS)
        with urllib.request.urlopen(f"{url}/control/requests") as response:
            (request,) = json.load(response)
        assert (request["path"], request["body"]) == ("/v1/responses", {"model": "alpha", "input": "Hi"})
        _, errors = program.communicate(timeout=PATIENCE_SECONDS)
    assert (program.returncode, errors) == (0, "")


def test_the_program_fails_when_it_was_asked_what_it_did_not_expect(tmp_path: Path) -> None:
    script = tmp_path / "team.py"
    script.write_text(TEAM, encoding="utf-8")
    with start(script) as program:
        httpx2.post(f"{said_by(program)['url']}/v1/responses", json={"model": "ghost", "input": "Hi"})
        _, errors = program.communicate(timeout=PATIENCE_SECONDS)
    assert program.returncode == 1
    assert "there is no script for the model 'ghost'" in errors


def start(script: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.model_server", "--script", str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        cwd=Path(__file__).parents[2],
    )


def said_by(program: "subprocess.Popen[str]") -> dict[str, Any]:
    assert program.stdout is not None
    return json.loads(program.stdout.readline())


def _release_when_reached(url: str) -> None:
    httpx2.get(f"{url}/control/gates/thinking/reached").raise_for_status()
    httpx2.post(f"{url}/control/gates/thinking/release").raise_for_status()
