"""Damage on the disk locks nobody out: the server goes on with what can be read, and tells what was lost."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.damage import break_search_index, overwrite, root_page
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, text
from tests.support.patience import PATIENCE_SECONDS

pytestmark = [pytest.mark.asyncio, pytest.mark.proves("A6")]


@pytest.fixture
def config(models: ModelServer) -> str:
    models.model("alpha").always(lambda request: text(f"Answer to {request.messages[-2][1]}"))
    return team_config(models, "alpha")


async def say(client: LspClient, words: str, **session: str) -> Json:
    chat = await client.command("teamwright.chat", text=words, **session)
    await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"])
    return chat


async def texts(client: LspClient, chat: Json) -> list[str]:
    opened = await client.command("teamwright.session.open", sessionId=chat["sessionId"])
    return [item["text"] for item in opened["session"]["items"]]


async def notice(client: LspClient, words: str) -> str:
    raised = await client.event("notice.raised", lambda r: words in r["event"]["text"])
    return raised["event"]["text"]


def database(state: Path) -> Path:
    (found,) = state.rglob("sessions.db")
    return found


def set_aside(state: Path) -> Path:
    (found,) = state.rglob("sessions.damaged-*.db")
    return found


def delete(state: Path) -> None:
    """At one stroke: who is at work there puts nothing into it meanwhile."""
    shutil.rmtree(state.rename(state.with_name("being deleted")))


def copies_of(path: Path) -> list[Path]:
    return list((path.parent / "copies").glob("sessions.daily-*.db"))


async def test_a_broken_search_index_keeps_no_session_from_being_opened_and_is_made_anew(
    serve: Serve, config: str, tmp_path: Path
) -> None:
    first = await serve(config=config)
    chat = await say(first, "What is a quorum?")
    await first.shutdown()
    break_search_index(database(tmp_path / "state"))

    second = await serve(config=config)
    assert await texts(second, chat) == ["What is a quorum?", "Answer to What is a quorum?"]
    await say(second, "And a majority?", sessionId=chat["sessionId"])
    hits = (await second.command("teamwright.session.search", text="majority"))["hits"]
    assert {hit["sessionId"] for hit in hits} == {chat["sessionId"]}
    assert "made anew" in await notice(second, "index")


@pytest.mark.parametrize("table", ["sqlite_schema", "sessions", "events"])
async def test_a_damaged_database_is_set_aside_and_what_can_be_read_of_it_is_brought_back(
    serve: Serve, config: str, tmp_path: Path, table: str
) -> None:
    first = await serve(config=config)
    chat = await say(first, "What is a quorum?")
    await first.shutdown()
    path = database(tmp_path / "state")
    page = 1 if table == "sqlite_schema" else root_page(path, table)
    # Of the records, of which there are few, only the page's own head.
    overwrite(path, page, 100 if page == 1 else 0, 4096 if table != "events" else 1)

    second = await serve(config=config)
    listed = await second.command("teamwright.session.list")
    told = await notice(second, "is damaged")
    assert set_aside(tmp_path / "state").name in told
    if table == "events":
        assert [each["title"] for each in listed["sessions"]] == ["What is a quorum?"]
    else:
        assert await texts(second, chat) == ["What is a quorum?", "Answer to What is a quorum?"]
        assert "nothing is missing" in told
    await say(second, "And a majority?", sessionId=chat["sessionId"])


async def test_a_session_whose_every_record_is_damaged_opens_and_goes_on(
    serve: Serve, config: str, tmp_path: Path
) -> None:
    first = await serve(config=config)
    chat = await say(first, "What is a quorum?")
    await first.shutdown()
    with closing(sqlite3.connect(database(tmp_path / "state"))) as vandal, vandal:
        vandal.execute("UPDATE events SET body = replace(body, 'quorum', 'quarrel')")
        (count,) = vandal.execute(
            "UPDATE events SET body = '{' || body RETURNING (SELECT count(*) FROM events)"
        ).fetchone()

    second = await serve(config=config)
    opened = await second.command("teamwright.session.open", sessionId=chat["sessionId"])
    assert (opened["session"]["title"], opened["session"]["items"]) == ("What is a quorum?", [])
    assert f"{count:,} records" in await notice(second, "altered on the disk")
    await say(second, "Again?", sessionId=chat["sessionId"])
    assert await texts(second, chat) == ["Again?", "Answer to Again?"]


async def test_a_letter_that_was_flipped_on_the_disk_is_never_shown_as_what_was_said(
    serve: Serve, config: str, tmp_path: Path
) -> None:
    first = await serve(config=config)
    chat = await say(first, "What is a quorum?")
    await first.shutdown()
    with closing(sqlite3.connect(database(tmp_path / "state"))) as vandal, vandal:
        vandal.execute("UPDATE events SET body = replace(body, 'Answer to', 'Answer no')")

    second = await serve(config=config)
    assert await texts(second, chat) == ["What is a quorum?", ""], "it began, and what it came to is not known"
    assert await notice(second, "altered") is not None


async def test_a_missing_database_is_told_of_and_comes_back_from_its_copy(
    serve: Serve, config: str, tmp_path: Path
) -> None:
    first = await serve(config=config)
    chat = await say(first, "What is a quorum?")
    await first.shutdown()
    path = database(tmp_path / "state")
    second = await serve(config=config)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not copies_of(path):
            await second.command("teamwright.session.list")
    await second.shutdown()
    path.unlink()

    third = await serve(config=config)
    assert await texts(third, chat) == ["What is a quorum?", "Answer to What is a quorum?"]
    assert "1 session" in await notice(third, "is missing")


async def test_a_state_folder_that_is_deleted_while_the_server_runs_is_made_again_before_anything_is_acknowledged(
    serve: Serve, config: str, tmp_path: Path
) -> None:
    client = await serve(config=config)
    chat = await say(client, "first")
    state = database(tmp_path / "state").parent
    delete(state)

    await say(client, "second", sessionId=chat["sessionId"])
    assert f"{state} was deleted" in await notice(client, "was deleted")
    elsewhere = await say(client, "third")
    await client.kill()

    again = await serve(config=config)
    assert await texts(again, chat) == ["first", "Answer to first", "second", "Answer to second"]
    assert await texts(again, elsewhere) == ["third", "Answer to third"]


async def test_nothing_is_acknowledged_while_the_state_folder_cannot_be_made_again(
    serve: Serve, config: str, tmp_path: Path
) -> None:
    client = await serve(config=config)
    chat = await say(client, "first")
    state = database(tmp_path / "state").parent
    delete(state)
    state.write_text("in the way", encoding="utf-8")

    with pytest.raises(LspError) as refused:
        await client.command("teamwright.chat", text="lost?", sessionId=chat["sessionId"])
    assert refused.value.code == 507
    assert str(state) in str(refused.value)
    state.unlink()
    await say(client, "second", sessionId=chat["sessionId"])
    await client.kill()
    again = await serve(config=config)
    assert await texts(again, chat) == ["first", "Answer to first", "second", "Answer to second"]


async def test_two_windows_find_each_other_again_in_a_folder_that_was_made_anew(
    serve: Serve, config: str, tmp_path: Path
) -> None:
    one, two = await serve(config=config), await serve(config=config)
    mine, yours = await say(one, "mine"), await say(two, "yours")
    delete(database(tmp_path / "state").parent)

    await say(one, "still mine", sessionId=mine["sessionId"])
    await say(two, "still yours", sessionId=yours["sessionId"])
    with pytest.raises(LspError) as refused:
        await two.command("teamwright.chat", text="whose?", sessionId=mine["sessionId"])
    assert refused.value.code == 409
    for client in (one, two):
        await client.kill()
    again = await serve(config=config)
    assert await texts(again, mine) == ["mine", "Answer to mine", "still mine", "Answer to still mine"]
    assert await texts(again, yours) == ["yours", "Answer to yours", "still yours", "Answer to still yours"]
