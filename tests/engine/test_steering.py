"""A person's word to agents at work."""

from teamwright.engine.run.deliberation import news, steerable
from teamwright.engine.run.judging import AcceptedAnswer, judge_text
from teamwright.protocol.events import Seen
from teamwright.protocol.ids import AgentId
from tests.engine.story import Story, check

A, B, C = AgentId("a"), AgentId("b"), AgentId("c")


def test_a_word_reaches_an_agent_at_its_first_answer() -> None:
    story = Story("a b").starts("a", "b").is_told("be brief", "a")
    check(story, "a#1 first answer [new_answer, shown 0+1]", "b#1 first answer [new_answer]")
    assert [message.text for message in news(story.state, A, Seen(messages=1), Seen()).messages] == ["be brief"]


def test_a_word_voids_the_votes_of_those_it_was_for() -> None:
    story = Story().all_answer().starts("a", "b", "c").votes("a", "b").votes("b", "b").is_told("no!", "a", "c")
    check(
        story,
        "a#3 evaluation [new_answer vote, shown 3+1]",
        "c#2 evaluation [new_answer vote, shown 3+1]",
        tally={"b": 1},
    )


def test_a_vote_with_the_word_in_mind_stands() -> None:
    story = Story("a b").all_answer().all_vote("a", "a").is_told("look again", "a").starts("a").votes("a", "b")
    check(story, "b#2 evaluation [new_answer vote, shown 2+0]", tally={"b": 1})


def test_after_the_vote_a_word_goes_to_whoever_presents() -> None:
    story = Story("a b").all_answer().all_vote("a").selects().starts("a").is_told("in French", "a")
    check(story, "a#3 presents (winner_present) [shown 2+1]", tally={"a": 2})
    check(story.fails("a"), "b#3 presents (winner_present) [shown 2+1]")
    assert [message.text for message in news(story.state, B, Seen(messages=1), Seen()).messages] == ["in French"]


def test_a_word_that_the_presenter_missed_is_put_to_it_again() -> None:
    story = Story("a b").all_answer().all_vote("a").selects().starts("a").is_told("in French", "a")
    check(
        story.writes_text("a", "The result").ends("a", "finished"),
        "a#4 presents (winner_present) [shown 2+1]",
    )
    check(story.presents("a", "Le résultat"), "finish completed: 'Le résultat' of a (winner_present)")


def test_a_word_that_a_lone_agent_missed_is_put_to_it_again() -> None:
    story = Story("a", refinement=False).starts("a").is_told("in French", "a").answers("a", "The answer")
    check(story, "a#2 first answer [shown 0+1]")
    assert judge_text(story.starts("a").state, A, "The answer") == AcceptedAnswer("agent1.2")
    story.ends("a", "superseded")
    check(story.starts("a").answers("a", "La réponse").selects(), "finish completed: 'La réponse' of a (winner_reuse)")


def test_whom_a_word_can_reach() -> None:
    story = Story().starts("a", "b", "c")
    assert steerable(story.state) == (A, B, C)
    assert steerable(story.state, [C, AgentId("x")]) == (C,)
    story.answers("a").answers("b").fails("c").starts("a", "b").votes("a", "b")
    assert steerable(story.state) == (A, B)
    story.votes("b", "b").selects()
    assert steerable(story.state) == (B,)
    story.presents("b")
    assert steerable(story.state) == ()


def test_without_a_vote_who_has_answered_is_done() -> None:
    assert steerable(Story(skip_voting=True).starts("a", "b", "c").answers("a").state) == (B, C)
    assert steerable(Story("a", refinement=False, skip_voting=True).starts("a").state) == (A,)


def test_a_run_that_is_being_cancelled_hears_nothing() -> None:
    assert steerable(Story().is_cancelled().state) == ()
