"""The list of big work as clients draw it: one entry, below what was said when it was last written."""

from collections.abc import Iterator, Mapping
from typing import Final

from teamwright.engine.session.tasks import OPEN
from teamwright.engine.transcript.entries import Origin, Subject
from teamwright.engine.transcript.words import counted, on_one_line
from teamwright.protocol.ids import EntryId, SessionId
from teamwright.protocol.plans import TaskList, TaskState
from teamwright.protocol.transcript import (
    Action,
    Entry,
    InputColumn,
    InputField,
    InputOption,
    TableCell,
    TableColumn,
    TableData,
    TablePart,
    TableRow,
    Tone,
)

_STATES: Final[Mapping[TaskState, tuple[str, Tone]]] = {
    "pending": ("to do", "idle"),
    "running": ("at work", "busy"),
    "done": ("done", "ok"),
    "failed": ("failed", "bad"),
    "dropped": ("dropped", "idle"),
}
_GO_ON: Final = "Go on with the next task of the list."


class TasksSubject(Subject):
    def __init__(self, entry_id: EntryId, origin: Origin, session_id: SessionId, tasks: TaskList) -> None:
        super().__init__(entry_id, origin)
        self._session_id = session_id
        self.tasks = tasks

    def draw(self) -> Entry:
        return Entry(
            entry_id=self.entry_id,
            kind="tasks",
            title=title_of(self.tasks),
            parts=(TablePart(part="tasks", data=_table(self.tasks)),),
            actions=tuple(self._actions()),
            state="running" if any(task.state in OPEN for task in self.tasks) else "done",
            # It belongs to the session, and outlives the turn in which it was written.
            at=self.origin.at,
            seq=self.origin.seq,
        )

    def _actions(self) -> Iterator[Action]:
        session: dict[str, object] = {"sessionId": self._session_id}
        states = {task.state for task in self.tasks}
        if "pending" in states and "running" not in states:
            said = {**session, "text": _GO_ON}
            yield Action(label="Go on with the next", command="teamwright.chat", arguments=said, key="g", primary=True)
        yield Action(
            label="Edit the list",
            command="teamwright.session.tasks",
            arguments=session,
            key="e",
            input=(_field(self.tasks),),
        )


def title_of(tasks: TaskList) -> str:
    wanted = [task for task in tasks if task.state != "dropped"]
    done = sum(task.state == "done" for task in wanted)
    failed = sum(task.state == "failed" for task in wanted)
    said = f"{done} of {counted(len(wanted), 'task')} done"
    return f"{said}, {failed} failed" if failed else said


def state_in_words(state: TaskState) -> tuple[str, Tone]:
    return _STATES[state]


def _table(tasks: TaskList) -> TableData:
    rows = tuple(
        TableRow(
            cells=(TableCell(text=words, tone=tone), TableCell(text=on_one_line(task.title, 300))),
            void=True if task.state == "dropped" else None,
        )
        for task in tasks
        for words, tone in (_STATES[task.state],)
    )
    return TableData(columns=(TableColumn(label=""), TableColumn(label="")), rows=rows)


def _field(tasks: TaskList) -> InputField:
    states = tuple(InputOption(label=words, value=state) for state, (words, _) in _STATES.items())
    columns = (InputColumn(key="title", label="Task"), InputColumn(key="state", label="State", options=states))
    value = [task.to_wire() for task in tasks]
    return InputField(path=("tasks",), kind="rows", label="Tasks", value=value, columns=columns)
