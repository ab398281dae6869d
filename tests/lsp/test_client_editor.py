"""A client asked for an edit: every way in which it may answer."""

import asyncio
import json
from typing import Any

import pytest

from teamwright.lsp.features.workspace_edits import ClientEditor
from teamwright.lsp.transport.messages import ResponseMessage
from teamwright.lsp.transport.outbox import Outbox
from teamwright.lsp.transport.peer import Peer
from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.ids import AgentId
from teamwright.workspace.changes.file_writes import CurrentFile, EditAccepted, EditDeclined, EditOutcome, Write
from tests.support.patience import PATIENCE_SECONDS

WRITE = Write(WorkspacePath("w", ("a.txt",)), "file:///w/a.txt", CurrentFile("b"), "ab")


def peer_with(workspace: dict[str, Any]) -> tuple[Peer, Outbox]:
    outbox = Outbox()
    peer = Peer(outbox)
    peer.capabilities = {"workspace": workspace}
    return peer, outbox


async def answered(result: Any = None, error: dict[str, Any] | None = None) -> EditOutcome:
    peer, outbox = peer_with({"applyEdit": True})
    making = asyncio.create_task(ClientEditor(peer).make([WRITE], AgentId("claude")))
    async with asyncio.timeout(PATIENCE_SECONDS):
        (asked,) = await asyncio.to_thread(outbox.take)
        message = json.loads(asked)
        assert (message["method"], message["params"]["label"]) == (
            "workspace/applyEdit",
            "Teamwright: changes by claude",
        )
        peer.take(ResponseMessage(message["id"], result, error))
        return await making


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("result", "answer"),
    [
        ({"applied": True}, EditAccepted()),
        ({"applied": False, "failureReason": "it is locked"}, EditDeclined("the editor refused: it is locked")),
        ({"applied": False}, EditDeclined("the editor refused it")),
        ({"applied": "yes"}, EditDeclined("the editor refused it")),
        (None, EditDeclined("the editor refused it")),
    ],
)
async def test_only_a_plain_yes_is_a_yes(result: Any, answer: EditOutcome) -> None:
    assert await answered(result) == answer


@pytest.mark.asyncio
async def test_an_editor_that_fails_has_declined() -> None:
    assert await answered(error={"code": -32603, "message": "boom"}) == EditDeclined("the editor failed: boom")


@pytest.mark.parametrize(
    ("workspace", "can"), [({}, False), ({"applyEdit": False}, False), ({"applyEdit": True, "workspaceEdit": []}, True)]
)
def test_a_client_that_takes_no_edits_is_not_asked(workspace: dict[str, Any], can: bool) -> None:
    peer, _ = peer_with(workspace)
    assert ClientEditor(peer).can_make(WRITE) is can
