"""What is to be done: a plan, which a run proposes and another carries out, and the list of big work of a session."""

from typing import Final, Literal

from pydantic import Field

from teamwright.protocol.base import Maybe, Wire, Words
from teamwright.protocol.ids import RunId


class PlanTask(Wire):
    id: str
    title: str = Field(min_length=1)
    detail: str = ""
    phase: Maybe[str] = None
    files: Maybe[tuple[str, ...]] = None


class Plan(Wire):
    title: str = Field(min_length=1)
    tasks: tuple[PlanTask, ...] = Field(min_length=1)


TaskState = Literal["pending", "running", "done", "failed", "dropped"]
MAX_TASKS: Final = 100
MAX_TITLE: Final = 500
MAX_ID: Final = 60


class ListedTask(Wire):
    id: str = Field(min_length=1, max_length=MAX_ID)
    title: Words = Field(min_length=1, max_length=MAX_TITLE)
    state: TaskState = "pending"
    # The latest run that was launched for it.
    run_id: Maybe[RunId] = None


class TaskEdit(ListedTask):
    """As a person writes it: a new one has no id yet."""

    id: Maybe[str] = Field(default=None, min_length=1, max_length=MAX_ID)  # pyright: ignore[reportIncompatibleVariableOverride]


TaskList = tuple[ListedTask, ...]
