"""What came of a run: its plan, its changes file by file."""

from collections.abc import Collection, Iterator
from typing import Final
from urllib.parse import quote

from pydantic import ValidationError

from teamwright.engine.run.state import RunState
from teamwright.engine.transcript.carried_out import came_to
from teamwright.engine.transcript.decisions import actions, resolved
from teamwright.engine.transcript.entries import Origin, Subject
from teamwright.engine.transcript.evidence import ShownProblems, check_action, final_parts, problem_actions
from teamwright.engine.transcript.inputs import phases_of
from teamwright.engine.transcript.run_card import RunOf
from teamwright.engine.transcript.words import PathOf, counted, on_one_line, without_gaps
from teamwright.protocol.changes import Change, Hunk, SettledFile
from teamwright.protocol.decisions import Decision
from teamwright.protocol.events import DecisionResolved, PlanProposed, RunFinished
from teamwright.protocol.ids import EntryId, RunId
from teamwright.protocol.plans import Plan
from teamwright.protocol.transcript import (
    Action,
    AnyPart,
    DiffData,
    DiffHunk,
    DiffPart,
    Entry,
    EntryState,
    InputField,
    LinkData,
    LinkPart,
    PlainPart,
)
from teamwright.protocol.views import RunOutcome

_UNDONE: Final = "undone"
_EXECUTE: Final = "teamwright.plan.execute"
_LONGEST_PHASE: Final = 60


class OutcomeSubject(Subject):
    """An entry that a decision can be about: its choices stand here, and so does what was decided."""

    def __init__(self, entry_id: EntryId, origin: Origin) -> None:
        super().__init__(entry_id, origin)
        self._decision: Decision | None = None
        self._decision_origin: Origin | None = None
        self._resolution: DecisionResolved | None = None

    @property
    def is_asked(self) -> bool:
        return self._decision is not None and self._resolution is None

    def ask(self, origin: Origin, decision: Decision) -> None:
        self._decision, self._resolution, self._decision_origin = decision, None, origin
        self.origin = self.origin.about(decision.decision_id)

    def resolve(self, resolution: DecisionResolved) -> None:
        self._resolution = resolution

    def choices(self) -> tuple[Action, ...]:
        if self._decision is None or self._decision_origin is None or not self.is_asked:
            return ()
        return tuple(actions(self._decision, self._decision_origin))

    def decided(self) -> Iterator[AnyPart]:
        if self._decision is not None and self._resolution is not None:
            yield resolved(self._decision, self._resolution)

    @property
    def verdict(self) -> EntryState:
        if self.is_asked:
            return "waiting"
        if self._resolution is None:
            return "running"
        return "cancelled" if self._resolution.choice == "cancel" else "done"


class PlanSubject(OutcomeSubject):
    def __init__(self, entry_id: EntryId, origin: Origin, event: PlanProposed) -> None:
        super().__init__(entry_id, origin)
        self.event = event
        # Once the run is over: what it came to. Then what is left of the plan can be carried out.
        self.ended: RunFinished | None = None
        # The runs that carry tasks of it out, each with how that ended.
        self._carried: dict[RunId, tuple[tuple[str, ...] | None, RunOutcome | None]] = {}

    def started(self, run_id: RunId, tasks: tuple[str, ...] | None) -> None:
        self._carried[run_id] = tasks, None

    def finished(self, run_id: RunId, outcome: RunOutcome) -> None:
        tasks, _ = self._carried.get(run_id, (None, None))
        self._carried[run_id] = tasks, outcome

    @property
    def _plan(self) -> Plan:
        """With what a person has changed in it."""
        edited = (self._resolution.edits or {}).get("plan") if self._resolution is not None else None
        try:
            return self.event.plan if edited is None else Plan.model_validate(edited)
        except ValidationError:
            return self.event.plan

    def _done(self) -> frozenset[str]:
        done = (tasks for tasks, outcome in self._carried.values() if outcome == "completed")
        every = tuple(task.id for task in self._plan.tasks)
        return frozenset(task for tasks in done for task in (every if tasks is None else tasks))

    def _rest(self) -> Iterator[Action]:
        """What nobody has carried out, once nobody is at it."""
        is_at_work = any(outcome is None for _, outcome in self._carried.values())
        if self.ended is None or is_at_work or self.origin.run_id is None:
            return
        done = self._done()
        left = [task for task in self._plan.tasks if task.id not in done]
        given = {"runId": self.origin.run_id}
        if left:
            label = f"Carry out the rest, {counted(len(left), 'task')}" if done else "Carry out the plan"
            yield Action(label=label, command=_EXECUTE, arguments={**given, "tasks": [task.id for task in left]})
        phases = phases_of(left)
        for phase, tasks in phases.items() if len(phases) > 1 else ():
            label = f"Carry out “{on_one_line(phase, _LONGEST_PHASE)}”"
            yield Action(label=label, command=_EXECUTE, arguments={**given, "tasks": tasks})

    def _came_to(self) -> Iterator[AnyPart]:
        if self.ended is not None and self.ended.execution is not None:
            yield PlainPart(part="came to", text=came_to(self.ended.execution))

    def draw(self) -> Entry:
        lines = _plan_lines(self._plan, self._done())
        text = PlainPart(part="plan", text=without_gaps("\n".join(lines)))
        kept = _kept(self.event.path)
        return Entry(
            entry_id=self.entry_id,
            kind="plan",
            title=on_one_line(f"Plan: {self.event.plan.title}"),
            parts=(text, kept, *self.decided(), *self._came_to()),
            actions=(*self.choices(), *self._rest()),
            state="done" if self.verdict == "running" else self.verdict,
            **self.origin.fields(),
        )


def _kept(path: str) -> AnyPart:
    """Its folder has the name of the run, which says nothing to people: where it can be followed, it is a link."""
    place = path.replace("\\", "/")
    on_drive = place[1:2] == ":"
    if not place.startswith("/") and not on_drive:
        return PlainPart(part="path", text=f"Kept in {path}")
    uri = "file://" + ("/" if on_drive else "") + quote(place, safe="/:")
    return LinkPart(part="path", text=f"Kept as {place.rpartition('/')[2]}", data=LinkData(uri=uri))


def _plan_lines(plan: Plan, done: Collection[str] = ()) -> Iterator[str]:
    phase = None
    for number, task in enumerate(plan.tasks, 1):
        if task.phase is not None and task.phase != phase:
            phase = task.phase
            yield phase
        yield f"{number}. {task.title}{' ✓' if task.id in done else ''}"
        yield from (f"   {line}" for line in task.detail.splitlines())
        if task.files:
            yield f"   Files: {', '.join(task.files)}"


class ChangesSubject(OutcomeSubject):
    """`is_late`: proposed when the run was over, another's in place of what it had proposed."""

    def __init__(
        self,
        entry_id: EntryId,
        origin: Origin,
        changes: tuple[Change, ...],
        path_of: PathOf,
        run_of: RunOf,
        *,
        problems: ShownProblems,
        is_late: bool = False,
    ) -> None:
        super().__init__(entry_id, origin)
        self.changes = changes
        self.is_late = is_late
        # Another's stand in their place: there is nothing left to be done about these.
        self.is_replaced = False
        self._run_of = run_of
        self._problems = problems
        self.settled: dict[str, SettledFile] = {}
        # By a person or a policy; a policy leaves what a person has to look at.
        self.is_settled = False
        self._path_of = path_of

    def draw(self) -> Entry:
        return Entry(
            entry_id=self.entry_id,
            kind="changes",
            title=self._title(),
            parts=(*self.decided(), *self._checks(), *(part for each in self.changes for part in self._file(each))),
            actions=tuple(self._actions()),
            state=self._state(),
            **self.origin.fields(),
        )

    @property
    def _run(self) -> RunState | None:
        run = None if self.origin.run_id is None else self._run_of(self.origin.run_id)
        return run if isinstance(run, RunState) else None

    def _checks(self) -> Iterator[AnyPart]:
        if (run := self._run) is not None and not self.is_replaced:
            yield from final_parts(run)

    def _with(self, outcome: str) -> list[SettledFile]:
        return [file for file in self.settled.values() if file.outcome == outcome]

    def _title(self) -> str:
        whose = f"{self.changes[0].agent_id}'s changes" if self.is_late else "Changes"
        proposed = f"{whose} to {counted(len(self.changes), 'file')}"
        applied, conflicted = self._with("applied"), self._with("conflicted")
        waiting = self._waiting()
        if waiting and not conflicted:
            wait = f"{counted(len(waiting), 'file')} {'waits' if len(waiting) == 1 else 'wait'} for you"
            return f"Changed {counted(len(applied), 'file')}; {wait}" if applied else f"Changes to {wait}"
        if not self.settled:
            return proposed
        undone = [file for file in self._with("rejected") if file.reason == _UNDONE]
        if conflicted:
            return f"{counted(len(conflicted), 'file')} could not be changed"
        if undone and not applied:
            return f"{proposed}, undone"
        return f"Changed {counted(len(applied), 'file')}" if applied else f"{proposed}, not applied"

    def _waiting(self) -> list[Change]:
        """What a policy has left for a person to look at."""
        is_left = self.is_settled and not self.is_asked
        return [change for change in self.changes if is_left and change.uri not in self.settled]

    def _state(self) -> EntryState:
        if self.is_replaced:
            return "cancelled"
        if self.is_late and not self.settled:
            return "info"
        if not self.settled or self.is_asked:
            return self.verdict
        if self._with("conflicted"):
            return "failed"
        return "done" if self._with("applied") else "cancelled"

    def _file(self, change: Change) -> Iterator[AnyPart]:
        hunks = tuple(_hunks(change))
        file = self.settled.get(change.uri)
        signs = [line[:1] for hunk in hunks for line in hunk.lines]
        data = DiffData(
            uri=change.uri,
            change=change.kind,
            added=signs.count("+"),
            removed=signs.count("-"),
            hunks=hunks,
            outcome=None if file is None else file.outcome,
        )
        yield DiffPart(
            part=change.uri,
            title=f"by {change.agent_id}",
            text=self._path_of(change.uri),
            data=data,
            folded=None if file is None else True,
            agent_id=change.agent_id,
            truncated=change.truncated,
        )
        if file is None and change.asks is not None:
            text = f"{self._path_of(change.uri)}: {change.asks}; look at it before it is applied."
            yield PlainPart(part=f"{change.uri} reason", text=text)
        if file is not None and file.reason and file.outcome != "applied" and file.reason != _UNDONE:
            yield PlainPart(part=f"{change.uri} reason", text=f"{self._path_of(change.uri)}: {file.reason}")

    def _actions(self) -> Iterator[Action]:
        run_id = self.origin.run_id
        if self.is_replaced:
            return
        yield from self.choices()
        if self.is_late and not self.settled:
            yield from self._late_choices()
        if (run := self._run) is not None and not self._with("applied"):
            yield from check_action(run, run_id)
            yield from problem_actions(run, "final", self._problems)
        if not self.is_asked and self.is_settled:
            left = [change.uri for change in self.changes if self._is_left(change.uri)]
            if left:
                files = [{"uri": uri} for uri in left]
                arguments = {"runId": run_id, "files": files}
                yield Action(
                    label="Apply what is left", command="teamwright.changes.apply", arguments=arguments, key="a"
                )
            if self._with("applied"):
                yield Action(label="Undo", command="teamwright.changes.undo", arguments={"runId": run_id}, key="u")
        for change in self.changes:
            arguments = {"runId": run_id, "uri": change.uri}
            yield Action(label="Open the diff", command="teamwright.changes.open", arguments=arguments, part=change.uri)

    def _late_choices(self) -> Iterator[Action]:
        arguments = {"runId": self.origin.run_id}
        ticked = InputField(path=("files",), kind="hunks", label="What to apply")
        apply, discard = "teamwright.changes.apply", "teamwright.changes.discard"
        yield Action(label="Apply", command=apply, arguments=arguments, key="a", input=(ticked,))
        yield Action(label="Discard", command=discard, arguments=arguments, key="c")

    def _is_left(self, uri: str) -> bool:
        file = self.settled.get(uri)
        return file is None or file.outcome == "conflicted"


def _hunks(change: Change) -> Iterator[DiffHunk]:
    bodies: list[list[str]] = []
    for line in change.diff.removesuffix("\n").split("\n"):
        if line.startswith("@@"):
            bodies.append([])
        elif bodies:
            bodies[-1].append(line)
    for number, body in enumerate(bodies):
        hunk = change.hunks[number] if number < len(change.hunks) else _unnumbered(number)
        yield DiffHunk(**dict(hunk), lines=tuple(body))


def _unnumbered(number: int) -> Hunk:
    return Hunk(index=number, old_start=0, old_lines=0, new_start=0, new_lines=0)
