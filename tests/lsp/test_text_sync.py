"""The editor's notifications about its documents, and what we hold after each."""

import logging
from typing import Any

import pytest

from teamwright.lsp.features.text_sync import TextSync
from teamwright.workspace.files.documents import Document, Documents

URI = "file:///w/a.txt"


class Editor:
    def __init__(self) -> None:
        self.documents = Documents()
        self._sync = TextSync(self.documents, "utf-16")

    def opens(self, text: str) -> Document | None:
        self._sync.open({"textDocument": {"uri": URI, "languageId": "x", "version": 1, "text": text}})
        return self.documents.get(URI)

    def changes(self, version: int | None, *changes: dict[str, Any]) -> Document | None:
        self._sync.change({"textDocument": {"uri": URI, "version": version}, "contentChanges": list(changes)})
        return self.documents.get(URI)

    def closes(self) -> Document | None:
        self._sync.close({"textDocument": {"uri": URI}})
        return self.documents.get(URI)


def place(line: int, start: int, end: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def test_a_document_is_opened_changed_in_steps_replaced_and_closed() -> None:
    editor = Editor()
    assert editor.opens("\ufeffone\r\ntwo") == Document(URI, 1, "\ufeffone\r\ntwo")
    # Each step is placed in what the step before it has left.
    steps = ({"range": place(0, 4, 4), "text": "\n"}, {"range": place(1, 0, 0), "text": "|", "rangeLength": 0})
    assert editor.changes(4, *steps) == Document(URI, 4, "\ufeffone\n|\r\ntwo")
    assert editor.changes(5, {"text": "all new"}) == Document(URI, 5, "all new")
    assert editor.closes() is None


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
    assert editor.closes() is None
