"""The log as it grows: on disk, folded, published, in this order, for everybody who writes at once."""

import asyncio

import anyio
import anyio.lowlevel
import pytest

from quorate.protocol.events import ItemStarted
from quorate.protocol.ids import ItemId
from quorate.protocol.items import ToolCall
from quorate.runtime.journal import Scope
from tests.runtime.journal_desk import Desk, said


@pytest.mark.asyncio
async def test_those_who_write_at_once_are_written_together_each_in_its_order(desk: Desk) -> None:
    async def talk(name: str) -> None:
        for number in range(10):
            await desk.write(said(f"{name}{number}"))

    await asyncio.gather(*(talk(name) for name in "abcdefgh"))
    texts = await desk.on_disk()
    assert len(texts) == 80
    for name in "abcdefgh":
        assert [text for text in texts if text[0] == name] == [f"{name}{number}" for number in range(10)]
    assert desk.writes < 40
    assert desk.seen == [step for seq in range(2, 82) for step in (("folded", seq), ("heard", seq))]


@pytest.mark.asyncio
async def test_what_cannot_be_written_spoils_nothing_else(desk: Desk) -> None:
    half = ItemStarted(item=ToolCall(item_id=ItemId("item_1"), name="x", arguments={"text": "\ud800"}))
    before, broken, after = await asyncio.gather(
        desk.write(said("before")), desk.write(half), desk.write(said("after")), return_exceptions=True
    )
    assert isinstance(broken, ValueError)
    assert {before, after} == {2, 3}
    assert sorted(await desk.on_disk()) == ["after", "before"]


@pytest.mark.asyncio
async def test_nothing_becomes_a_fact_between_a_look_and_its_word(desk: Desk) -> None:
    async def count_up() -> None:
        async with desk.journal.undisturbed() as append:
            facts = sum(step == "folded" for step, _ in desk.seen)
            await anyio.lowlevel.checkpoint()
            await append(said(str(facts)), Scope())

    await asyncio.gather(*(count_up() for _ in range(5)), *(desk.write(said("noise")) for _ in range(5)))
    texts = await desk.on_disk()
    assert [text for place, text in enumerate(texts) if text != "noise" and int(text) != place] == []


@pytest.mark.asyncio
async def test_what_makes_sense_only_together_is_written_at_once(desk: Desk) -> None:
    async with desk.journal.undisturbed() as append:
        await append(said("question"), Scope(), said("answer"))
    assert (await desk.on_disk(), desk.writes) == (["question", "answer"], 1)


@pytest.mark.asyncio
async def test_an_event_whose_writer_is_cancelled_is_in_the_log_all_the_same(desk: Desk) -> None:
    async with anyio.create_task_group() as tasks, desk.journal.undisturbed():
        tasks.start_soon(desk.write, said("last words"))
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()
    assert await desk.on_disk() == ["last words"]
    assert desk.seen == [("folded", 2), ("heard", 2)]
