"""A turn whose log ends in the middle of a call: what it did is not known, and it is not done again unasked."""

import pytest

from teamwright.protocol.commands import SessionOpenParams
from teamwright.protocol.events import DurableEvent, ItemFinished, ItemStarted, SessionCreated, TurnStarted
from teamwright.protocol.ids import ItemId, SessionId, TurnId
from teamwright.protocol.items import AssistantMessage, ToolCall, UserMessage
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import SessionSummary
from teamwright.runtime.identity import now
from tests.runtime.conftest import Hire
from tests.runtime.crew import Crew
from tests.support.model_server import ModelServer, text

SESSION = SessionId("ses_interrupted")
TURN = TurnId("turn_interrupted")


async def left_behind(crew: Crew, *events: DurableEvent) -> None:
    """A log that another server wrote before it ended."""
    at = now()
    summary = SessionSummary(session_id=SESSION, title="Look around.", created_at=at, updated_at=at)
    asked = UserMessage(item_id=ItemId("item_1"), text="Look around.")
    begun = (TurnStarted(text="Look around."), ItemStarted(item=asked), ItemFinished(item=asked), *events)
    created = EventRecord(seq=None, at=at, session_id=SESSION, event=SessionCreated(session=summary))
    records = [EventRecord(seq=None, at=at, session_id=SESSION, turn_id=TURN, event=event) for event in begun]
    await crew.services.store.append(SESSION, [created, *records])
    await crew.services.store.release(SESSION)


async def opened(crew: Crew) -> None:
    params = SessionOpenParams(session_id=SESSION, after_seq=0)
    result = await crew.supervisor.open_session(params, crew.hear)
    # Questions are told to every client, also to one that has not opened their session yet.
    heard = {record["seq"] for record in crew.events if record["sessionId"] == SESSION}
    crew.events[:0] = [record.to_wire() for record in result.events if record.seq not in heard]
    crew.events.sort(key=lambda record: record["seq"] or 0)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("name", "told", "status"),
    [("update_project", "was interrupted", "failed"), ("list_files", "[no files]", "succeeded")],
)
async def test_a_call_that_was_cut_short_fails_unless_it_only_read(
    name: str, told: str, status: str, hire: Hire, models: ModelServer
) -> None:
    models.model("alpha").replies(text("I looked."))
    crew = await hire()
    call = ToolCall(item_id=ItemId("item_2"), name=name, arguments={})
    await left_behind(crew, ItemStarted(item=call))
    await opened(crew)
    question = await crew.question("resume")
    assert question["detail"] == {"what": "turn", "task": "Look around.", "done": "nothing so far"}
    await crew.approve(question["decisionId"])
    finished = await crew.event("turn.finished")

    assert finished["event"]["outcome"] == "completed"
    assert told in models.requests[0].tool_results[0].text
    ended = [record["event"]["item"] for record in crew.log(None, "item.finished")]
    assert [(item["itemId"], item.get("status")) for item in ended if item["kind"] == "tool_call"] == [
        ("item_2", status)
    ]


@pytest.mark.asyncio
async def test_a_launch_that_never_came_to_a_run_is_not_made_up_for(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(text("Shall I launch it again?"))
    crew = await hire()
    call = ToolCall(item_id=ItemId("item_2"), name="launch_run", arguments={"task": "Look."})
    await left_behind(crew, ItemStarted(item=call))
    await opened(crew)
    await crew.approve((await crew.question("resume"))["decisionId"])
    await crew.event("turn.finished")
    assert crew.log(None, "run.started") == []
    assert "was interrupted" in models.requests[0].tool_results[0].text


@pytest.mark.asyncio
async def test_a_turn_that_is_not_wanted_any_more_leaves_nothing_open(hire: Hire, models: ModelServer) -> None:
    crew = await hire()
    half = AssistantMessage(item_id=ItemId("item_3"))
    call = ToolCall(item_id=ItemId("item_2"), name="list_files", arguments={})
    await left_behind(crew, ItemStarted(item=half), ItemStarted(item=call))
    await opened(crew)
    await crew.approve((await crew.question("resume"))["decisionId"], "cancel")
    finished = await crew.event("turn.finished")
    assert finished["event"]["outcome"] == "cancelled"
    assert models.requests == []
    ended = [record["event"]["item"] for record in crew.log(None, "item.finished")][1:]
    assert [(item["itemId"], item.get("status"), item.get("discarded")) for item in ended] == [
        ("item_3", None, True),
        ("item_2", "cancelled", None),
    ]


def answer(words: str) -> tuple[ItemStarted, ItemFinished]:
    """All that the assistant has to say."""
    item_id = ItemId("item_2")
    finished = AssistantMessage(item_id=item_id, text=words)
    return ItemStarted(item=AssistantMessage(item_id=item_id), step=1), ItemFinished(item=finished, ends_turn=True)


@pytest.mark.asyncio
async def test_a_turn_of_which_only_the_end_is_missing_ends_without_asking_anybody(
    hire: Hire, models: ModelServer
) -> None:
    crew = await hire()
    await left_behind(crew, *answer("I looked."))
    await opened(crew)
    finished = await crew.event("turn.finished")
    assert finished["event"]["outcome"] == "completed"
    assert crew.log(None, "decision.requested") == []
    assert models.requests == []


@pytest.mark.asyncio
@pytest.mark.parametrize("moment", ["while it was given", "after it"])
async def test_words_that_an_answer_did_not_know_of_are_answered_after_a_restart(
    moment: str, hire: Hire, models: ModelServer
) -> None:
    models.model("alpha").replies(text("I looked there, too."))
    crew = await hire()
    started, finished = answer("I looked.")
    more = UserMessage(item_id=ItemId("item_3"), text="There, too.")
    words = (ItemStarted(item=more), ItemFinished(item=more))
    order = (started, *words, finished) if moment == "while it was given" else (started, finished, *words)
    await left_behind(crew, *order)
    await opened(crew)
    await crew.approve((await crew.question("resume"))["decisionId"])
    await crew.event("turn.finished")
    assert [request.model for request in models.requests] == ["alpha"]
    assert "There, too." in str(models.requests[0].messages)
