"""Writes in the shape that a client of LSP understands."""

from typing import Any

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter

from teamwright.lsp.features.workspace_edits import EditSupport, workspace_edit
from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.ids import AgentId
from teamwright.workspace.changes.file_writes import CurrentFile, Write
from teamwright.workspace.files.documents import Document
from teamwright.workspace.files.text import Encoding

AGENT = AgentId("claude")
ALL: dict[str, Any] = {
    "documentChanges": True,
    "resourceOperations": ["create", "rename", "delete"],
    "changeAnnotationSupport": {},
}


def write(name: str, old: str | None, new: str | None, version: int | None = None, **more: Any) -> Write:
    uri = f"file:///w/{name}"
    document = None if version is None or old is None else Document(uri, version, old)
    return Write(WorkspacePath("w", (name,)), uri, CurrentFile(old, document), new, **more)


def made(support: EditSupport, *writes: Write) -> dict[str, Any]:
    edit = workspace_edit(writes, AGENT, support, "utf-16")
    get_converter().structure(edit, types.WorkspaceEdit)
    return edit


def insertion(text: str, **more: str) -> dict[str, Any]:
    start = {"line": 0, "character": 0}
    return {"range": {"start": start, "end": start}, "newText": text, **more}


def test_every_step_is_versioned_marked_and_in_an_order_that_can_be_carried_out() -> None:
    mark = {"annotationId": "teamwright"}
    edit = made(
        EditSupport.told(ALL),
        write("open.txt", "b", "ab", version=3),
        write("new.txt", None, "new"),
        write("empty.txt", None, ""),
        write("gone.txt", "gone", None),
        write("from.txt", "moved", None),
        write("to.txt", None, "moved"),
    )
    assert edit == {
        "documentChanges": [
            {"kind": "rename", "oldUri": "file:///w/from.txt", "newUri": "file:///w/to.txt", **mark},
            {"textDocument": {"uri": "file:///w/open.txt", "version": 3}, "edits": [insertion("a", **mark)]},
            {"kind": "create", "uri": "file:///w/new.txt", **mark},
            {"textDocument": {"uri": "file:///w/new.txt", "version": None}, "edits": [insertion("new", **mark)]},
            {"kind": "create", "uri": "file:///w/empty.txt", **mark},
            {"kind": "delete", "uri": "file:///w/gone.txt", **mark},
        ],
        "changeAnnotations": {"teamwright": {"label": "Teamwright: claude", "needsConfirmation": False}},
    }


def test_without_renames_a_file_moves_by_being_created_and_deleted() -> None:
    support = EditSupport.told({**ALL, "resourceOperations": ["create", "delete"]})
    steps = made(support, write("from.txt", "x", None), write("to.txt", None, "x"))["documentChanges"]
    assert [step.get("kind", "edit") for step in steps] == ["delete", "create", "edit"]


def test_without_annotations_nothing_is_marked() -> None:
    edit = made(EditSupport.told({"documentChanges": True}), write("a.txt", "b", "ab"))
    change = {"textDocument": {"uri": "file:///w/a.txt", "version": None}, "edits": [insertion("a")]}
    assert edit == {"documentChanges": [change]}


def test_without_document_changes_edits_go_by_uri() -> None:
    assert made(EditSupport(), write("a.txt", "b", "ab", version=3)) == {
        "changes": {"file:///w/a.txt": [insertion("a")]}
    }


@pytest.mark.parametrize(
    ("told", "old", "new", "encoding", "can"),
    [
        (ALL, "a", "b", "utf-16-le", True),
        (ALL, None, "b", "utf-8", True),
        (ALL, None, "b", "utf-8-bom", False),
        (ALL, "a", None, "utf-8", True),
        ({}, "a", "b", "utf-8", True),
        ({}, None, "b", "utf-8", False),
        ({}, "a", None, "utf-8", False),
        ({**ALL, "documentChanges": False}, "a", None, "utf-8", False),
        ({"documentChanges": True, "resourceOperations": ["create", 7]}, "a", None, "utf-8", False),
        ({"documentChanges": True, "resourceOperations": "delete"}, "a", None, "utf-8", False),
    ],
)
def test_what_a_client_cannot_say_is_left_to_the_disk(
    told: dict[str, Any], old: str | None, new: str | None, encoding: Encoding, can: bool
) -> None:
    assert EditSupport.told(told).can_express(write("a.txt", old, new, encoding=encoding)) is can
