"""The window between the vote and the presentation."""

from typing import Any

import pytest

from teamwright.engine.run.commands import RequestDecision
from teamwright.engine.run.presentation import can_override
from teamwright.protocol.decisions import OverrideDetail
from teamwright.protocol.errors import BadParams, Conflict
from teamwright.protocol.ids import AgentId
from tests.engine.story import Story, check


def voted(**rules: Any) -> Story:
    return Story("a b c", **{"override": "offer", **rules}).all_answer().all_vote("a").selects()


def test_an_offer_stands_open_for_five_seconds() -> None:
    check(voted(), "ask override for 5 s", phase="override", winner="a")


def test_asking_waits_for_a_person() -> None:
    check(voted(override="ask"), "ask override", phase="override")


def test_off_goes_straight_to_the_presentation() -> None:
    check(voted(override="off"), "a#3 presents (winner_present) [shown 3+0]", phase="presenting")


def test_nothing_but_the_answer_is_waited_for_and_no_clock_runs() -> None:
    story = voted().asks()
    check(story, timers=[], phase="override", decisions=list(story.state.pending))


def test_every_agents_latest_answer_is_shown() -> None:
    story = Story("a b", override="ask").all_answer().starts("a", "b").answers("b", "better").is_shown_the_news("a")
    story.votes("a", "b").starts("b").votes("b", "b").selects()
    detail = story.only(RequestDecision).detail
    assert isinstance(detail, OverrideDetail)
    assert [(answer.label, answer.content) for answer in detail.answers] == [
        ("agent1.1", "a's answer 1"),
        ("agent2.2", "better"),
    ]


def test_an_offer_needs_two_different_answers_to_choose_from() -> None:
    story = (
        Story("a b", override="offer").starts("a", "b").answers("a", "42").answers("b", "42").all_vote("a").selects()
    )
    check(story, "a#3 presents (winner_present) [shown 2+0]")


@pytest.mark.parametrize("answers", [("x", "y"), ("x", "x", "y"), ("x", "y", "y")])
def test_any_two_different_answers_will_do(answers: tuple[str, ...]) -> None:
    agents = "abc"[: len(answers)]
    story = Story(" ".join(agents), override="offer").starts(*agents)
    for agent, content in zip(agents, answers, strict=True):
        story.answers(agent, content)
    check(story.all_vote("a").selects(), "ask override for 5 s")


def test_with_one_answer_there_is_nothing_to_ask() -> None:
    story = Story("a b", override="ask").starts("a", "b").answers("a").fails("b").starts("a").votes("a", "a").selects()
    check(story, "a#3 presents (winner_present) [shown 1+0]")


def test_a_person_chooses_another_presenter() -> None:
    story = voted().asks().is_decided("b")
    check(story, "select b by override: a=3")
    check(story.selects(), "b#3 presents (winner_present) [shown 3+0]", winner="b", tally={"a": 3})


def test_the_choices_are_the_others_or_the_vote() -> None:
    choices = voted().only(RequestDecision).choices
    assert [(choice.id, choice.label) for choice in choices] == [
        ("cancel", "Let a present"),
        ("b", "Present b's answer"),
        ("c", "Present c's answer"),
    ]


def test_a_choice_that_cannot_be_presented_lets_the_vote_stand() -> None:
    story = Story("a b c", override="ask").starts("a", "b", "c").answers("a").answers("b").fails("c")
    story.all_vote("a", "a", "b").selects().asks().is_decided("c")
    check(story, "a#3 presents (winner_present) [shown 2+0]")


def test_a_person_lets_the_vote_stand() -> None:
    check(voted().asks().is_decided("cancel"), "a#3 presents (winner_present) [shown 3+0]")


def test_an_offer_that_expires_lets_the_vote_stand() -> None:
    check(voted().asks().is_decided("cancel", by="timeout"), "a#3 presents (winner_present) [shown 3+0]")


def test_a_window_that_was_withdrawn_opens_again() -> None:
    check(voted().asks().is_decided("cancel", by="cancelled"), "ask override for 5 s")


def test_a_cancel_closes_the_window() -> None:
    story = voted().asks().is_cancelled()
    (decision_id,) = story.state.pending
    check(story, f"withdraw {decision_id}")
    check(
        story.is_decided("cancel", by="cancelled"),
        'finish cancelled: "a\'s answer 1" of a (winner_reuse)',
    )


@pytest.mark.parametrize("story", [Story(), voted(), voted(override="off"), voted().asks().is_cancelled()])
def test_overriding_outside_the_window_conflicts(story: Story) -> None:
    assert isinstance(can_override(story.state, AgentId("a")), Conflict)


def test_only_an_agent_with_an_answer_can_be_chosen() -> None:
    story = Story("a b c", override="ask").starts("a", "b", "c").answers("a").answers("b").fails("c")
    story.all_vote("a", "a", "b").selects().asks()
    assert can_override(story.state, AgentId("b")) is None
    assert can_override(story.state, None) is None
    fault = can_override(story.state, AgentId("c"))
    assert isinstance(fault, BadParams)
    assert fault.message == "agentId: 'c' has no answer to present; choose from a, b"
