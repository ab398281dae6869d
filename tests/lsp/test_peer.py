"""Asking the client: answers, refusals, deadlines, and requests that are taken back."""

import asyncio
from typing import Any

import pydantic_core
import pytest

from teamwright.lsp.transport.messages import ResponseMessage
from teamwright.lsp.transport.outbox import Outbox
from teamwright.lsp.transport.peer import Peer, PeerError


def sent(outbox: Outbox) -> list[dict[str, Any]]:
    return [pydantic_core.from_json(body) for body in outbox.take()]


@pytest.mark.asyncio
async def test_the_clients_result_is_the_requests() -> None:
    outbox = Outbox()
    peer = Peer(outbox)
    asking = asyncio.create_task(peer.request("workspace/applyEdit", {"edit": {}}, deadline=10))
    await asyncio.sleep(0)
    (asked,) = sent(outbox)
    assert asked == {"jsonrpc": "2.0", "id": asked["id"], "method": "workspace/applyEdit", "params": {"edit": {}}}
    peer.take(ResponseMessage("somebody else's", "wrong"))
    peer.take(ResponseMessage(asked["id"], {"applied": True}))
    peer.take(ResponseMessage(asked["id"], "twice"))
    assert await asking == {"applied": True}


@pytest.mark.asyncio
async def test_a_refusal_is_an_error_with_the_clients_words() -> None:
    outbox = Outbox()
    peer = Peer(outbox)
    asking = asyncio.create_task(peer.request("window/showDocument", {}, deadline=10))
    await asyncio.sleep(0)
    (asked,) = sent(outbox)
    peer.take(ResponseMessage(asked["id"], error={"code": -32601, "message": "What?"}))
    with pytest.raises(PeerError, match="What") as refusal:
        await asking
    assert refusal.value.code == -32601


@pytest.mark.asyncio
async def test_a_request_that_nobody_waits_for_is_taken_back_and_leaves_nothing() -> None:
    outbox = Outbox()
    peer = Peer(outbox)
    with pytest.raises(TimeoutError):
        await peer.request("workspace/applyEdit", {}, deadline=0)
    asked, taken_back = sent(outbox)
    assert (taken_back["method"], taken_back["params"]) == ("$/cancelRequest", {"id": asked["id"]})

    asking = asyncio.create_task(peer.request("window/showMessageRequest", {}, deadline=None))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait([asking])
    assert [message["method"] for message in sent(outbox)] == ["window/showMessageRequest", "$/cancelRequest"]
    assert peer._asked == {}  # pyright: ignore[reportPrivateUsage] - that nothing leaks is seen nowhere else


def test_capabilities_are_asked_by_their_path() -> None:
    peer = Peer(Outbox())
    peer.capabilities = {"workspace": {"applyEdit": True, "workspaceEdit": {}}, "window": {"showDocument": False}}
    assert peer.can("workspace", "applyEdit")
    assert peer.can("workspace", "workspaceEdit")
    assert not peer.can("window", "showDocument", "support")
    assert not peer.can("textDocument")
    assert not peer.knows_our_protocol
