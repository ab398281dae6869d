"""A disk that takes nothing more: the user is told, nothing acknowledged is lost, and with room again it goes on."""

import resource
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, text

pytestmark = pytest.mark.asyncio


async def finished(client: LspClient, chat: Json) -> Json:
    return (await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"]))["event"]


def let_files_grow_to(client: LspClient, size: int) -> None:
    """The kernel refuses what goes beyond, as a full disk does; the pipes of the server are no files."""
    resource.prlimit(client.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@pytest.mark.proves("A6")
async def test_a_full_disk_is_told_and_what_was_said_goes_on_when_there_is_room(
    serve: Serve, models: ModelServer
) -> None:
    gate = models.gate("the answer")
    models.model("alpha").replies(text("One."), text("Two.").waits_for(gate), text("Three."))
    client = await serve(config=team_config(models, "alpha"))
    first = await client.command("teamwright.chat", text="first")
    await finished(client, first)

    second = await client.command("teamwright.chat", text="second", sessionId=first["sessionId"])
    await gate.reached()
    let_files_grow_to(client, 1)
    gate.release()
    notice = await client.event("notice.raised", lambda r: r["event"]["level"] == "error")
    assert "is full: free some space" in notice["event"]["text"]
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.chat", text="lost?", sessionId=first["sessionId"])
    assert refused.value.code == 507
    opened = await client.command("teamwright.session.open", sessionId=first["sessionId"])
    assert [item["text"] for item in opened["session"]["items"]] == ["first", "One.", "second"]

    let_files_grow_to(client, resource.RLIM_INFINITY)
    third = await client.command("teamwright.chat", text="third", sessionId=first["sessionId"])
    assert (await finished(client, third))["outcome"] == "completed"
    assert (await finished(client, second))["outcome"] == "failed", "the end that could not be written is made up for"
    opened = await client.command("teamwright.session.open", sessionId=first["sessionId"])
    assert not opened["session"]["busy"]
    assert [item["text"] for item in opened["session"]["items"]] == ["first", "One.", "second", "third", "Three."]
    counted = [record["seq"] for record in client.events if record["seq"] is not None]
    assert counted == list(range(1, len(counted) + 1))


@contextmanager
def out_of_reach(directory: Path) -> Generator[None]:
    """Also for its owner and for root, whom the modes of files keep out of nothing."""
    (locks,) = directory.rglob("locks")
    away = locks.rename(locks.with_name("locks away"))
    locks.touch()
    try:
        yield
    finally:
        locks.unlink()
        away.rename(locks)


@pytest.mark.proves("A6")
async def test_a_state_directory_that_cannot_be_written_any_more_is_told_and_work_goes_on_when_it_can_be_written_again(
    serve: Serve, models: ModelServer, tmp_path: Path
) -> None:
    models.model("alpha").always(lambda request: text(f"Answer to {request.messages[-2][1]}"))
    client = await serve(config=team_config(models, "alpha"))
    first = await client.command("teamwright.chat", text="first")
    await finished(client, first)
    opened = await client.command("teamwright.session.open", sessionId=first["sessionId"])

    with out_of_reach(tmp_path / "state"):
        with pytest.raises(LspError) as refused:
            await client.command("teamwright.chat", text="elsewhere")
        assert refused.value.code == 507
        assert "cannot be written (" in str(refused.value)
        assert "make it writable" in str(refused.value)
        again = await client.command("teamwright.session.open", sessionId=first["sessionId"])
        assert again["session"]["items"] == opened["session"]["items"]

    for known in ({"sessionId": first["sessionId"]}, {}):
        chat = await client.command("teamwright.chat", text="again", **known)
        assert (await finished(client, chat))["outcome"] == "completed"
    assert len((await client.command("teamwright.session.list"))["sessions"]) == 2
