"""The list of big work: what a request was broken into, and how far it is."""

from typing import Final, Literal

from pydantic import Field

from teamwright.protocol.base import Maybe, Wire, Words
from teamwright.protocol.ids import RunId

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
