"""What is sent fits, the old output goes first, and what was sent stays as it was for as long as possible."""

from dataclasses import replace
from itertools import pairwise

from teamwright.models.metering import characters
from teamwright.models.port import Message, ModelReply, ModelRequest, ToolResultMessage, UserPrompt
from teamwright.prompts.assistant.notes import TOO_LONG
from teamwright.runtime.context import conversation as conversations
from teamwright.runtime.context.conversation import SessionConversation
from teamwright.runtime.context.layout import HistoryBudget, longest_given_text, room_for
from teamwright.runtime.context.request import build, layout_of, needs_compaction
from tests.context.seeing import folded, messages, outlook
from tests.context.telling import Told

ROOM = HistoryBudget(40_000)


def size(sent: list[Message]) -> int:
    return characters(ModelRequest(tuple(sent)))


def outputs(sent: list[Message]) -> list[str]:
    """The first and the last words of each output, or that it is only named."""
    return [
        "named" if m.text.startswith("[Output of ") else m.text[:2] for m in sent if isinstance(m, ToolResultMessage)
    ]


def reading_session(turns: int, output: int) -> Told:
    told = Told()
    for number in range(turns):
        told.asks(f"Question {number}?")
        told.calls("read_file", f"{number:02}" + "x" * output, path=f"src/{number}.py")
        told.says(f"Answer {number}.")
        told.finishes()
    return told


def test_as_long_as_all_fits_all_is_sent() -> None:
    told = reading_session(turns=5, output=5_000)
    assert outputs(messages(told, ROOM)) == ["00", "01", "02", "03", "04"]


def test_old_output_goes_first_and_is_named() -> None:
    told = reading_session(turns=8, output=5_000)
    sent = messages(told, ROOM)
    assert outputs(sent) == ["named", "named", "named", "03", "04", "05", "06", "07"]
    assert sent[2] == ToolResultMessage(
        "item_2",
        '[Output of read_file {"path": "src/0.py"}, 5002 characters, left out to save room; call it again if you need '
        "it. It began: 00" + "x" * 117 + "…]",
    )
    texts = [message.text for message in sent if isinstance(message, UserPrompt | ModelReply) and message.text]
    assert texts == [text for n in range(8) for text in (f"Question {n}?", f"Answer {n}.")], "what was said stays"


def test_output_of_the_last_two_turns_stays_while_that_is_possible() -> None:
    told = reading_session(turns=6, output=100)
    told.asks("Again?")
    told.calls("read_file", "A" * 20_000)
    told.asks("And again?")
    told.calls("read_file", "B" * 10_000)
    assert outputs(messages(told, ROOM)) == ["00", "01", "02", "03", "04", "05", "AA", "BB"]
    told.calls("read_file", "C" * 7_000)
    assert outputs(messages(told, ROOM))[-3:] == ["named", "BB", "CC"], "then their oldest goes"


def test_short_output_and_short_arguments_are_never_touched() -> None:
    told = Told()
    for number in range(40):
        told.asks("?")
        told.calls("git_log", "y" * 500, limit=number, paths=["a", "b"], deep=None)
    assert not needs_compaction(folded(told.records), ROOM)
    assert outputs(messages(told, ROOM)) == ["yy"] * 40


def test_long_arguments_of_old_calls_are_cut_with_their_output() -> None:
    told = Told()
    for _ in range(8):
        told.asks("?")
        told.calls("launch_run", "done", task="t" * 4_000, agents=["a"] * 500, refinement=True)
    first = next(message for message in messages(told, ROOM) if isinstance(message, ModelReply))
    arguments = first.tool_calls[0].arguments
    assert {name: len(str(value)) for name, value in arguments.items()} == {
        "task": 600,
        "agents": 600,
        "refinement": 4,
    }


def test_the_border_moves_rarely_and_only_forward() -> None:
    told = reading_session(turns=60, output=2_000)
    borders: list[int] = []
    conversation = SessionConversation()
    for record in told.records:
        conversation.fold(record)
        borders.append(layout_of(conversation, ROOM).brief_until)
    moves = [later - earlier for earlier, later in pairwise(borders) if later != earlier]
    assert min(moves) > 0
    assert sum(moves) / len(moves) > 10, "each move costs the provider's cache"


def test_from_call_to_call_a_request_begins_with_the_one_before_unless_the_border_moved() -> None:
    told = reading_session(turns=60, output=2_000)
    conversation = SessionConversation()
    sent: tuple[Message, ...] = ()
    border, breaks = 0, 0
    for record in told.records:
        conversation.fold(record)
        request = build(conversation, outlook(ROOM))
        known, border_before = sent, border
        sent, border = request.messages, layout_of(conversation, ROOM).brief_until
        # An answer that is still being given grows at its end: its text first, then its calls.
        if border == border_before:
            assert sent[: max(0, len(known) - 2)] == known[:-2]
        else:
            breaks += 1
    assert 0 < breaks < 15


def test_a_single_message_of_any_size_is_cut_to_fit() -> None:
    told = Told()
    told.asks("begin " + "x" * 5_000_000 + " end")
    (message,) = messages(told, ROOM)
    assert message.text.startswith("begin ")
    assert message.text.endswith(" end")
    assert len(message.text) <= ROOM.whole


def test_where_all_else_fails_the_question_and_the_latest_are_sent() -> None:
    told = Told()
    told.turn("Old?", "o" * 30_000)
    told.asks("The question?")
    told.says("First " + "f" * 30_000)
    told.calls("read_file", "r" * 30_000)
    told.calls("write", "w" * 100, content="c" * 50_000)
    told.says("Last.")
    sent = messages(told, ROOM)
    assert [type(message).__name__ for message in sent] == [
        "UserPrompt",
        "ModelReply",
        "UserPrompt",
        "ModelReply",
        "ToolResultMessage",
        "ModelReply",
        "ToolResultMessage",
        "ModelReply",
    ]
    assert sent[-1] == ModelReply("Last.")
    assert size(sent) <= ROOM.whole
    for _ in range(12):
        told.calls("read_file")
        told.says("More " + "m" * 30_000)
    smaller = messages(told, HistoryBudget(10_000))
    assert [message.text for message in smaller][:2] == [TOO_LONG, "The question?"]
    assert size(smaller) <= 10_000


def test_ten_thousand_calls_in_one_answer_stay_with_their_results() -> None:
    told = Told()
    told.asks("All at once.")
    for call in [told.begins("n" * 100, path=str(number)) for number in range(10_000)]:
        told.ends(call, "z" * 300)
    sent = messages(told, ROOM)
    answer = next(message for message in sent if isinstance(message, ModelReply))
    results = [message.call_id for message in sent if isinstance(message, ToolResultMessage)]
    assert [call.call_id for call in answer.tool_calls] == results
    assert results[-1] == "item_10001"
    assert size(sent) <= ROOM.whole


def test_a_conversation_of_notes_alone_fits_too() -> None:
    told = Told()
    for number in range(40):
        told.run_ends(f"run_{number}", "x" * 4_000)
    sent = messages(told, HistoryBudget(8_000))
    assert size(sent) <= 8_000


def test_compaction_is_due_when_pruning_is_not_enough_and_once_a_turn() -> None:
    told = Told()
    for _ in range(8):
        told.turn("?", "t" * 4_500)
    told.asks("Now?")
    conversation = folded(told.records)
    assert needs_compaction(conversation, ROOM)
    assert not needs_compaction(conversation, HistoryBudget(80_000))
    told.compacts("s", 2)
    assert not needs_compaction(folded(told.records), ROOM)
    told.asks("Next?")
    assert needs_compaction(folded(told.records), ROOM)


def test_what_no_model_could_read_any_more_is_not_kept_in_memory() -> None:
    told = Told()
    output = "x" * 50_000
    for number in range(300):
        told.asks(f"Question {number}?")
        told.calls("read_file", output, path="a.py", text=output)
        told.run_ends(f"run_{number}", output)
    conversation = folded(told.records)
    held = sum(entry.weight for entry in conversation.entries)
    assert held <= conversations.MOST_KEPT
    assert outputs(list(build(conversation, outlook(HistoryBudget(10**9))).messages))[::299] == ["named", "xx"]


def test_room_is_what_the_window_leaves_after_prompt_and_answer() -> None:
    room = room_for(window=100_000, characters_per_token=4.0, prompt_characters=10_000)
    assert room == HistoryBudget(int(84_000 * 0.93 * 4) - 12_000)
    assert room_for(window=1_000, characters_per_token=4.0, prompt_characters=10_000) == HistoryBudget(4_000)
    assert room.is_about(replace(room, whole=int(room.whole * 1.2)))
    assert not room.is_about(replace(room, whole=room.whole // 2))
    assert [longest_given_text(window) for window in (1_000, 32_000, 1_000_000)] == [1_500, 8_960, 24_000]
