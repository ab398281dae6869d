"""The log: whole where editors keep it, in sentences at the client, and without secrets in either."""

import logging
from collections.abc import Iterator

import pydantic_core
import pytest

from quorate.lsp.transport.logs import begin_logging
from quorate.lsp.transport.outbox import Outbox
from quorate.lsp.transport.peer import Peer
from quorate.lsp.transport.redaction import Redaction

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
    root, ours = logging.getLogger(), logging.getLogger("quorate")
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
        logging.getLogger("quorate.somewhere").exception("It failed with %s", KEY)

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
    logging.getLogger("quorate.somewhere").warning("%d", KEY)
    outbox.close()
    assert outbox.take() == []
    assert KEY not in capsys.readouterr().err
