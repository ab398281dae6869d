"""What checks have to say: who waits for them, how answers stand by them, what they decide, and what is proposed."""

from typing import Any

import pytest

from teamwright.engine.run.commands import FinishRun, RequestDecision
from teamwright.engine.run.evidence import agent_standing
from teamwright.engine.run.judging import Brought, NotAccepted, judge_answer
from teamwright.protocol.checks import CheckCounts, CheckDefinition, CheckOutcome, CheckSubject, OfAnswer
from teamwright.protocol.decisions import ChangesDetail, OverrideDetail
from teamwright.protocol.events import CheckCompared, CheckFinished, CheckStarted, TimerElapsed
from teamwright.protocol.ids import AgentId, AnswerId
from tests.engine.story import Story, check
from tests.engine.telling import told_checks, told_timers

CHECKS = (CheckDefinition(name="tests", argv=("pytest",), source="user"),)


def checked(agents: str = "a b", **changes: Any) -> Story:
    return Story(agents, writes=True, checks=CHECKS, **changes)


def subject(of: str) -> CheckSubject:
    return OfAnswer(answer_id=AnswerId(of)) if of.startswith("ans_") else "base" if of == "base" else "final"


def ends(story: Story, of: str, changes: str | None, outcome: CheckOutcome = "passed", failed: int = 0) -> Story:
    tests = CheckCounts(passed=3, failed=failed)
    finished = CheckFinished(
        of=subject(of), name="tests", change_set_id=changes, outcome=outcome, seconds=1, tests=tests
    )
    return story.fact(finished)


def compares(story: Story, of: str, changes: str, broke: int = 0, **more: Any) -> Story:
    names = tuple(f"test_{number}" for number in range(broke))
    compared = CheckCompared(
        of=subject(of), name="tests", change_set_id=changes, broke=names, broke_count=broke, **more
    )
    return story.fact(compared)


def result(story: Story, of: str, changes: str, outcome: CheckOutcome = "passed", broke: int = 0, **more: Any) -> Story:
    failed = 0 if outcome == "passed" else max(broke, 1)
    return compares(ends(story, of, changes, outcome, failed), of, changes, broke, **more)


def answered(*changes: str | None, base: CheckOutcome = "failed", **spec: Any) -> Story:
    """Each agent has answered with these bytes, and the base has been checked."""
    names = "abcdef"[: len(changes)]
    story = checked(" ".join(names), **spec).starts(*names)
    ends(story, "base", None, base, failed=int(base == "failed"))
    for name, brought in zip(names, changes, strict=True):
        story.answers(name, changes=brought)
    return story


def test_the_baseline_runs_beside_the_first_answers_and_candidates_at_once() -> None:
    story = checked()
    assert told_checks(story.wanted) == ["run tests on base"]
    story.starts("a", "b").answers("a", changes="red")
    assert told_checks(story.wanted) == ["run tests on base", "run tests on ans_1 (red)"]
    ends(story, "ans_1", "red")
    assert told_checks(story.wanted) == ["run tests on base"]
    ends(story, "base", None)
    assert told_checks(story.wanted) == ["compare tests on ans_1 (red)"]


def test_nobody_is_asked_before_the_results_are_in() -> None:
    story = answered("red", "green")
    check(result(story, "ans_1", "red"), phase="checking")
    assert told_timers(story.wanted) == ["run at 1800", "checks_wait of ans_2 at 306"]
    check(
        result(story, "ans_2", "green"),
        "a#2 evaluation [new_answer vote, shown 2+0, writes, from red]",
        "b#2 evaluation [new_answer vote, shown 2+0, writes, from green]",
        phase="voting",
    )


def test_nobody_waits_for_ever() -> None:
    story = result(answered("red", "green"), "ans_1", "red")
    story.fact(TimerElapsed(timer="checks_wait", of=subject("ans_2")), after=300)
    check(
        story,
        "a#2 evaluation [new_answer vote, shown 2+0, writes, from red]",
        "b#2 evaluation [new_answer vote, shown 2+0, writes, from green]",
    )
    assert agent_standing(story.state, story.state.agents[AgentId("b")]) is None, "it was not checked"
    story.all_vote("b")
    check(result(story, "ans_2", "green"), "select b by votes: b=2")


def test_who_is_at_work_is_shown_a_new_answer_with_its_results() -> None:
    story = result(result(answered("red", "green"), "ans_1", "red"), "ans_2", "green")
    story.starts("a", "b").answers("a", "better", changes="blue")
    check(story, "b#2 evaluation [new_answer vote, shown 2+0, writes, from green]")
    result(story, "ans_3", "blue")
    check(
        story,
        "a#3 evaluation [new_answer vote, shown 3+0, writes, from blue]",
        "b#2 evaluation [new_answer vote, shown 3+0, writes, from green]",
    )


def test_late_results_void_no_vote() -> None:
    story = answered("red", "green")
    for of in ("ans_1", "ans_2"):
        story.fact(TimerElapsed(timer="checks_wait", of=subject(of)))
    story.starts("a", "b").votes("a", "a")
    result(story, "ans_1", "red", "failed", broke=2)
    assert [vote.target for vote in story.state.votes] == ["a"]
    check(story.votes("b", "a"), "select a by votes: a=2")


def voted(**spec: Any) -> Story:
    """a breaks something and has two votes, b is no worse, c passes."""
    story = answered("red", "same", "green", **spec)
    result(story, "ans_1", "red", "failed", broke=1)
    result(story, "ans_2", "same", "failed")
    result(story, "ans_3", "green")
    story.starts("a", "b", "c").votes("a", "a").votes("b", "a")
    return story.votes("c", "c")


@pytest.mark.parametrize(
    ("policy", "wanted"),
    [
        ("inform", "select a by votes: a=2 c=1"),
        ("prefer", "select a by votes: a=2 c=1"),
        ("require", "select c by checks: a=2 c=1"),
    ],
)
def test_what_checks_decide_is_a_matter_of_policy(policy: str, wanted: str) -> None:
    check(voted(checks_policy=policy), wanted)


@pytest.mark.parametrize(("policy", "wanted"), [("prefer", "select b by checks"), ("inform", "select a by votes")])
def test_who_stands_better_wins_a_tie(policy: str, wanted: str) -> None:
    story = answered("red", "green", checks_policy=policy)
    result(result(story, "ans_1", "red", "failed", broke=1), "ans_2", "green")
    check(story.starts("a", "b").votes("a", "a").votes("b", "b"), f"{wanted}: a=1 b=1")


def test_where_all_break_something_the_one_that_breaks_least_wins_and_the_run_says_so() -> None:
    story = answered("red", "blue", base="passed", checks_policy="require")
    result(result(story, "ans_1", "red", "failed", broke=3), "ans_2", "blue", "failed", broke=1)
    check(story.all_vote("a"), "select b by checks: a=2")
    story.selects()
    assert story.state.winner is not None
    assert story.state.winner.note == "Every answer breaks something that works without it; b's breaks the least."


def test_a_test_that_was_taken_away_is_not_mended() -> None:
    story = result(answered("red", "green"), "ans_1", "red", "passed", not_fixed=1)
    assert agent_standing(story.state, story.state.agents[AgentId("a")]) == "no_worse"


def test_what_varies_by_itself_judges_nobody() -> None:
    story = result(answered("red", "green"), "ans_1", "red", "failed", flaky=("test_now_and_then",))
    assert agent_standing(story.state, story.state.agents[AgentId("a")]) == "green"


@pytest.mark.parametrize("outcome", ["error", "timed_out"])
def test_a_check_that_cannot_be_run_on_the_base_judges_nobody(outcome: CheckOutcome) -> None:
    story = answered("red", "green", base=outcome, checks_policy="require")
    ends(ends(story, "ans_1", "red", "failed"), "ans_2", "green")
    assert told_checks(story.wanted) == [], "there is nothing to compare with"
    check(story.all_vote("a"), "select a by votes: a=2")


@pytest.mark.parametrize(("base", "expected"), [("passed", "green"), ("failed", "no_worse")])
def test_an_answer_that_changes_nothing_stands_as_the_workspace_does(base: CheckOutcome, expected: str) -> None:
    story = answered(None, "green", base=base)
    assert agent_standing(story.state, story.state.agents[AgentId("a")]) == expected


def test_nothing_is_required_where_nothing_can_be_run() -> None:
    story = Story("a b", writes=True, checks_policy="require").starts("a", "b")
    story.answers("a", changes="red").answers("b", changes="green").all_vote("a")
    check(story, "select a by votes: a=2")


def test_the_same_words_with_other_bytes_are_another_answer() -> None:
    story = result(result(answered("red", "green"), "ans_1", "red"), "ans_2", "green").starts("a", "b")
    same = judge_answer(story.state, AgentId("a"), "a's answer 1", Brought("red"))
    assert same == NotAccepted("This is the same as agent1.1; vote for it, or submit something better.")
    assert not isinstance(judge_answer(story.state, AgentId("a"), "a's answer 1", Brought("blue")), NotAccepted)
    adopted = judge_answer(story.state, AgentId("a"), "Other words", Brought("green", "agent2.1"))
    assert adopted == NotAccepted(
        "Nothing in your copy differs from agent2.1, which you adopted; vote for it, or improve on it."
    )


def won(**spec: Any) -> Story:
    story = answered("green", "red", **spec)
    result(result(story, "ans_1", "green"), "ans_2", "red", "failed", broke=1)
    return story.all_vote("a").selects()


def test_a_winner_with_a_candidate_is_the_result_without_a_further_call() -> None:
    story = won(final_answer_strategy="winner_reuse")
    check(story, phase="checking")
    assert told_checks(story.wanted) == ["run tests on final (green)"]
    result(story, "final", "green")
    check(story, "propose changes of a: green", phase="applying")
    check(story.proposes_changes("one.py"), "ask changes")
    detail = story.only(RequestDecision).detail
    assert isinstance(detail, ChangesDetail)
    assert [view.outcome for view in detail.checks] == ["passed"]


def test_without_one_the_winner_presents_and_so_it_does_after_a_persons_word() -> None:
    story = answered(None, "red", final_answer_strategy="winner_reuse")
    result(story, "ans_2", "red", "failed", broke=1).all_vote("a").selects()
    check(story, "a#3 presents (winner_reuse) [shown 2+0, writes]")
    steered = won(final_answer_strategy="winner_reuse").is_told("Name it sum", "a")
    check(steered, "a#3 presents (winner_reuse) [shown 2+1, writes, from green]")


def test_the_presenter_starts_from_the_winners_candidate_and_final_bytes_are_checked() -> None:
    story = won()
    check(story, "a#3 presents (winner_present) [shown 2+0, writes, from green]")
    story.presents("a", changes="final")
    assert told_checks(story.wanted) == ["run tests on final (final)"]
    check(result(story, "final", "final"), "propose changes of a: final")


@pytest.mark.parametrize(
    ("policy", "proposed"), [("prefer", "propose changes of a: worse"), ("require", "propose changes of a: green")]
)
def test_a_presenter_that_makes_it_worse_is_told_once(policy: str, proposed: str) -> None:
    story = won(checks_policy=policy).presents("a", changes="bad")
    result(story, "final", "bad", "failed", broke=1)
    check(story, "a#4 presents (winner_present) [shown 2+0, writes, from bad, repairs]")
    story.presents("a", "Mended", changes="worse")
    result(story, "final", "worse", "failed", broke=2)
    if policy == "require":
        assert told_checks(story.wanted) == ["run tests on final (green)"], "these are other bytes than were presented"
        result(story, "final", "green")
    check(story, proposed)
    story.proposes_changes("one.py").asks().is_decided("approve").settles(one="applied")
    notice = story.only(FinishRun).notice
    assert (notice is not None) == (policy == "require")


def test_a_presenter_that_fails_at_mending_leaves_what_it_had() -> None:
    story = result(won().presents("a", changes="bad"), "final", "bad", "failed", broke=1)
    check(story.starts("a").fails("a"), "propose changes of a: bad")


def test_a_persons_choice_goes_before_what_is_required_and_then_a_person_applies() -> None:
    story = answered("green", "red", checks_policy="require", override="ask", apply_changes="auto")
    result(result(story, "ans_1", "green"), "ans_2", "red", "failed", broke=1)
    story.all_vote("a").selects()
    detail = story.only(RequestDecision).detail
    assert isinstance(detail, OverrideDetail)
    assert [(answer.standing, [view.broke for view in answer.checks]) for answer in detail.answers] == [
        ("green", [0]),
        ("broke", [1]),
    ]
    story.asks().is_decided("b").selects().presents("b", changes="red")
    result(story, "final", "red", "failed", broke=1)
    check(story.proposes_changes("one.py"), "ask changes")


def test_a_lone_agents_copy_is_the_result_and_checked_once() -> None:
    story = checked("a", refinement=False).starts("a").answers("a", changes="green").selects()
    assert told_checks(story.wanted) == ["run tests on base", "run tests on final (green)"]
    result(ends(story, "base", None), "final", "green")
    check(story, "propose changes of a: green")


def test_an_interrupted_check_runs_again() -> None:
    story = answered("red", "green")
    story.fact(CheckStarted(of=subject("ans_1"), name="tests", change_set_id="red"))
    assert told_checks(story.wanted) == ["run tests on ans_1 (red)", "run tests on ans_2 (green)"]


@pytest.mark.parametrize(
    "story",
    [
        checked("a b", planning_mode=True),
        Story("a b", checks=CHECKS, review=True),
    ],
)
def test_plans_and_reviews_that_change_nothing_have_no_candidates_and_no_checks(story: Story) -> None:
    assert told_checks(story.wanted) == []
    assert not any(getattr(command, "writes", False) for command in story.wanted)


def test_a_review_that_may_also_mend_is_checked_like_any_run_that_changes_files() -> None:
    story = checked("a b", review=True)
    assert told_checks(story.wanted) == ["run tests on base"]


def test_final_bytes_that_are_never_checked_are_proposed_as_not_checked() -> None:
    story = won(final_answer_strategy="winner_reuse").fact(TimerElapsed(timer="checks_wait", of="final"))
    check(story, "propose changes of a: green")
    story.proposes_changes("one.py")
    detail = story.only(RequestDecision).detail
    assert isinstance(detail, ChangesDetail)
    assert detail.checks == ()
