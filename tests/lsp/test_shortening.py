"""Texts that are too long for the wire are cut, and say so; everything else passes untouched."""

from datetime import UTC, datetime

from teamwright.lsp.shortening import MAX_TEXT_BYTES, shortened
from teamwright.protocol.commands import SessionOpenResult
from teamwright.protocol.events import AnyEvent, ItemFinished, RunFinished, TurnStarted
from teamwright.protocol.ids import AgentId, ItemId, SessionId
from teamwright.protocol.items import AssistantMessage, ToolCall
from teamwright.protocol.records import EventRecord
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import RunResult, SessionView

AT = datetime(2026, 11, 16, tzinfo=UTC)
LONG = "ü" * MAX_TEXT_BYTES


def record(event: AnyEvent) -> EventRecord:
    return EventRecord(seq=1, at=AT, session_id=SessionId("ses_1"), event=event)


def test_what_fits_is_the_same_object() -> None:
    fits = record(TurnStarted(text="x" * MAX_TEXT_BYTES))

    assert shortened(fits) is fits


def test_a_text_is_cut_by_its_bytes_between_characters_and_marked() -> None:
    cut = shortened(record(TurnStarted(text=LONG))).event

    assert isinstance(cut, TurnStarted)
    assert cut == TurnStarted(text="ü" * ((MAX_TEXT_BYTES - 3) // 2) + "…", truncated=True)
    assert len(cut.text.encode()) <= MAX_TEXT_BYTES


def test_results_arguments_and_items_in_views_are_cut_where_they_stand() -> None:
    result = RunResult(text=LONG, agent_id=AgentId("a"), strategy="winner_present")
    finished = shortened(record(RunFinished(outcome="completed", result=result, usage=Usage()))).event
    assert isinstance(finished, RunFinished)
    assert finished.result is not None
    assert (finished.result.truncated, finished.result.agent_id) == (True, "a")

    call = ToolCall(item_id=ItemId("item_1"), name="write_file", arguments={"path": "a.txt", "content": LONG})
    written = shortened(record(ItemFinished(item=call))).event
    assert isinstance(written, ItemFinished)
    assert isinstance(written.item, ToolCall)
    assert (written.item.truncated, written.item.arguments["path"]) == (True, "a.txt")
    assert len(written.item.arguments["content"].encode()) <= MAX_TEXT_BYTES

    short, long = (AssistantMessage(item_id=ItemId(f"item_{len(text)}"), text=text) for text in ("brief", LONG))
    view = SessionView(session_id=SessionId("ses_1"), title="T", created_at=AT, updated_at=AT, items=(short, long))
    opened = shortened(SessionOpenResult(session=view, events=(), more=False))
    assert [item.truncated for item in opened.session.items] == [None, True]
    assert opened.session.items[0] is short
