"""Time-outs, cancels and budgets: a run that is cut short keeps what it has."""

from teamwright.engine.run.budget import budget_limit, is_met, spent_by
from teamwright.engine.run.commands import FinishRun, RequestDecision
from teamwright.engine.spending import Spending
from teamwright.protocol.decisions import BudgetDetail, BudgetSpent
from teamwright.protocol.events import BudgetReached
from teamwright.protocol.usage import Budget, Usage
from tests.engine.story import Story, check

SPENT = BudgetSpent(usd=1.5, tokens=900, seconds=3, usage=Usage(calls=4))


def reached(story: Story) -> Story:
    return story.fact(BudgetReached(spent=SPENT))


def test_a_run_out_of_time_ends_with_the_best_answer_so_far() -> None:
    story = Story().all_answer().starts("a", "b", "c").votes("a", "b").elapses("run")
    check(story, "stop b#2: timeout", "stop c#2: timeout")
    check(story.is_stopped("b", "c"), "select b by timeout: b=1")
    check(story.selects(), 'finish timed_out: "b\'s answer 1" of b (best_answer)')


def test_a_run_out_of_time_before_the_vote_takes_the_newest_answer() -> None:
    story = Story().starts("a", "b", "c").answers("b").answers("a").elapses("run").is_stopped("c")
    check(story, "select a by timeout: no votes")


def test_a_run_out_of_time_with_nothing_to_show_says_so() -> None:
    story = Story("a b").starts("a", "b").elapses("run").is_stopped("a", "b")
    check(story, "finish timed_out: nothing")
    assert story.only(FinishRun).error == "The run was stopped after 1800 seconds; no agent had answered."


def test_time_running_out_during_the_presentation_leaves_the_winners_answer() -> None:
    story = Story("a b").all_answer().all_vote("a").selects().starts("a").writes_text("a", "The res").elapses("run")
    check(story.is_stopped("a"), 'finish timed_out: "a\'s answer 1" of a (winner_reuse)', winner="a")


def test_a_cancelled_run_hands_back_what_there_is() -> None:
    story = Story().starts("a", "b", "c").answers("a").is_cancelled()
    check(story, "stop b#1: cancelled", "stop c#1: cancelled")
    check(story.is_stopped("b", "c"), 'finish cancelled: "a\'s answer 1" of a (best_answer)')
    check(story.finishes(), phase="finished", outcome="cancelled")


def test_a_run_cancelled_before_any_answer_hands_back_the_text_so_far() -> None:
    story = Story("a", refinement=False).starts("a").writes_text("a", "First of all").is_cancelled().is_stopped("a")
    check(story, "finish cancelled: 'First of all' of a (partial)")


def test_what_a_team_muttered_before_any_answer_is_no_result() -> None:
    story = Story("a b").starts("a", "b").writes_text("a", "Let me look").is_cancelled().is_stopped("a", "b")
    check(story, "finish cancelled: nothing")


def test_open_questions_are_withdrawn_when_the_run_is_cancelled() -> None:
    story = Story("a b", override="ask").all_answer().all_vote("a").selects().asks().is_cancelled()
    check(story, *(f"withdraw {decision_id}" for decision_id in story.state.pending))


def test_an_answer_that_was_given_is_not_called_cancelled() -> None:
    check(Story("a b").starts("a", "b").submits("a").is_cancelled(), "stop a#1: answered", "stop b#1: cancelled")


def test_at_its_budget_a_run_holds_its_agents_and_asks() -> None:
    story = reached(Story("a b", budget=Budget(usd=1)).all_answer().starts("a"))
    check(story, "a#2 evaluation [new_answer vote, shown 2+0, on hold]", "ask budget")
    check(story.asks(), "a#2 evaluation [new_answer vote, shown 2+0, on hold]", timers=[])
    check(
        story.is_decided("approve"),
        "a#2 evaluation [new_answer vote, shown 2+0]",
        "b#2 evaluation [new_answer vote, shown 2+0]",
    )
    assert budget_limit(story.state) == Budget(usd=2.5), "as much again as it was given, from what it had spent then"


def test_at_its_sessions_budget_a_run_asks_too_and_keeps_its_own() -> None:
    story = Story("a b", budget=Budget(usd=9)).all_answer().starts("a")
    spent = BudgetSpent(usd=20, tokens=900, seconds=3, usage=Usage(calls=4))
    story.fact(BudgetReached(spent=spent, session_limit=Budget(usd=20)))
    asked = story.only(RequestDecision)
    assert asked.detail == BudgetDetail(of="session", spent=spent, limit=Budget(usd=20))
    assert asked.title == "The session has reached its budget. Let it spend as much again?"
    assert budget_limit(story.asks().is_decided("approve").state) == Budget(usd=9)


def test_a_run_that_starts_with_its_session_out_of_budget_starts_nobody() -> None:
    story = Story("a b")
    story.fact(BudgetReached(spent=SPENT, session_limit=Budget(tokens=900)))
    check(story, "ask budget", timers=[])
    check(story.asks().is_decided("cancel"), "finish cancelled: nothing")
    assert story.only(FinishRun).error == "The run was stopped at its session's budget; no agent had answered."


def test_who_does_not_let_it_go_on_gets_the_best_answer() -> None:
    story = reached(Story("a b", budget=Budget(usd=1)).all_answer().starts("a")).asks().is_decided("cancel")
    check(story, "stop a#2: cancelled")
    check(story.is_stopped("a"), "select b by timeout: no votes")
    check(story.selects(), 'finish cancelled: "b\'s answer 1" of b (best_answer)')


def test_an_autonomous_run_at_its_budget_stops_with_its_best_answer() -> None:
    story = reached(Story("a b", budget=Budget(usd=1), autonomy="autonomous").all_answer().starts("a"))
    check(story, "stop a#2: superseded")
    check(story.is_stopped("a"), "select b by timeout: no votes")
    check(story.selects(), 'finish completed: "b\'s answer 1" of b (best_answer)')
    error = "The run was stopped at its budget; the best answer so far is the result."
    assert story.only(FinishRun).error == error


def test_an_autonomous_run_that_has_spent_its_budget_on_nothing_has_failed() -> None:
    story = reached(Story("a b", budget=Budget(usd=1), autonomy="autonomous").starts("a", "b")).is_stopped("a", "b")
    check(story, "finish failed: nothing")


def test_a_budget_reached_with_the_last_call_stops_nothing() -> None:
    story = Story("a b", budget=Budget(usd=1), final_answer_strategy="winner_reuse").all_answer().all_vote("a")
    check(reached(story).selects(), 'finish completed: "a\'s answer 1" of a (winner_reuse)')


def test_a_budget_of_time_is_a_timer() -> None:
    story = Story("a b", budget=Budget(seconds=90)).starts("a", "b")
    check(
        story,
        "a#1 first answer [new_answer]",
        "b#1 first answer [new_answer]",
        timers=["run at 1800", "budget at 90"],
    )
    story.elapses("budget", after=88)
    check(
        story,
        "a#1 first answer [new_answer, on hold]",
        "b#1 first answer [new_answer, on hold]",
        "ask budget",
        timers=["run at 1800"],
    )
    story.asks().is_decided("approve", after=1000)
    check(
        story,
        "a#1 first answer [new_answer]",
        "b#1 first answer [new_answer]",
        timers=["run at 2800", "budget at 1180"],
    )


def test_a_budget_is_met_when_any_of_its_parts_is() -> None:
    spent = BudgetSpent(usd=None, tokens=900, seconds=3, usage=Usage())
    limits = (Budget(usd=0.1), Budget(tokens=900), Budget(tokens=901), Budget(seconds=3), Budget(seconds=4))
    assert [is_met(limit, spent) for limit in limits] == [False, True, False, True, False]


def test_what_is_at_work_counts_as_spent_and_an_unknown_price_makes_the_sum_unknown() -> None:
    story = Story("a b").all_answer()
    at = story.records[-1].at
    at_work = Spending(Usage(input_tokens=100, calls=1), None)
    assert spent_by(story.state, at, at_work) == BudgetSpent(
        usd=None, tokens=130, seconds=6, usage=Usage(input_tokens=120, output_tokens=10, calls=3)
    )
