"""How many answers, from whom, and how new they must be."""

import pytest

from teamwright.engine.run.answers import is_too_alike
from teamwright.engine.run.judging import Accepted, AcceptedAnswer, NotAccepted, judge_answer, judge_text, judge_vote
from teamwright.protocol.ids import AgentId
from teamwright.protocol.runs import Strictness
from tests.engine.story import Story, check

A, B, C = AgentId("a"), AgentId("b"), AgentId("c")


def test_an_agent_at_its_cap_can_only_vote() -> None:
    story = Story("a b", max_new_answers_per_agent=1).all_answer().starts("a", "b")
    check(story, "a#2 evaluation [vote, shown 2+0]", "b#2 evaluation [vote, shown 2+0]")
    assert judge_answer(story.state, A, "more") == NotAccepted(
        "You have given 1 answers, as many as one agent may; vote for the best one."
    )


def test_at_the_global_cap_even_an_agent_without_an_answer_votes_in_the_attempt_it_is_in() -> None:
    story = Story(max_new_answers_global=2).starts("a", "b", "c").answers("a").answers("b")
    check(
        story,
        "a#2 evaluation [vote, shown 2+0]",
        "b#2 evaluation [vote, shown 2+0]",
        "c#1 evaluation [vote, shown 2+0]",
    )
    assert judge_answer(story.state, C, "mine") == NotAccepted(
        "The team has given 2 answers, as many as it may; vote for the best one."
    )
    assert judge_vote(story.state, C, A) == Accepted()


def test_a_single_answer_that_nobody_may_follow_needs_no_vote() -> None:
    story = Story(max_new_answers_global=1).starts("a", "b", "c").answers("a")
    check(story, "stop b#1: superseded", "stop c#1: superseded")
    check(story.is_stopped("b", "c"), "select a by only: no votes")


def test_an_agent_too_far_ahead_of_a_live_peer_is_refused_another_answer() -> None:
    story = Story("a b", max_new_answers_per_agent=9, fairness_lead_cap_answers=1).all_answer()
    story.starts("a").answers("a", "second").starts("a")
    assert judge_answer(story.state, A, "third") == NotAccepted(
        "You are too far ahead of the others; vote for the best answer there is."
    )
    story.starts("b").fails("b")
    assert judge_answer(story.state, A, "third") == AcceptedAnswer("agent1.3")


def test_fairness_can_be_switched_off() -> None:
    story = Story("a b", max_new_answers_per_agent=9, fairness_lead_cap_answers=1, fairness_enabled=False).all_answer()
    story.starts("a").answers("a", "second").starts("a")
    assert judge_answer(story.state, A, "third") == AcceptedAnswer("agent1.3")


def test_equal_first_answers_are_agreement() -> None:
    story = Story("a b").starts("a", "b").answers("a", "42")
    assert judge_answer(story.state, B, "42") == AcceptedAnswer("agent2.1")


def test_a_second_answer_that_repeats_any_answer_is_refused() -> None:
    story = Story("a b").starts("a", "b").answers("a", "use a queue").answers("b", "use a lock").starts("a", "b")
    assert judge_answer(story.state, B, " use a\nqueue ") == NotAccepted(
        "This is the same as agent1.1; vote for it, or submit something better."
    )


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ("lenient", AcceptedAnswer("agent2.2")),
        ("balanced", AcceptedAnswer("agent2.2")),
        (
            "strict",
            NotAccepted("This differs too little from agent1.1; vote for the best answer, or improve on it more."),
        ),
    ],
)
def test_how_new_a_further_answer_must_be_is_a_setting(requirement: Strictness, expected: object) -> None:
    story = Story("a b", answer_novelty_requirement=requirement).starts("a", "b")
    story.answers("a", "one two three four").answers("b", "something else").starts("a", "b")
    assert judge_answer(story.state, B, "one two three FIVE") == expected


def test_likeness_is_the_share_of_words_in_common() -> None:
    assert not is_too_alike("a b c d", "a b c e", "balanced")
    assert is_too_alike("a b c d", "d c b a a", "balanced")
    assert not is_too_alike("", "", "strict")


def test_an_empty_answer_is_none() -> None:
    assert judge_answer(Story().starts("a").state, A, " \n") == NotAccepted("The answer is empty.")


def test_a_vote_must_be_for_an_agent_with_an_answer() -> None:
    story = Story().starts("a", "b", "c").answers("a").answers("b")
    assert judge_vote(story.state, A, B) == NotAccepted(
        "There is nothing to vote on yet; submit your own answer first."
    )
    story.elapses("first_answer_grace").starts("a")
    assert judge_vote(story.state, A, B) == Accepted()
    assert judge_vote(story.state, A, C) == NotAccepted(
        "Only an agent with an answer can be voted for: agent1, agent2."
    )
    assert judge_vote(story.state, C, A) == NotAccepted(
        "There is nothing to vote on yet; submit your own answer first."
    )


def test_nothing_is_accepted_after_the_vote() -> None:
    story = Story("a b").all_answer().all_vote("a").selects()
    assert judge_answer(story.state, B, "late") == NotAccepted("The vote is over.")
    assert judge_vote(story.state, B, A) == NotAccepted("The vote is over.")


def test_nothing_is_accepted_after_the_end() -> None:
    story = Story("a b").starts("a", "b").answers("a").is_cancelled().is_stopped("b").finishes()
    assert judge_answer(story.state, B, "late") == NotAccepted("The vote is over.")


def test_an_answer_that_slips_in_after_the_vote_unsettles_nothing() -> None:
    story = Story("a b").all_answer().all_vote("a").selects()
    late = next(record.event for record in story.records if record.event.type == "answer.submitted")
    before = story.state
    story.fact(late, "b")
    assert (story.state.answers, story.state.agents) == (before.answers, before.agents)


def test_plain_text_is_a_first_answer_and_no_vote() -> None:
    story = Story("a b").starts("a", "b")
    assert judge_text(story.state, A, "my answer") == AcceptedAnswer("agent1.1")
    story.answers("a").answers("b").starts("a", "b")
    assert judge_text(story.state, A, "I like b") == NotAccepted(
        "Text alone does not count here; vote, or submit a better answer, by calling the tool."
    )
