"""The log as it grows: on disk, folded, published, in this order, for everybody who writes at once."""

import asyncio

import anyio
import anyio.lowlevel
import pytest

from teamwright.protocol.events import ItemStarted
from teamwright.protocol.ids import ItemId
from teamwright.protocol.items import ToolCall
from teamwright.protocol.records import Scope
from tests.runtime.watched_journal import WatchedJournal, said


@pytest.mark.asyncio
async def test_those_who_write_at_once_are_written_together_each_in_its_order(watched: WatchedJournal) -> None:
    async def talk(name: str) -> None:
        for number in range(10):
            await watched.write(said(f"{name}{number}"))

    await asyncio.gather(*(talk(name) for name in "abcdefgh"))
    texts = await watched.on_disk()
    assert len(texts) == 80
    for name in "abcdefgh":
        assert [text for text in texts if text[0] == name] == [f"{name}{number}" for number in range(10)]
    assert watched.writes < 40
    assert watched.seen == [step for seq in range(2, 82) for step in (("folded", seq), ("heard", seq))]


@pytest.mark.asyncio
async def test_what_cannot_be_written_spoils_nothing_else(watched: WatchedJournal) -> None:
    half = ItemStarted(item=ToolCall(item_id=ItemId("item_1"), name="x", arguments={"text": "\ud800"}))
    before, broken, after = await asyncio.gather(
        watched.write(said("before")), watched.write(half), watched.write(said("after")), return_exceptions=True
    )
    assert isinstance(broken, ValueError)
    assert {before, after} == {2, 3}
    assert sorted(await watched.on_disk()) == ["after", "before"]


@pytest.mark.asyncio
async def test_nothing_becomes_a_fact_between_a_look_and_its_word(watched: WatchedJournal) -> None:
    async def count_up() -> None:
        async with watched.journal.undisturbed() as append:
            facts = sum(step == "folded" for step, _ in watched.seen)
            await anyio.lowlevel.checkpoint()
            await append(said(str(facts)), Scope())

    await asyncio.gather(*(count_up() for _ in range(5)), *(watched.write(said("noise")) for _ in range(5)))
    texts = await watched.on_disk()
    assert [text for place, text in enumerate(texts) if text != "noise" and int(text) != place] == []


@pytest.mark.asyncio
async def test_what_makes_sense_only_together_is_written_at_once(watched: WatchedJournal) -> None:
    async with watched.journal.undisturbed() as append:
        await append(said("question"), Scope(), said("answer"))
    assert (await watched.on_disk(), watched.writes) == (["question", "answer"], 1)


@pytest.mark.asyncio
async def test_an_event_whose_writer_is_cancelled_is_in_the_log_all_the_same(watched: WatchedJournal) -> None:
    async with anyio.create_task_group() as tasks, watched.journal.undisturbed():
        tasks.start_soon(watched.write, said("last words"))
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()
    assert await watched.on_disk() == ["last words"]
    assert watched.seen == [("folded", 2), ("heard", 2)]
