"""What the presenter staged for the user's files."""

from typing import Any

from teamwright.engine.run.commands import FinishRun
from teamwright.protocol.events import ChangesSettled
from tests.engine.story import Story, check


def presented(**changes: Any) -> Story:
    return Story("a b", writes=True, **changes).all_answer().all_vote("a").selects().presents("a", changes="cs")


def settled(*files: tuple[str, str]) -> ChangesSettled:
    return ChangesSettled.model_validate({"settled": [{"uri": uri, "outcome": how} for uri, how in files]})


def test_changes_are_proposed_after_the_presentation_then_decided_thensettled() -> None:
    story = presented()
    check(story, "propose changes of a: cs", phase="applying")
    check(story.proposes_changes("one.py", "two.py"), "ask changes", phase="applying")
    check(story.asks(), phase="applying", timers=[])
    check(story.is_decided("approve"), "apply all")
    check(
        story.fact(settled(("one.py", "applied"), ("two.py", "conflicted"))),
        "finish completed: 'The result' of a (winner_present)",
    )
    assert story.only(FinishRun).applied == ("one.py",)


def test_some_of_the_files_can_be_chosen() -> None:
    story = presented().proposes_changes("one.py", "two.py").asks()
    check(story.is_decided("approve", edits={"files": [{"uri": "two.py"}]}), "apply two.py")


def test_a_choice_that_cannot_be_read_applies_nothing() -> None:
    story = presented().proposes_changes("one.py").asks()
    check(story.is_decided("approve", edits={"files": "all of them"}), "discard changes")


def test_refused_changes_are_discarded_and_the_run_is_complete() -> None:
    story = presented().proposes_changes("one.py").asks().is_decided("cancel")
    check(story, "discard changes")
    check(story.fact(settled(("one.py", "rejected"))), "finish completed: 'The result' of a (winner_present)")


def test_changes_are_taken_by_policy_where_the_user_wants_it_so() -> None:
    check(presented(apply_changes="auto").proposes_changes("one.py"), "ask changes and take it")
    check(presented(autonomy="autonomous").proposes_changes("one.py"), "ask changes")


def test_a_presenter_that_changed_nothing_leaves_nothing_to_settle() -> None:
    check(presented().fact(settled()), "finish completed: 'The result' of a (winner_present)")
    nothing = Story("a b", writes=True).all_answer().all_vote("a").selects().presents("a")
    check(nothing, "finish completed: 'The result' of a (winner_present)")


def test_half_a_presentation_is_kept_and_never_applied() -> None:
    story = Story("a b", writes=True).all_answer().all_vote("a").selects().starts("a").is_cancelled()
    check(story, "stop a#3: cancelled")
    check(story.is_stopped("a"), "propose partial changes of a")
    check(story.proposes_changes("one.py"), 'finish cancelled: "a\'s answer 1" of a (winner_reuse)')


def test_what_presenters_left_behind_that_could_not_finish_is_kept_and_not_asked_about() -> None:
    story = Story("a b", writes=True).all_answer().all_vote("a").selects().starts("a").fails("a").starts("b").fails("b")
    check(story, "propose partial changes of b")
    check(story.proposes_changes("one.py"), 'finish completed: "a\'s answer 1" of a (winner_reuse)')


def test_what_is_settled_is_not_proposed_again_when_the_run_is_cancelled() -> None:
    story = presented().fact(settled()).is_cancelled()
    check(story, "finish cancelled: 'The result' of a (winner_present)")


def test_a_run_without_write_paths_settles_nothing() -> None:
    story = Story("a b").all_answer().all_vote("a").selects().presents("a")
    check(story, "finish completed: 'The result' of a (winner_present)")


def test_what_is_settled_after_the_end_is_known_and_changes_nothing_else() -> None:
    story = Story("a b", writes=True).all_answer().all_vote("a").selects().starts("a").is_cancelled().is_stopped("a")
    story = story.proposes_changes("one.py", "two.py").finishes()
    later = story.fact(settled(("one.py", "applied"), ("two.py", "conflicted"))).fact(settled(("two.py", "rejected")))
    check(later, phase="finished")
    assert [(file.uri, file.outcome) for file in later.state.changes.settled or ()] == [
        ("one.py", "applied"),
        ("two.py", "rejected"),
    ]
