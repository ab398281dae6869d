"""The conversation that a model sees is the one in the log."""

import pytest

from teamwright.models.port import ModelReply, ModelToolCall, Replay, ToolCallInvalid, ToolResultMessage, UserPrompt
from teamwright.prompts.assistant.history import summary_message
from teamwright.prompts.assistant.notes import EARLIER_MISSING, INTERRUPTED, NOT_CARRIED_OUT
from teamwright.prompts.assistant.quoting import quoted
from teamwright.protocol.events import AgentStarted, ItemFinished, TurnFinished
from teamwright.protocol.ids import AgentId, ItemId, TurnId
from teamwright.protocol.items import AssistantMessage, UserMessage
from teamwright.protocol.usage import Usage
from teamwright.runtime.context.request import build
from tests.context.seeing import folded, messages, outlook
from tests.context.telling import Told


@pytest.fixture
def told() -> Told:
    return Told()


def test_turns_follow_each_other_and_reasoning_stays_out(told: Told) -> None:
    told.created()
    told.asks("What is two and two?")
    told.thinks("Hm.")
    told.says("Four.")
    told.finishes()
    told.asks("Is it even?")
    assert messages(told) == [
        UserPrompt("What is two and two?"),
        ModelReply("Four."),
        UserPrompt("Is it even?"),
    ]


def test_calls_stand_with_their_results_and_with_the_text_before_them(told: Told) -> None:
    told.asks("What is in a.py?")
    told.says("Let me look.")
    first = told.calls("read_file", "1\tx = 1", path="a.py")
    second = told.calls("read_file", "", path="b.py")
    failing = told.begins("read_file", path="c.py")
    told.ends(failing, "`c.py` does not exist.", status="failed")
    told.says("One line.")
    assert messages(told) == [
        UserPrompt("What is in a.py?"),
        ModelReply("Let me look.", (ModelToolCall(first, "read_file", {"path": "a.py"}),)),
        ToolResultMessage(first, "1\tx = 1"),
        ModelReply("", (ModelToolCall(second, "read_file", {"path": "b.py"}),)),
        ToolResultMessage(second, "(no output)"),
        ModelReply("", (ModelToolCall(failing.item_id, "read_file", {"path": "c.py"}),)),
        ToolResultMessage(failing.item_id, "`c.py` does not exist.", is_error=True),
        ModelReply("One line."),
    ]


def test_calls_that_overlap_are_one_answer(told: Told) -> None:
    told.asks("Read both.")
    one, other = told.begins("read_file", path="a"), told.begins("read_file", path="b")
    told.run_ends("run_9", "Meanwhile.")
    told.ends(other, "B")
    told.ends(one, "A")
    calls = (
        ModelToolCall(one.item_id, "read_file", {"path": "a"}),
        ModelToolCall(other.item_id, "read_file", {"path": "b"}),
    )
    seen = messages(told)
    assert seen[1:4] == [
        ModelReply("", calls),
        ToolResultMessage(one.item_id, "A"),
        ToolResultMessage(other.item_id, "B"),
    ]
    assert isinstance(seen[4], UserPrompt), "what happened meanwhile comes after the results, not between"


def test_a_call_that_never_ended_has_a_result_that_says_so(told: Told) -> None:
    told.asks("Launch.")
    cancelled = told.begins("launch_run", task="x")
    told.ends(cancelled, status="cancelled")
    lost = told.begins("launch_run", task="y")
    told.finishes("cancelled")
    told.asks("And?")
    assert [message for message in messages(told) if isinstance(message, ToolResultMessage)] == [
        ToolResultMessage(cancelled.item_id, "The call was cancelled.", is_error=True),
        ToolResultMessage(lost.item_id, INTERRUPTED, is_error=True),
    ]


def test_what_was_said_before_a_turn_was_stopped_is_kept_and_marked(told: Told) -> None:
    told.asks("Talk.")
    told.says("So far")
    told.finishes("cancelled")
    told.asks("Again.")
    told.finishes("failed", error="The key was refused.")
    assert messages(told) == [
        UserPrompt("Talk."),
        ModelReply("So far"),
        UserPrompt("[The user stopped this turn here; what stands above may be incomplete.]"),
        UserPrompt("Again."),
        UserPrompt("[This turn failed here: The key was refused.]"),
    ]


def test_a_turn_that_was_cancelled_while_it_waited_is_not_told(told: Told) -> None:
    told.turn("Hello", "Hi.")
    told.fact(TurnFinished(outcome="cancelled", usage=Usage()), turn_id=TurnId("turn_waiting"))
    assert messages(told) == [UserPrompt("Hello"), ModelReply("Hi.")]


def test_what_was_discarded_is_left_out_also_after_it_was_finished(told: Told) -> None:
    told.asks("Talk.")
    told.says("A broken st", discarded=True)
    told.says("A whole ")
    told.thinks("Hm.")
    told.says("answer.")
    call = told.begins("read_file")
    told.discards(call)
    told.discards(AssistantMessage(item_id=ItemId("item_unknown")))
    assert messages(told) == [UserPrompt("Talk."), ModelReply("A whole answer.")]


def test_a_message_of_the_user_can_be_discarded_and_is_told_once(told: Told) -> None:
    told.asks("Once.")
    told.in_turn(ItemFinished(item=UserMessage(item_id=ItemId("item_1"), text="Once.")))
    told.adds("Twice.")
    told.discards(UserMessage(item_id=ItemId("item_2"), text="Twice."))
    told.adds(" ")
    assert messages(told) == [UserPrompt("Once."), UserPrompt("(an empty message)")]


def test_items_of_runs_are_not_the_assistants(told: Told) -> None:
    told.asks("Launch.")
    agents = AssistantMessage(item_id=ItemId("item_x"), text="I am an agent.")
    told.runs("run_1", "Fix it", turn=True)
    told.of_run("run_1", AgentStarted(attempt=1, purpose="answer"), turn=True, agent_id=AgentId("a"))
    told.of_run("run_1", ItemFinished(item=agents), turn=True)
    told.run_ends("run_1", "Fixed.", turn=True)
    assert messages(told) == [UserPrompt("Launch.")], "its result comes as the result of the call"


def test_a_run_that_the_user_launched_is_told_to_later_turns(told: Told) -> None:
    told.turn("Hello", "Hi.")
    told.runs("run_1", "Fix it")
    told.proposes("run_1", ["a.py", "b.py"])
    told.settles("run_1", ["a.py"])
    told.run_ends("run_1", "Fixed.", written=("a.py",))
    told.settles("run_1", ["b.py"])
    told.run_ends("run_2", None, outcome="cancelled")
    told.asks("What now?")
    result = quoted("result", "Fixed.")
    assert messages(told)[2:] == [
        UserPrompt(
            f"[The user launched run run_1, which has ended: completed.\nTask: Fix it\n{result}\nFiles written: a.py]"
        ),
        UserPrompt("[The user settled changes of run run_1: b.py applied.]"),
        UserPrompt("[The user launched run run_2, which has ended: cancelled.\nTask: \nIt has no result.]"),
        UserPrompt("What now?"),
    ]


def test_a_summary_replaces_everything_up_to_its_place(told: Told) -> None:
    told.turn("First?", "One.")
    told.turn("Second?", "Two.")
    told.asks("Third?")
    up_to = len(told.records) - 2
    told.says("Three.")
    told.compacts("They counted.", up_to)
    told.calls("read_file")
    assert messages(told) == [
        UserPrompt(summary_message("They counted.")),
        UserPrompt("Third?"),
        ModelReply("Three.", (ModelToolCall("item_7", "read_file", {}),)),
        ToolResultMessage("item_7", "done"),
    ]


def test_a_log_whose_beginning_is_damaged_still_begins_with_the_user(told: Told) -> None:
    told.says("Hello?")
    assert messages(told) == [UserPrompt(EARLIER_MISSING), ModelReply("Hello?")]
    assert messages(Told()) == [UserPrompt(EARLIER_MISSING)]


REPLAY = Replay("anthropic", ({"type": "thinking", "signature": "s"},))


def test_what_a_provider_wants_back_goes_with_its_answer_and_its_own_names(told: Told) -> None:
    told.asks("Read.")
    told.says("Reading.")
    conversation = folded(told.records)
    conversation.recall(
        [ModelToolCall("toolu_1", "read_file", {"path": "a"}), ToolCallInvalid("toolu_2", "odd", "No.")], REPLAY
    )
    later = Told()
    later.records = list(told.records)
    call = ModelToolCall("toolu_1", "read_file", {"path": "a"})
    began = told.begins("read_file", path="a")
    told.ends(began, "A")
    for record in told.records[len(later.records) :]:
        conversation.fold(record)
    assert build(conversation, outlook()).messages[1:] == (
        ModelReply("Reading.", (call, ModelToolCall("toolu_2", "odd", {})), REPLAY),
        ToolResultMessage("toolu_1", "A"),
        ToolResultMessage("toolu_2", NOT_CARRIED_OUT, is_error=True),
    ), "the replay names both calls, so both need a result"
