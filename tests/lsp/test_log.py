"""The log: whole where editors keep it, in sentences at the client, and without secrets in either."""

import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pydantic_core
import pytest

from teamwright.lsp.transport.logs import Redaction, begin_logging
from teamwright.lsp.transport.outbox import Outbox
from teamwright.lsp.transport.peer import Peer
from tests.lsp.raw_server import command, notification, raw_server

KEY = "correct-horse-battery"


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        (f"the key {KEY} was refused", "the key *** was refused"),
        ("Authorization: Bearer abc.def-ghi", "Authorization: Bearer ***"),
        ("sk-ant-REDACTED is wrong", "*** is wrong"),
        ("the task sk-1 is done", "the task sk-1 is done"),
        ("nothing to hide", "nothing to hide"),
    ],
)
def test_secrets_of_the_environment_and_what_looks_like_one_are_masked(text: str, redacted: str) -> None:
    assert Redaction({"SOME_API_KEY": KEY, "HOME": "nothing to hide", "EMPTY_TOKEN": ""})(text) == redacted


@pytest.fixture(autouse=True)
def logging_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    root, ours = logging.getLogger(), logging.getLogger("teamwright")
    handlers, level = (root.handlers[:], ours.handlers[:]), ours.level
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    monkeypatch.setenv("SOME_API_KEY", KEY)
    yield
    root.handlers[:], ours.handlers[:] = handlers
    ours.setLevel(level)
    logging.captureWarnings(capture=False)


def begun() -> Outbox:
    outbox = Outbox()
    begin_logging(Peer(outbox))
    return outbox


def test_a_failure_is_whole_on_stderr_and_a_sentence_at_the_client(capsys: pytest.CaptureFixture[str]) -> None:
    outbox = begun()
    try:
        raise ValueError(f"no luck with {KEY}")
    except ValueError:
        logging.getLogger("teamwright.somewhere").exception("It failed with %s", KEY)

    (body,) = outbox.take()
    message = pydantic_core.from_json(body)
    assert (message["method"], message["params"]) == ("window/logMessage", {"type": 1, "message": "It failed with ***"})
    written = capsys.readouterr().err
    assert "ValueError: no luck with ***" in written
    assert KEY not in written


def test_what_others_say_in_detail_is_kept_to_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    outbox = begun()
    logging.getLogger("pygls.protocol").info("every body that was sent")
    outbox.close()
    assert outbox.take() == []
    assert capsys.readouterr().err == ""


def test_a_line_that_cannot_be_worded_tells_nobody_what_it_was_made_of(capsys: pytest.CaptureFixture[str]) -> None:
    outbox = begun()
    logging.getLogger("teamwright.somewhere").warning("%d", KEY)
    outbox.close()
    assert outbox.take() == []
    assert KEY not in capsys.readouterr().err


# Each makes one line in the log.
_UNOPENED = notification(
    "textDocument/didChange", {"textDocument": {"uri": "file:///a", "version": 1}, "contentChanges": []}
)


def test_a_log_that_nobody_reads_holds_up_nothing(tmp_path: Path) -> None:
    source, sink = os.pipe()
    try:
        with raw_server(tmp_path, stderr=sink) as server:
            os.close(sink)
            server.greet()
            # Many times what a pipe takes.
            for _ in range(50):
                server.send(_UNOPENED * 200)
            server.send(command(1, "teamwright.session.list"))
            assert server.answer_to(1)["result"] == {"sessions": []}
            server.signal(signal.SIGTERM)
            assert server.ended() == 1
    finally:
        os.close(source)


def test_the_end_of_the_log_is_kept_for_a_client_that_reads_late(tmp_path: Path) -> None:
    with raw_server(tmp_path) as server:
        server.greet()
        server.send(_UNOPENED, command(1, "teamwright.session.list"))
        server.answer_to(1)
        server.close_input()
        server.ended()
        assert "a document that it has not opened" in server.stderr()


def test_a_loop_that_stands_still_is_told_with_the_place(tmp_path: Path) -> None:
    code = (
        "import sys, threading\n"
        "from teamwright.lsp.transport import watchdog\n"
        "watchdog._EVERY_SECONDS = watchdog.STILL_SECONDS = 0.01\n"
        "watchdog._MOST_PLACES = sys.maxsize\n"
        "told = threading.Event()\n"
        "def tell(form, *of):\n"
        "    print(form % of, file=sys.stderr)\n"
        "    if 'stuck_here' in str(of):\n"
        "        told.set()\n"
        "watchdog.log.error = tell\n"
        "def stuck_here(*_):\n"
        "    told.wait()\n"
        "from teamwright.lsp.language_server import TeamwrightServer\n"
        "said = TeamwrightServer.answer_initialize\n"
        "def answer(*args):\n"
        "    stuck_here()\n"
        "    said(*args)\n"
        "TeamwrightServer.answer_initialize = answer\n"
        "from teamwright.lsp.serve import serve\n"
        "sys.exit(serve())\n"
    )
    with raw_server(tmp_path, code=code) as server:
        server.greet()
        server.close_input()
        server.ended()
        assert "stands still in" in server.stderr()
        assert "stuck_here" in server.stderr()
