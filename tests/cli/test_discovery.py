"""A model server on this machine is found, used, and named in `teamwright check`; anything else that listens is not."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.cli.conftest import Cli
from tests.support.model_server import ModelServer, text


@contextmanager
def listening(body: bytes) -> Generator[int]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *said: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - heard by nobody
            del said

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def team_line(out: str) -> str:
    return next(line for line in out.splitlines() if line.startswith("Team: "))


@pytest.mark.proves("F3")
def test_a_model_server_that_lists_models_makes_the_team(cli: Cli) -> None:
    listed = json.dumps({"data": [{"id": "nomic-embed-text"}, {"id": "small-talker"}]}).encode()
    with listening(listed) as port:
        outcome = cli("check", env={"OLLAMA_HOST": f"127.0.0.1:{port}"})
    assert outcome.code == 0
    assert f"ollama at http://127.0.0.1:{port}/v1" in team_line(outcome.out)
    assert "  ollama  ollama  small-talker" in outcome.out
    assert "model servers on this machine: ollama" in outcome.out


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"{}", b'{"data": [{"id": "nomic-embed-text"}]}', b"[1]"])
def test_what_lists_no_model_to_talk_to_is_not_taken_for_a_model_server(cli: Cli, body: bytes) -> None:
    with listening(body) as port:
        outcome = cli("check", env={"OLLAMA_HOST": f"127.0.0.1:{port}"})
    assert "ollama at" not in outcome.out


def test_no_other_machine_is_ever_asked(cli: Cli) -> None:
    # An address of the documentation range: asking it would take the whole deadline and show in the report.
    outcome = cli("check", env={"OLLAMA_HOST": "203.0.113.7:11434"})
    assert "203.0.113.7" not in outcome.out


@pytest.mark.proves("F3")
def test_a_run_is_answered_by_the_server_that_was_found(cli: Cli, models: ModelServer) -> None:
    models.model("found").replies(text("From the local server."))
    outcome = cli("run", "Say it.", "--single", "--yes", env={"OLLAMA_HOST": models.url})
    assert (outcome.code, outcome.out) == (0, "From the local server.\n")
