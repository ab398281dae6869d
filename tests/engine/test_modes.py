"""Single and multi, refinement on and off, and how many model calls each needs."""

from typing import Any

import pytest

from teamwright.protocol.plans import Plan, PlanTask
from teamwright.protocol.usage import Usage
from tests.engine.story import Story, check

PLAN = Plan(title="Ship it", tasks=(PlanTask(id="1", title="Build", detail="with care"),))


def test_three_agents_that_answer_once_and_vote_need_seven_calls() -> None:
    story = Story().all_answer().all_vote("b").selects().presents("b").finishes()
    check(story, usage=Usage(input_tokens=70, output_tokens=35, calls=7).to_wire())


def test_without_refinement_everybody_answers_once_and_votes_for_the_presenter_who_combines() -> None:
    rules: dict[str, Any] = {
        "refinement": False,
        "max_new_answers_per_agent": 1,
        "defer_voting_until_all_answered": True,
        "final_answer_strategy": "synthesize",
    }
    story = Story("a b", **rules).starts("a", "b").answers("a")
    check(story, "b#1 first answer [new_answer]", timers=["run at 1800"])
    check(story.answers("b"), "a#2 evaluation [vote, shown 2+0]", "b#2 evaluation [vote, shown 2+0]")
    check(story.all_vote("a").selects(), "a#3 presents (synthesize) [shown 2+0]")


def test_without_refinement_a_lone_survivor_is_not_asked_to_vote() -> None:
    story = Story("a b", refinement=False, max_new_answers_per_agent=1, defer_voting_until_all_answered=True)
    check(story.starts("a", "b").answers("a").fails("b"), "select a by only: no votes")


def test_a_single_agent_refines_until_it_votes_for_itself() -> None:
    story = Story("a").starts("a").answers("a", "draft")
    check(story, "a#2 evaluation [new_answer vote, shown 1+0]", phase="voting")
    check(story.starts("a").answers("a", "better"), "a#3 evaluation [new_answer vote, shown 2+0]")
    check(story.starts("a").votes("a", "a"), "select a by only: a=1")
    check(story.selects(), "a#4 presents (winner_present) [shown 2+0]")


def test_a_single_agent_at_its_cap_is_done() -> None:
    story = Story("a", max_new_answers_per_agent=2).starts("a").answers("a", "draft").starts("a").answers("a", "better")
    check(story, "select a by only: no votes")


def test_a_single_agent_without_refinement_just_answers() -> None:
    story = Story("a", refinement=False, skip_voting=True, final_answer_strategy="winner_reuse")
    check(story, "a#1 first answer", phase="answering")
    check(story.starts("a").answers("a", "42"), "select a by only: no votes")
    check(story.selects(), "finish completed: '42' of a (winner_reuse)")
    check(story.finishes(), usage=Usage(input_tokens=10, output_tokens=5, calls=1).to_wire())


def test_a_single_agent_without_refinement_may_write_from_the_start() -> None:
    story = Story("a", refinement=False, writes=True)
    check(story, "a#1 first answer [writes]")
    check(story.starts("a").answers("a", "done", changes="cs").selects(), "propose changes of a: cs", phase="applying")
    check(story.proposes_changes("one.py"), "ask changes")


def test_a_single_agent_without_refinement_never_votes_even_if_its_rules_forgot_to_say_so() -> None:
    check(Story("a", refinement=False).starts("a").answers("a"), "select a by only: no votes", phase="answering")


def test_without_refinement_nobody_is_left_behind_even_if_its_rules_forgot_to_say_so() -> None:
    story = Story(refinement=False).starts("a", "b", "c").answers("a").answers("b")
    check(story, "c#1 first answer [new_answer]", timers=["run at 1800"])


def test_a_single_agent_that_fails_leaves_what_it_wrote_for_a_person_to_see() -> None:
    story = Story("a", refinement=False, writes=True).starts("a").fails("a")
    check(story, "propose partial changes of a")
    check(story.proposes_changes("one.py"), "finish failed: nothing")


@pytest.mark.parametrize("refinement", [True, False])
def test_planning_replaces_answers_by_plans_in_every_mode(refinement: bool) -> None:
    check(Story("a", planning_mode=True, refinement=refinement), "a#1 first answer [submit_plan]", phase="planning")
    check(
        Story("a b", planning_mode=True, refinement=refinement),
        "a#1 first answer [submit_plan]",
        "b#1 first answer [submit_plan]",
        phase="planning",
    )


def test_agents_vote_on_plans() -> None:
    story = Story("a b", planning_mode=True).starts("a", "b").answers("a", plan=PLAN).answers("b", plan=PLAN)
    check(
        story,
        "a#2 evaluation [submit_plan vote, shown 2+0]",
        "b#2 evaluation [submit_plan vote, shown 2+0]",
        phase="voting",
    )
