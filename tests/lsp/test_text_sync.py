"""The editor's notifications about its documents, and what we hold after each."""

import logging
from typing import Any

import pytest

from quorate.lsp.features.text_sync import keep_in_sync
from quorate.lsp.transport.methods import Methods
from quorate.workspace.documents import Document, Documents

URI = "file:///w/a.txt"


class Editor:
    def __init__(self) -> None:
        self.methods, self.documents = Methods(), Documents()
        keep_in_sync(self.methods, self.documents, "utf-16")

    def tells(self, method: str, **params: Any) -> Document | None:
        (handler,) = self.methods.notification(f"textDocument/{method}")
        handler(params)
        return self.documents.get(URI)

    def opens(self, text: str) -> Document | None:
        return self.tells("didOpen", textDocument={"uri": URI, "languageId": "x", "version": 1, "text": text})

    def changes(self, version: int | None, *changes: dict[str, Any]) -> Document | None:
        return self.tells("didChange", textDocument={"uri": URI, "version": version}, contentChanges=list(changes))


def place(line: int, start: int, end: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def test_a_document_is_opened_changed_in_steps_replaced_and_closed() -> None:
    editor = Editor()
    assert editor.opens("\ufeffone\r\ntwo") == Document(URI, 1, "\ufeffone\r\ntwo")
    # Each step is placed in what the step before it has left.
    steps = ({"range": place(0, 4, 4), "text": "\n"}, {"range": place(1, 0, 0), "text": "|", "rangeLength": 0})
    assert editor.changes(4, *steps) == Document(URI, 4, "\ufeffone\n|\r\ntwo")
    assert editor.changes(5, {"text": "all new"}) == Document(URI, 5, "all new")
    assert editor.tells("didClose", textDocument={"uri": URI}) is None


@pytest.mark.parametrize(
    "change",
    [
        {"range": place(-1, 0, 0), "text": "x"},
        {"range": place(0, 0, 0)},
        {"range": "everywhere", "text": "x"},
        {"text": None},
        {},
    ],
)
def test_what_cannot_be_read_changes_nothing_and_leaves_no_text_in_the_log(
    caplog: pytest.LogCaptureFixture, change: dict[str, Any]
) -> None:
    editor = Editor()
    opened = editor.opens("secret words")
    with caplog.at_level(logging.DEBUG):
        assert editor.changes(2, {**change, "note": "secret words"}) == opened
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "secret" not in caplog.text


def test_a_document_that_was_never_opened_is_not_made_up() -> None:
    editor = Editor()
    assert editor.changes(1, {"text": "x"}) is None
    assert editor.tells("didClose", textDocument={"uri": URI}) is None
