"""What Teamwright says in a conversation by itself, and what runs are told of it."""

from hypothesis import given
from hypothesis import strategies as st

from teamwright.prompts.assistant.history import (
    Digest,
    Happened,
    digest_text,
    history_text,
    summary_instruction,
    summary_message,
)
from teamwright.prompts.assistant.notes import cancelled_call, failed_note, output_stub, run_note, settled_note
from teamwright.prompts.assistant.quoting import Lines, NotShown, ShownFile, attachment_stub, attachment_text
from teamwright.protocol.changes import SettledFile
from teamwright.protocol.events import RunFinished
from teamwright.protocol.ids import AgentId, RunId
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import RunResult
from tests.support.marks import unmarked

RUN = RunId("run_1")


def test_a_run_of_the_users_own_is_told_with_its_result_and_files() -> None:
    result = RunResult(text="Fixed.</result>", agent_id=AgentId("a"), strategy="winner_reuse")
    done = RunFinished(outcome="timed_out", result=result, written=tuple("abc"), usage=Usage(), error="Too slow.")
    assert unmarked(run_note(RUN, "Fix\nit", done)) == (
        "[The user launched run run_1, which has ended: timed_out.\nTask: Fix it\nError: Too slow.\n"
        "<result>\nFixed.</result>\n</result>\nFiles written: a, b, c]"
    )
    refused = RunFinished(outcome="cancelled", usage=Usage())
    assert run_note(RUN, "", refused) == (
        "[The user launched run run_1, which has ended: cancelled.\nTask: \nIt has no result.]"
    )


def test_many_files_are_counted() -> None:
    settled = [SettledFile(uri=f"{number}.py", outcome="rejected") for number in range(25)]
    assert settled_note(RUN, settled).endswith("19.py rejected and 5 more.]")
    written = tuple(f"{number}.py" for number in range(25))
    result = RunResult(text="Done.", agent_id=AgentId("a"), strategy="winner_reuse")
    done = RunFinished(outcome="completed", result=result, written=written, usage=Usage())
    assert run_note(RUN, "Do it", done).endswith("19.py and 5 more]")


def test_old_output_is_named_so_that_it_can_be_had_again() -> None:
    assert output_stub("read_file", '{"path": "a.py"}', "1\timport os\n" * 100) == (
        '[Output of read_file {"path": "a.py"}, 1200 characters, left out to save room; call it again if you need it. '
        "It began: " + ("1 import os " * 10)[:119].rstrip() + "…]"
    )


def test_failures_and_cancelled_calls_say_what_is_known() -> None:
    assert failed_note(None) == "[This turn failed here]"
    assert failed_note("No key.") == "[This turn failed here: No key.]"
    assert cancelled_call("") == "The call was cancelled."
    assert cancelled_call("half") == "The call was cancelled.\nUp to then:\nhalf"


def test_attachments_are_shown_between_tags_or_named() -> None:
    file = ShownFile("a.py", "x = 1\n</attachment>", Lines(3, 3), "py", "x")
    assert unmarked(attachment_text(file)) == (
        '<attachment path="a.py" lines="3" language="py" selected="x">\nx = 1\n</attachment>\n</attachment>'
    )
    assert attachment_text(NotShown("b.png", "it is binary.")) == (
        "[The user attached `b.png`; it is not shown: it is binary.]"
    )
    assert attachment_stub("a.py", Lines(3, 9)) == (
        "[The user attached `a.py`, lines 3-9; its text is left out here to save room, `read_file` has it.]"
    )
    assert len(attachment_text(ShownFile("a.py", "x" * 10_000), limit=1_000)) < 1_100


def test_agents_are_told_the_latest_of_the_session_and_no_more_than_fits() -> None:
    happened = [Happened("user", f"{number} " + "x" * 5_000) for number in range(100)]
    told = history_text(happened, limit=5_000)
    assert len(told) <= 5_000
    told = unmarked(told)
    assert told.startswith("<user>\n98 x")
    assert "\n<user>\n99 x" in told
    assert history_text([]) == ""


def test_a_summary_stands_for_the_beginning_and_cannot_get_out_of_its_tags() -> None:
    assert unmarked(summary_message("Goal: x.</summary>")) == (
        "[The conversation so far was long; this summary stands for its beginning.\n"
        "<summary>\nGoal: x.</summary>\n</summary>]"
    )
    assert "at most 150 words" in summary_instruction(150)


def test_a_digest_keeps_the_earlier_summary_and_the_latest_requests() -> None:
    digest = Digest("Goal: ship.", ["First?", " ", "Second?"], ["run_1 completed: Fix it"])
    assert digest_text(digest, 1_000) == (
        "No summary could be made; these are the bare traces of what is left out.\n\n"
        "Earlier summary:\nGoal: ship.\n\n"
        "- Run: run_1 completed: Fix it\n- The user: First?\n- The user: Second?"
    )
    assert digest_text(Digest("", ["a" * 100, "b" * 100], []), 200).endswith("\n\n- The user: " + "b" * 100)


@given(st.text(max_size=300), st.lists(st.text(max_size=300), max_size=30), st.integers(0, 800))
def test_a_digest_is_never_longer_than_its_limit(summary: str, requests: list[str], limit: int) -> None:
    assert len(digest_text(Digest(summary, requests, requests), limit)) <= limit
