"""Clumsy, failing and slow agents."""

import pytest

from teamwright.engine.run.commands import FinishRun
from teamwright.engine.run.judging import NotAccepted, judge_answer
from teamwright.protocol.events import AgentCorrected, AgentStopped, Misstep, TimerElapsed
from teamwright.protocol.ids import AgentId
from tests.engine.story import ONE_CALL, Story, check


def corrected(story: Story, agent: str, *missteps: Misstep) -> Story:
    for misstep in missteps:
        attempt = story.state.agents[AgentId(agent)].attempts
        story.fact(AgentCorrected(attempt=attempt, misstep=misstep, text="that does not count"), agent)
    return story


@pytest.mark.parametrize("misstep", ["plain_text", "bad_call", "refused"])
def test_an_agent_that_does_not_follow_the_protocol_is_told_twice_and_then_abstains(misstep: Misstep) -> None:
    story = Story("a b").all_answer().starts("a", "b")
    check(
        corrected(story, "a", misstep, misstep),
        "a#2 evaluation [new_answer vote, shown 2+0]",
        "b#2 evaluation [new_answer vote, shown 2+0]",
    )
    check(corrected(story, "a", misstep), "stop a#2: abstained", "b#2 evaluation [new_answer vote, shown 2+0]")


def test_different_missteps_are_counted_apart() -> None:
    story = Story("a b").all_answer().starts("a", "b")
    check(
        corrected(story, "a", "plain_text", "bad_call", "plain_text", "refused"),
        "a#2 evaluation [new_answer vote, shown 2+0]",
        "b#2 evaluation [new_answer vote, shown 2+0]",
    )


def test_a_new_attempt_begins_with_a_clean_sheet() -> None:
    story = corrected(Story("a b").all_answer().starts("a", "b"), "a", "bad_call", "bad_call")
    story.votes("a", "b").answers("b", "better").starts("a")
    check(
        corrected(story, "a", "bad_call"),
        "a#3 evaluation [new_answer vote, shown 3+0]",
        "b#3 evaluation [new_answer vote, shown 3+0]",
    )


def test_abstaining_is_final_and_the_answers_stay_votable() -> None:
    story = Story("a b").all_answer().starts("a", "b").ends("a", "abstained").answers("b", "better")
    check(story, "b#3 evaluation [new_answer vote, shown 3+0]")
    check(story.starts("b").votes("b", "a"), "select a by votes: a=1")


def test_who_abstained_can_still_present() -> None:
    story = Story("a b").all_answer().starts("a", "b").ends("a", "abstained").votes("b", "a").selects()
    check(story, "a#3 presents (winner_present) [shown 2+0]")


def test_an_attempt_that_brings_nothing_is_an_abstention() -> None:
    story = Story("a b").starts("a", "b").ends("a", "finished").answers("b")
    check(story, "b#2 evaluation [new_answer vote, shown 1+0]")


def test_a_failing_agent_never_ends_the_run() -> None:
    story = Story().starts("a", "b", "c").fails("a").answers("b").answers("c")
    check(
        story,
        "b#2 evaluation [new_answer vote, shown 2+0]",
        "c#2 evaluation [new_answer vote, shown 2+0]",
        phase="voting",
    )


def test_the_answers_and_the_valid_vote_of_a_failed_agent_stay() -> None:
    story = Story().all_answer().starts("a", "b", "c").votes("a", "a").fails("b").votes("c", "b")
    check(story, "select a by votes: a=1 b=1")
    story = Story("a b").all_answer().starts("a", "b").votes("a", "a")
    check(story.fails("b"), "select a by votes: a=1", tally={"a": 1})


def test_a_failed_agent_takes_no_further_part() -> None:
    story = Story().starts("a", "b", "c").answers("a").fails("b")
    assert judge_answer(story.state, AgentId("b"), "late") == NotAccepted("You no longer take part in this run.")


def test_a_run_fails_only_when_nobody_has_an_answer() -> None:
    story = Story("a b").starts("a", "b").fails("a", "no credit").fails("b", "no network")
    check(story, "finish failed: nothing")
    check(Story("a b").starts("a", "b").answers("a").starts().fails("b"), "a#2 evaluation [new_answer vote, shown 1+0]")


def test_a_failed_run_says_why_nobody_answered() -> None:
    story = Story("a b").starts("a", "b").fails("a", "no credit").elapses("round_over", "b").is_stopped("b")
    assert story.only(FinishRun).error == "No agent gave an answer (a: no credit; b: ran out of time)."


def test_an_agent_past_its_round_is_told_to_wrap_up_then_confined_then_stopped() -> None:
    story = Story("a b", initial_round_timeout_seconds=60, round_timeout_grace_seconds=10).starts("a", "b").answers("b")
    check(story, "a#1 first answer [new_answer]", timers=["run at 1800", "round_wrap_up a#1 at 61"])
    check(
        story.elapses("round_wrap_up", "a"),
        "a#1 first answer [new_answer, wrap_up]",
        timers=["run at 1800", "round_tools_closed a#1 at 71"],
    )
    check(
        story.elapses("round_tools_closed", "a"),
        "a#1 first answer [new_answer, tools_closed]",
        timers=["run at 1800", "round_over a#1 at 81"],
    )
    check(story.elapses("round_over", "a"), "stop a#1: timeout")
    check(story.is_stopped("a"), "b#2 evaluation [new_answer vote, shown 1+0]")


def test_later_rounds_have_their_own_time() -> None:
    story = Story("a b", initial_round_timeout_seconds=60, subsequent_round_timeout_seconds=20).all_answer().starts("a")
    check(
        story,
        "a#2 evaluation [new_answer vote, shown 2+0]",
        "b#2 evaluation [new_answer vote, shown 2+0]",
        timers=["run at 1800", "round_wrap_up a#2 at 27"],
    )


def test_a_timer_of_an_earlier_attempt_is_of_no_concern() -> None:
    story = Story("a b").all_answer().starts("a", "b")
    story.fact(TimerElapsed(timer="round_over", attempt=1), "a")
    check(
        story,
        "a#2 evaluation [new_answer vote, shown 2+0]",
        "b#2 evaluation [new_answer vote, shown 2+0]",
    )


def test_what_an_earlier_attempt_did_wrong_is_of_no_concern() -> None:
    story = Story("a b").all_answer().starts("a", "b")
    for _ in range(3):
        story.fact(AgentCorrected(attempt=1, misstep="bad_call", text="late"), "a")
    check(
        story,
        "a#2 evaluation [new_answer vote, shown 2+0]",
        "b#2 evaluation [new_answer vote, shown 2+0]",
    )


def test_the_end_of_an_earlier_attempt_only_adds_to_what_was_spent() -> None:
    story = Story("a b").all_answer().starts("a", "b")
    story.fact(AgentStopped(attempt=1, reason="failed", usage=ONE_CALL), "a")
    check(
        story,
        "a#2 evaluation [new_answer vote, shown 2+0]",
        "b#2 evaluation [new_answer vote, shown 2+0]",
        usage={"inputTokens": 30, "outputTokens": 15, "calls": 3},
    )


def test_after_a_crash_an_interrupted_agent_is_simply_wanted_again() -> None:
    story = Story("a b").starts("a", "b").answers("b")
    check(story, "a#1 first answer [new_answer]")
    check(story.ends("a", "superseded"), "a#2 first answer [new_answer]")
