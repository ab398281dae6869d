"""The list of big work: ticked as runs begin and end, and left alone where somebody has said otherwise since."""

from datetime import timedelta

import pytest

from teamwright.engine.session.decide import Circumstances, decide
from teamwright.engine.session.reduce import fold
from teamwright.engine.session.state import SessionState
from teamwright.engine.session.tasks import current_tasks, numbered
from teamwright.engine.session.wants import TickTasks
from teamwright.protocol.events import DurableEvent, RunFinished, RunStarted, TasksUpdated
from teamwright.protocol.ids import RunId
from teamwright.protocol.plans import ListedTask, TaskEdit, TaskState
from teamwright.protocol.records import EventRecord
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import RunOutcome
from tests.engine.session_log import READING, SESSION
from tests.engine.story import spec
from tests.engine.telling import START

RUN = RunId("run_1")


def told(*events: DurableEvent) -> SessionState:
    records = (
        EventRecord(
            seq=number,
            at=START,
            session_id=SESSION,
            run_id=RUN if event.type.startswith("run") else None,
            event=event,
        )
        for number, event in enumerate(events, 1)
    )
    return fold(records, SessionState(SESSION))


def listed(first: TaskState = "pending", run: RunId | None = None) -> TasksUpdated:
    tasks = (ListedTask(id="1", title="Begin", state=first, run_id=run), ListedTask(id="2", title="End"))
    return TasksUpdated(tasks=tasks)


def begun() -> RunStarted:
    return RunStarted(spec=spec("a b").model_copy(update={"task_id": "1"}))


def ended(outcome: RunOutcome) -> RunFinished:
    return RunFinished(outcome=outcome, usage=Usage())


def first(state: SessionState) -> tuple[TaskState, RunId | None]:
    task, other = current_tasks(state)
    assert (other.state, other.run_id) == ("pending", None)
    return task.state, task.run_id


def test_a_run_takes_its_task_up() -> None:
    assert first(told(listed(), begun())) == ("running", RUN)


@pytest.mark.parametrize(
    ("outcome", "state"),
    [("completed", "done"), ("failed", "failed"), ("timed_out", "failed"), ("cancelled", "pending")],
)
def test_a_run_that_ends_settles_its_task(outcome: RunOutcome, state: TaskState) -> None:
    assert first(told(listed(), begun(), ended(outcome))) == (state, RUN)
    assert first(told(listed(), begun(), listed("running", RUN), ended(outcome))) == (state, RUN)


@pytest.mark.parametrize("said", ["done", "failed", "dropped", "pending"])
def test_what_was_said_after_the_run_stays(said: TaskState) -> None:
    assert first(told(listed(), begun(), ended("completed"), listed(said, RUN))) == (said, RUN)


def test_what_has_changed_is_wanted_to_be_told_once() -> None:
    given = Circumstances(
        is_writer=True, resume="ask", has_room=True, reading=READING, last_used=START, idle=timedelta(minutes=30)
    )
    state = told(listed(), begun())
    (tick,) = (want for want in decide(state, given) if isinstance(want, TickTasks))
    after = told(listed(), begun(), TasksUpdated(tasks=tick.tasks))
    assert not any(isinstance(want, TickTasks) for want in decide(after, given))


def test_new_tasks_get_ids_that_no_other_has() -> None:
    edits = (TaskEdit(title="a"), TaskEdit(id="1", title="b"), TaskEdit(id="1", title="c"), TaskEdit(title="d"))
    assert [task.id for task in numbered(edits)] == ["2", "1", "3", "4"]
