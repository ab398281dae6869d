"""The last words: who writes them, and what happens when nobody can."""

from typing import Any

from teamwright.engine.run.commands import FinishRun
from tests.engine.story import Story, check


def voted(agents: str = "a b c", **changes: Any) -> Story:
    return Story(agents, **changes).all_answer().starts("a", "b", "c").votes("a", "b").votes("b", "b").votes("c", "c")


def test_the_winner_presents_with_all_answers_in_sight_and_no_workflow_tools() -> None:
    check(voted().selects(), "b#3 presents (winner_present) [shown 3+0]", phase="presenting", winner="b")


def test_a_presentation_is_the_result() -> None:
    story = voted().selects().presents("b")
    check(story, "finish completed: 'The result' of b (winner_present)")
    check(story.finishes(), phase="finished", outcome="completed")


def test_reusing_the_winners_answer_needs_no_call() -> None:
    story = voted(final_answer_strategy="winner_reuse").selects()
    check(story, 'finish completed: "b\'s answer 1" of b (winner_reuse)')


def test_reuse_presents_after_all_when_there_are_paths_to_write() -> None:
    story = voted(final_answer_strategy="winner_reuse", writes=True).selects()
    check(story, "b#3 presents (winner_reuse) [shown 3+0, writes]")


def test_synthesis_always_presents() -> None:
    check(voted(final_answer_strategy="synthesize").selects(), "b#3 presents (synthesize) [shown 3+0]")


def test_a_presentation_can_be_skipped() -> None:
    story = voted(skip_final_presentation=True).selects()
    check(story, 'finish completed: "b\'s answer 1" of b (winner_reuse)')


def test_everybody_may_write_from_the_start_in_a_copy_of_its_own() -> None:
    check(Story("a b", writes=True), "a#1 first answer [new_answer, writes]", "b#1 first answer [new_answer, writes]")
    check(voted(writes=True).selects(), "b#3 presents (winner_present) [shown 3+0, writes]")


def test_a_winner_that_cannot_present_is_followed_by_the_next_by_votes() -> None:
    story = voted().selects().starts("b").fails("b")
    check(story, "c#3 presents (winner_present) [shown 3+0]", winner="b")
    check(story.starts("c").ends("c", "finished"), "a#3 presents (winner_present) [shown 3+0]")
    check(story.presents("a"), "finish completed: 'The result' of a (winner_present)")


def test_a_winner_that_has_failed_before_is_not_asked() -> None:
    story = Story().all_answer().starts("a", "b", "c").fails("b").votes("a", "b").votes("c", "b").selects()
    check(story, "a#3 presents (winner_present) [shown 3+0]", winner="b")


def test_next_comes_who_has_an_answer() -> None:
    story = Story().starts("a", "b", "c").answers("a").answers("c").ends("b", "abstained").all_vote("a", "a", "c")
    check(story.selects().starts("a").fails("a"), "c#3 presents (winner_present) [shown 2+0]")


def test_a_presenter_that_gives_up_is_followed_by_the_next_whatever_it_wrote() -> None:
    story = voted().selects().starts("b").writes_text("b", "I cannot").ends("b", "abstained")
    check(story, "c#3 presents (winner_present) [shown 3+0]")


def test_the_last_words_that_say_anything_are_the_result() -> None:
    story = voted().selects().starts("b").writes_text("b", "The result").writes_text("b", "").ends("b", "finished")
    check(story, "finish completed: 'The result' of b (winner_present)")


def test_when_nobody_can_present_the_winners_answer_is_the_result_with_a_notice() -> None:
    story = voted().selects().starts("b").fails("b").starts("c").fails("c").starts("a").fails("a")
    check(story, 'finish completed: "b\'s answer 1" of b (winner_reuse)')
    notice = "No agent could present the result; it is the winner's answer as it stands."
    assert story.only(FinishRun).notice == notice


def test_a_slow_presenter_gives_way_to_the_next() -> None:
    story = voted(subsequent_round_timeout_seconds=60).selects().starts("b").elapses("round_over", "b")
    check(story, "stop b#3: timeout")
    check(story.is_stopped("b"), "c#3 presents (winner_present) [shown 3+0]")


def test_an_interrupted_presentation_is_begun_again() -> None:
    check(voted().selects().starts("b").ends("b", "superseded"), "b#4 presents (winner_present) [shown 3+0]")
