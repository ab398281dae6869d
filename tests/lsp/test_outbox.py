"""What waits for a client that reads slowly, or not at all."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pydantic_core
import pytest

from teamwright.lsp.features.event_feed import EventFeed
from teamwright.lsp.transport import outbox as bounds
from teamwright.lsp.transport.outbox import Outbox, Plain
from teamwright.protocol.events import AnyEvent, DecisionResolved, ItemDelta, RunUpdated, TurnStarted, UsageReported
from teamwright.protocol.ids import DecisionId, ItemId, RunId, SessionId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import RunPhase, RunView

AT = datetime(2026, 1, 1, tzinfo=UTC)
ONE, TWO = SessionId("ses_1"), SessionId("ses_2")


class Room:
    """A feed into an outbox, and what a client reads out of it."""

    def __init__(self, *, deltas: bool = True) -> None:
        self.outbox = Outbox()
        self._feed = EventFeed(self.outbox, deltas=deltas)
        self._numbers = {ONE: count(1), TWO: count(1)}

    def tell(self, event: AnyEvent, session_id: SessionId = ONE, run_id: RunId | None = None) -> None:
        seq = next(self._numbers[session_id]) if event.durable else None
        self._feed(EventRecord(seq=seq, at=AT, session_id=session_id, run_id=run_id, event=event))

    def read(self) -> Iterator[dict[str, Any]]:
        """What is there. The last body says so."""
        self.outbox.put(Plain(b'"end"'))
        while True:
            for body in self.outbox.take():
                if body == b'"end"':
                    return
                yield pydantic_core.from_json(body)

    def events(self) -> list[dict[str, Any]]:
        return [message["params"]["event"] for message in self.read()]


def delta(offset: int, text: str, item: str = "item_1") -> ItemDelta:
    return ItemDelta(item_id=ItemId(item), offset=offset, text=text)


def view(phase: RunPhase) -> RunUpdated:
    return RunUpdated(run=RunView(run_id=RunId("run_1"), task="t", phase=phase, agents=(), started_at=AT))


def test_messages_are_written_in_order() -> None:
    room = Room()
    for number in range(5):
        room.outbox.put(Plain(b"%d" % number))
    assert list(room.read()) == [0, 1, 2, 3, 4]


def test_pieces_of_a_text_that_were_not_read_yet_are_joined_where_the_first_stood() -> None:
    room = Room()
    room.tell(delta(0, "a"))
    room.tell(delta(0, "x", item="item_2"))
    room.tell(delta(1, "bç🙂"))
    room.tell(delta(4, "d"))
    assert [(event["itemId"], event["offset"], event["text"]) for event in room.events()] == [
        ("item_1", 0, "abç🙂d"),
        ("item_2", 0, "x"),
    ]
    room.tell(delta(5, "e"))
    assert [(event["offset"], event["text"]) for event in room.events()] == [(5, "e")]


def test_what_each_call_has_cost_is_sent_however_slow_the_client_is() -> None:
    """Each tells of one call: a later one does not make up for it."""
    room = Room()
    for cost in (1.0, 2.0, 4.0):
        room.tell(UsageReported(usage=Usage(calls=1), cost_usd=cost), run_id=RunId("run_1"))
    assert [event["costUsd"] for event in room.events()] == [1.0, 2.0, 4.0]


def test_only_the_newest_view_of_a_run_is_sent_and_behind_the_facts_that_it_draws() -> None:
    room = Room()
    room.tell(view("answering"), run_id=RunId("run_1"))
    room.tell(TurnStarted(text="meanwhile"))
    room.tell(view("voting"), run_id=RunId("run_1"))
    assert [event.get("run", {}).get("phase", event["type"]) for event in room.events()] == ["turn.started", "voting"]


def test_a_delta_too_long_for_an_event_is_told_in_several() -> None:
    room = Room()
    text = "x😀" * 20_000
    room.tell(delta(0, "a"))
    room.tell(delta(1, text))
    told = room.events()
    assert max(len(each["text"].encode()) for each in told) <= 64 * 1024
    assert "".join(each["text"] for each in told) == f"a{text}"
    assert [each["offset"] for each in told] == [sum(len(e["text"]) for e in told[:n]) for n in range(len(told))]
    assert len(told) == 3


def test_a_client_that_wants_no_deltas_gets_none() -> None:
    room = Room(deltas=False)
    room.tell(delta(0, "a"))
    room.tell(TurnStarted(text="t"))
    assert [event["type"] for event in room.events()] == ["turn.started"]


def test_a_client_far_behind_gets_a_resync_for_each_session_and_all_that_waits_for_a_person() -> None:
    room = Room()
    room.tell(TurnStarted(text="read"))
    assert [event["type"] for event in room.events()] == ["turn.started"]
    room.tell(DecisionResolved(decision_id=DecisionId("dec_1"), choice="approve", by="user"))
    big = "x" * 50_000
    for number in range(bounds.MAX_PASSING_BYTES // len(big) + 10):
        room.tell(TurnStarted(text=big), TWO if number % 2 else ONE)
    room.tell(delta(0, "left out"))
    assert [(message["params"]["sessionId"], message["params"]["event"]) for message in room.read()] == [
        (ONE, {"type": "decision.resolved", "decisionId": "dec_1", "choice": "approve", "by": "user"}),
        (ONE, {"type": "session.resync", "lastSeq": 1}),
        (TWO, {"type": "session.resync", "lastSeq": 0}),
    ]
    room.tell(TurnStarted(text="heard again"))
    assert [event["text"] for event in room.events()] == ["heard again"]


@pytest.mark.parametrize(("times", "text"), [(bounds.MAX_ENTRIES + 2, ""), (2_000, "x" * 10_000)])
def test_what_waits_is_bounded_however_much_is_told(times: int, text: str) -> None:
    room = Room()
    for number in range(times):
        room.tell(TurnStarted(text=text))
        room.tell(delta(number * len(text), text))
    assert [event["type"] for event in room.events()] == ["session.resync"]


def test_whoever_owes_too_many_answers_waits_until_they_are_read() -> None:
    outbox = Outbox()
    outbox.wait_for_room()
    for _ in range(3):
        outbox.put(Plain(bytes(bounds.MAX_OWED_BYTES // 2)))
    waiter = threading.Thread(target=outbox.wait_for_room, daemon=True)
    waiter.start()
    waiter.join(0.05)
    assert waiter.is_alive()
    outbox.take()
    waiter.join(10)
    assert not waiter.is_alive()


def test_a_closed_outbox_is_emptied_and_takes_nothing_more() -> None:
    outbox = Outbox()
    outbox.put(Plain(b"first"))
    outbox.close()
    outbox.put(Plain(b"late"))
    assert [outbox.take(), outbox.take()] == [[b"first"], []]
