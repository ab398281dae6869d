"""What is made of a session's log besides a conversation: figures, an export, the items of long ago."""

import json
from datetime import timedelta

import pytest

from teamwright.engine.session.reduce import fold
from teamwright.engine.session.state import SessionState
from teamwright.engine.session.view import stats
from teamwright.protocol.commands import SessionStats
from teamwright.protocol.errors import BadParams
from teamwright.protocol.ids import ItemId
from teamwright.protocol.items import AssistantMessage
from teamwright.protocol.records import EventRecord
from teamwright.protocol.usage import Usage
from teamwright.runtime.catalog.exporting import exported, log_in
from teamwright.runtime.catalog.older_items import items_before
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore
from tests.store.facts import (
    SES,
    asked,
    begun,
    created,
    decided,
    finished,
    run_finished,
    run_started,
    turn_finished,
    turn_started,
    whole_turn,
)


def second_by_second(*records: EventRecord) -> list[EventRecord]:
    return [
        record.model_copy(update={"seq": seq, "at": record.at + timedelta(seconds=seq)})
        for seq, record in enumerate(records, 1)
    ]


def stats_of(*records: EventRecord) -> SessionStats:
    return stats(fold(second_by_second(*records), SessionState(SES)))


def test_time_counts_while_something_is_at_work_and_nobody_is_waited_for() -> None:
    question, answer = (
        record.model_copy(update={"turn_id": "turn_1"}) for record in (asked("dec_1"), decided("dec_1"))
    )
    log = [created(), turn_started("turn_1"), question, answer, turn_finished("turn_1")]

    assert stats_of(*log, run_started(), created(), run_finished()) == SessionStats(
        session_id=SES, turns=1, runs=1, messages=0, usage=Usage(calls=8), cost_usd=None, seconds=4.0
    )


def test_messages_are_those_of_the_user_and_the_assistant() -> None:
    discarded = AssistantMessage(item_id=ItemId("item_x"), text="Half", discarded=True)

    told = stats_of(created(), *whole_turn("turn_1", "Why?", "Because."), finished(discarded))

    assert (told.turns, told.messages) == (1, 2)


def test_a_damaged_record_is_exported_as_what_is_left_of_it() -> None:
    log = ('{"seq":1,"text":"naïve"}', '{"seq":2,"te', "", "[1]")

    text = exported(log)

    assert json.loads(text)["records"] == [{"seq": 1, "text": "naïve"}, '{"seq":2,"te', "", "[1]"]
    assert log_in(text) == list(log)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no", "it is not JSON"),
        ("[]", "it is not an object"),
        ('{"format": "teamwright.session", "version": 1, "records": {}}', '"records" a list'),
        ('{"format": "other", "version": 1, "records": []}', '"format" must be'),
        ('{"format": "teamwright.session", "version": 2, "records": []}', "of version 2; update Teamwright"),
    ],
)
def test_what_was_not_exported_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(BadParams, match="this is not an exported session") as refused:
        log_in(text)
    assert words in refused.value.message


@pytest.mark.asyncio
async def test_items_that_began_earlier_and_ended_later_are_found_as_they_ended(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    store = await SqliteStore.open(tmp_path_factory.mktemp("state"), Owner.this_process("test"))
    try:
        slow, quick, last = (AssistantMessage(item_id=ItemId(f"item_{name}")) for name in ("slow", "quick", "last"))
        said = [item.model_copy(update={"text": f"{item.item_id} said"}) for item in (slow, quick, last)]
        await store.append(
            SES,
            [
                created(),
                begun(slow),
                begun(quick),
                finished(said[1]),
                begun(last),
                finished(said[0]),
                finished(said[2]),
            ],
        )
        ended = {item.item_id: item.model_copy(update={"seq": seq}) for item, seq in zip(said, (6, 4, 7), strict=True)}

        assert await items_before(store, SES, 7) == (ended[slow.item_id], ended[quick.item_id])
        assert await items_before(store, SES, 4) == (ended[slow.item_id],)
        assert await items_before(store, SES, 6) == ()
        assert await items_before(store, SES, 99) == tuple(ended.values())
        assert await items_before(store, SES, 1) == ()
    finally:
        await store.close()
