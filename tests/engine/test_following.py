"""The facts that follow from a state by themselves, and so take no trip of their own to the disk."""

from teamwright.engine.run.following import facts_that_follow
from teamwright.protocol.usage import Budget
from tests.engine.story import Story
from tests.engine.test_cut_short import reached


def following(story: Story) -> list[str]:
    """In words; once they are facts, nothing more follows."""
    facts = facts_that_follow(story.state, story.records[-1].at)
    for fact in facts:
        story.fact(fact.event, fact.agent_id)
    assert facts_that_follow(story.state, story.records[-1].at) == ()
    return [f"{fact.event.type} {fact.agent_id}" for fact in facts]


def test_with_the_start_everybody_begins() -> None:
    assert following(Story("a b")) == ["agent.started a", "agent.started b"]


def test_with_the_last_first_answer_the_evaluation_begins() -> None:
    story = Story("a b c").starts("a", "b", "c").answers("a").answers("b")
    assert following(story) == []
    assert following(story.answers("c")) == ["agent.started a", "agent.started b", "agent.started c"]
    assert {agent.seen.answers for agent in story.state.agents.values()} == {3}, "each is to be shown all answers"


def test_with_the_last_vote_the_winner_presents() -> None:
    story = Story("a b").all_answer().all_vote("b")
    assert following(story) == ["winner.selected b", "agent.started b"]
    assert story.state.presentation.presenter == "b"


def test_a_person_who_may_choose_is_waited_for() -> None:
    story = Story("a b", override="ask").all_answer().all_vote("b")
    assert following(story) == ["winner.selected b"]
    story.asks()
    assert following(story) == []
    assert following(story.is_decided("a")) == ["winner.selected a", "agent.started a"]


def test_at_the_budget_nobody_begins() -> None:
    story = reached(Story("a b", budget=Budget(usd=1)).starts("a", "b").answers("a"))
    assert following(story.answers("b")) == []
    story.asks()
    assert following(story.is_decided("approve")) == ["agent.started a", "agent.started b"]


def test_a_run_that_is_cancelled_begins_nothing() -> None:
    assert following(Story("a b").is_cancelled()) == []
