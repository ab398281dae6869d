"""A plan, not an execution: proposed, decided, carried out by another run."""

from typing import Any

from teamwright.engine.run.commands import ExecutePlan, FinishRun
from teamwright.engine.run.planning import one_task_plan, plan_as_text
from teamwright.protocol.events import CancelRequested, RunFinished, RunStarted
from teamwright.protocol.ids import RunId
from teamwright.protocol.plans import Plan, PlanTask
from teamwright.protocol.usage import Usage
from tests.engine.story import CHILD, RUN, Story, check, spec

PLAN = Plan(
    title="Ship it",
    tasks=(
        PlanTask(id="1", title="Build", detail="with care", phase="First"),
        PlanTask(id="2", title="Test", files=("a.py", "b.py"), phase="First"),
    ),
)
TEXT = "# Ship it\n\n## First\n\n1. **Build**\n   with care\n2. **Test**\n   Files: a.py, b.py"


def planned(**changes: Any) -> Story:
    return Story("a", refinement=False, planning_mode=True, writes=True, **changes).starts("a").answers("a", plan=PLAN)


def proposed(**changes: Any) -> Story:
    return planned(**changes).selects().proposes_plan(PLAN)


def executing(**changes: Any) -> Story:
    story = proposed(**changes)
    if not changes.get("execute_after_planning"):
        story.asks().is_decided("approve")
    return story.fact(RunStarted(spec=story.only(ExecutePlan).spec, parent_run_id=RUN), run=CHILD)


def test_the_winners_plan_is_proposed_and_nothing_is_written() -> None:
    story = planned()
    check(story, "select a by only: no votes")
    check(story.selects(), "propose plan: Ship it", phase="planning")


def test_plain_text_for_a_plan_becomes_one_of_one_task() -> None:
    story = Story("a", refinement=False, planning_mode=True).starts("a").answers("a", "Rewrite it.").selects()
    check(story, "propose plan: Rewrite it.")


def test_a_proposed_plan_waits_for_a_person() -> None:
    story = proposed()
    check(story, "ask plan", phase="planning")
    check(story.asks(), timers=[], phase="planning")


def test_a_plan_that_is_not_to_be_carried_out_is_the_result() -> None:
    check(proposed().asks().is_decided("cancel"), f"finish completed: {TEXT!r} of a (plan)")


def test_an_approved_plan_is_carried_out_by_a_run_of_the_same_team() -> None:
    story = proposed().asks().is_decided("approve", text="on a branch")
    check(story, "execute the plan")
    execution = story.only(ExecutePlan).spec
    assert execution == spec(
        "a",
        refinement=False,
        writes=True,
        task=f"Carry out this plan for the task: Do it\n\n{TEXT}\n\nFurther instructions: on a branch",
    )


def test_an_edited_plan_is_carried_out_as_edited() -> None:
    edited = {"plan": {"title": "Ship less", "tasks": [{"id": "1", "title": "Build half"}]}}
    story = proposed().asks().is_decided("approve", edits=edited)
    assert "# Ship less\n\n1. **Build half**" in story.only(ExecutePlan).spec.task


def test_a_plan_can_be_carried_out_unasked() -> None:
    check(proposed(execute_after_planning=True), "execute the plan")
    check(proposed(execute_plan="auto"), "ask plan and take it")


def test_the_run_waits_for_its_plans_execution() -> None:
    story = executing()
    check(story, timers=[], phase="executing")
    story.fact(RunFinished(outcome="completed", usage=Usage()), run=CHILD)
    check(story, f"finish completed: {TEXT!r} of a (plan)")
    assert story.only(FinishRun).error is None


def test_an_execution_that_failed_is_told_as_such_and_the_plan_stays() -> None:
    story = executing(execute_after_planning=True)
    story.fact(RunFinished(outcome="failed", error="no disk", usage=Usage()), run=CHILD)
    check(story, f"finish failed: {TEXT!r} of a (plan)")
    assert story.only(FinishRun).error == "The plan was made, but not carried out: no disk"


def test_a_cancel_reaches_the_execution_and_waits_for_it() -> None:
    story = executing().fact(CancelRequested())
    check(story, "cancel run_2")
    check(story.fact(CancelRequested(), run=CHILD), phase="executing")
    story.fact(RunFinished(outcome="cancelled", usage=Usage()), run=CHILD)
    check(story, f"finish cancelled: {TEXT!r} of a (plan)")


def test_a_presenter_submits_the_final_plan_and_stops() -> None:
    story = Story("a b", planning_mode=True, final_answer_strategy="synthesize")
    story.starts("a", "b").answers("a", plan=PLAN).answers("b", plan=PLAN).all_vote("b").selects()
    check(story, "b#3 presents (synthesize) [submit_plan, shown 2+0]", phase="presenting")
    check(story.starts("b").proposes_plan(PLAN), "stop b#3: finished")
    check(story.is_stopped("b"), "ask plan")


def test_a_plan_is_of_whoever_submitted_it() -> None:
    story = Story("a b", planning_mode=True, final_answer_strategy="synthesize").all_answer().all_vote("a").selects()
    story.starts("a").fails("a").starts("b").proposes_plan(PLAN).is_stopped("b").asks().is_decided("cancel")
    check(story, f"finish completed: {TEXT!r} of b (plan)")


def test_a_presenter_that_only_writes_text_has_made_a_plan_of_one_task() -> None:
    story = Story("a b", planning_mode=True).all_answer().all_vote("b").selects().presents("b", "Just do it.\nNow.")
    check(story, "propose plan: Just do it.")


def test_text_becomes_a_plan_of_one_task() -> None:
    assert one_task_plan("\n## Do it\nwell") == Plan(
        title="Do it", tasks=(PlanTask(id="1", title="Do it", detail="## Do it\nwell"),)
    )
    assert one_task_plan("").title == "The plan"


def test_a_plan_reads_as_markdown() -> None:
    assert plan_as_text(PLAN) == TEXT


def test_the_end_of_another_run_is_of_no_concern() -> None:
    other = RunId("run_3")
    for story in (proposed(), executing()):
        before = story.state
        story.fact(CancelRequested(), run=other).fact(RunFinished(outcome="failed", usage=Usage()), run=other)
        assert story.state == before


def test_another_runs_child_is_of_no_concern() -> None:
    story = proposed(execute_after_planning=True)
    before = story.state
    story.fact(RunStarted(spec=spec(), parent_run_id=CHILD), run=CHILD)
    assert story.state == before
