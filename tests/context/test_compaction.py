"""Long sessions are summed up by the model, and by bare traces where that fails; the latest turns stay as they are."""

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
import pytest_asyncio

from teamwright.models.factory import Models
from teamwright.models.model import RetryPolicy
from teamwright.models.port import Deadlines, Model, ModelUsage, UserPrompt
from teamwright.protocol.events import SessionCompacted
from teamwright.runtime.context.layout import HistoryBudget
from teamwright.runtime.context.request import build, needs_compaction
from teamwright.runtime.context.summarising import Compaction, Summarising, compact, summarise
from tests.context.seeing import folded, outlook
from tests.context.telling import Told
from tests.models.asking import KEY, KEY_VARIABLE, backend
from tests.support.model_server import ModelServer, Reply, answer, empty, fails, filtered, never_answers, text, thinking

ROOM = HistoryBudget(40_000)


@pytest_asyncio.fixture
async def model(models: ModelServer) -> AsyncGenerator[Model]:
    policy = RetryPolicy(attempts=2, first=0.0)
    async with Models({KEY_VARIABLE: KEY}, retry=policy) as services:
        yield services.open(backend(models))


def long_session() -> Told:
    told = Told()
    for number in range(10):
        told.asks(f"Question {number}?")
        told.calls("read_file", "x" * 200, path=f"{number}.py")
        told.says(f"{number} " + "y" * 3_000)
        told.finishes()
    told.run_ends("run_7", "Done.", error=None)
    told.asks("And now?")
    return told


def summarising(told: Told, room: HistoryBudget = ROOM) -> Summarising:
    found = summarise(folded(told.records), outlook(room))
    assert found is not None
    return found


def unheard(_report: ModelUsage) -> None:
    pass


def test_the_earlier_turns_are_summed_up_and_the_latest_kept() -> None:
    told = long_session()
    plan = summarising(told)
    told.compacts("SUMMARY", plan.up_to_seq)
    after = folded(told.records)
    asked = [message.text for message in build(after, outlook(ROOM)).messages if isinstance(message, UserPrompt)]
    assert [each.split("\n")[0] for each in asked] == [
        "[The conversation so far was long; this summary stands for its beginning.",
        "Question 8?",
        "Question 9?",
        "[The user launched run run_7, which has ended: completed.",
        "And now?",
    ]
    assert not needs_compaction(after, ROOM)


def test_the_question_for_a_summary_begins_with_what_was_sent_before() -> None:
    told = long_session()
    plan = summarising(told)
    sent = build(folded(told.records), outlook(ROOM))
    *earlier, asked = plan.request.messages
    assert tuple(earlier) == sent.messages[: len(earlier)]
    assert (plan.request.system, plan.request.tools) == (sent.system, sent.tools)
    assert plan.request.tool_choice == "none"
    assert "is about to be replaced by a summary" in asked.text


def test_a_second_summary_covers_the_first() -> None:
    told = long_session()
    told.compacts("The first summary.", summarising(told).up_to_seq)
    for _ in range(10):
        told.turn("More?", "z" * 3_000)
    plan = summarising(told)
    assert "The first summary." in plan.request.messages[0].text
    assert "Earlier summary:\nThe first summary." in plan.digest


def test_where_nothing_would_be_gained_nothing_is_summed_up() -> None:
    told = Told()
    told.turn("Hello", "Hi.")
    told.asks("And?")
    assert summarise(folded(told.records), outlook(ROOM), on_request=True) is None, "there is too little"
    told = Told()
    told.asks("Read it all.")
    for _ in range(60):
        told.calls("read_file", "x" * 500)
        told.says("t" * 1_000)
    assert needs_compaction(folded(told.records), ROOM)
    assert summarise(folded(told.records), outlook(ROOM)) is None, "it all belongs to the turn under way"


def test_on_request_all_but_the_latest_turn_is_summed_up() -> None:
    told = Told()
    for number in range(4):
        told.turn(f"Question {number}?", "y" * 1_000)
    conversation = folded(told.records)
    assert summarise(conversation, outlook()) is None
    plan = summarise(conversation, outlook(), on_request=True)
    assert plan is not None
    told.compacts("SUMMARY", plan.up_to_seq)
    assert [message.text[:11] for message in build(folded(told.records), outlook()).messages][1:] == [
        "Question 3?",
        "y" * 11,
    ]


def test_notes_without_any_turn_are_summed_up_whole() -> None:
    told = Told()
    for number in range(10):
        told.run_ends(f"run_{number}", "x" * 3_500)
    plan = summarising(told)
    assert plan.up_to_seq == len(told.records)


def test_a_later_word_of_the_user_does_not_split_a_turn() -> None:
    told = long_session()
    told.run_ends("run_8", "Meanwhile.")
    told.adds("Oh, and hurry.")
    told.says("w" * 20_000)
    plan = summarising(told)
    told.compacts("SUMMARY", plan.up_to_seq)
    kept = [message.text for message in build(folded(told.records), outlook(ROOM)).messages]
    assert kept[1] == "And now?"


@pytest.mark.asyncio
async def test_the_model_writes_the_summary_and_its_cost_is_told(model: Model, models: ModelServer) -> None:
    models.model("alpha").replies(answer(thinking("Hm."), "They counted ", "to nine."))
    told = long_session()
    spent: list[ModelUsage] = []
    plan = summarising(told)

    compaction = await compact(model, plan, spent.append)

    event = SessionCompacted(summary="They counted to nine.", up_to_seq=plan.up_to_seq)
    assert compaction == Compaction(event)
    assert [report.usage.calls for report in spent] == [1]
    assert models.requests[0].messages[-1][1].startswith("[The conversation up to here is about to be replaced")


@pytest.mark.asyncio
async def test_a_summary_that_is_too_long_is_cut(model: Model, models: ModelServer) -> None:
    models.model("alpha").replies(text("w" * 50_000))
    plan = summarising(long_session())
    compaction = await compact(model, plan, unheard)
    assert len(compaction.event.summary) == plan.longest
    assert compaction.notice is None


@pytest.mark.asyncio
async def test_an_answer_that_began_anew_is_not_taken_twice(model: Model, models: ModelServer) -> None:
    models.model("alpha").replies(text("Half a ", "summary").cut(after=1), text("A summary."))
    compaction = await compact(model, summarising(long_session()), unheard)
    assert compaction.event.summary == "A summary."


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (fails(400), "rejected the request to alpha: Invalid request."),
        (filtered("No."), "without a summary: the model wrote none."),
        (empty(), "gave an empty answer"),
    ],
    ids=["refused", "filtered", "empty"],
)
@pytest.mark.asyncio
async def test_where_no_summary_comes_bare_traces_stand_in(
    model: Model, models: ModelServer, reply: Reply, reason: str
) -> None:
    models.model("alpha").replies(reply, reply)
    plan = summarising(long_session())

    compaction = await compact(model, plan, unheard)

    assert compaction.event == SessionCompacted(summary=plan.digest, up_to_seq=plan.up_to_seq)
    assert compaction.event.summary.startswith("No summary could be made;")
    assert "- Run: run_7 completed:\n- The user: Question 0?" in plan.digest
    assert compaction.notice is not None
    assert compaction.notice.startswith("Earlier messages were left out of what the model sees, without a summary: ")
    assert reason in compaction.notice


@pytest.mark.asyncio
async def test_a_model_that_never_answers_is_not_waited_for(model: Model, models: ModelServer) -> None:
    models.model("alpha").replies(never_answers(), never_answers())
    plan = summarising(long_session())
    hasty = replace(plan, request=replace(plan.request, deadlines=Deadlines(whole=0.2)))
    compaction = await compact(model, hasty, unheard)
    assert compaction.event.summary == plan.digest
    assert compaction.notice is not None
