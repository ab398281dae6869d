"""Checks for people: how each answer stands, what fails where, and what a check prints while it runs."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from teamwright.engine.run.checking import final_keys
from teamwright.engine.run.evidence import base_keys, is_checked, keys_of_answer, progress, views
from teamwright.engine.run.state import CheckKey, RunState
from teamwright.engine.transcript.entries import Origin, StreamedText, Subject
from teamwright.engine.transcript.words import counted, on_one_line
from teamwright.protocol.checks import Candidate, CheckFailure, CheckProblem, CheckSubject, CheckView
from teamwright.protocol.events import CheckFinished
from teamwright.protocol.ids import EntryId, RunId
from teamwright.protocol.items import Position, Range
from teamwright.protocol.transcript import (
    Action,
    AnyPart,
    Chip,
    ChipsData,
    ChipsPart,
    CodePart,
    Entry,
    InputField,
    LinkData,
    LinkPart,
    PlainPart,
    TableCell,
    TableColumn,
    TableData,
    TablePart,
    TableRow,
    Tone,
)

_MOST_FAILURES: Final = 20
_LONGEST_LIVE: Final = 4_000


def check_chips(
    part: str, checks: Sequence[CheckView], candidate: Candidate | None, due: Collection[str] = ()
) -> Iterator[ChipsPart]:
    """Of an answer; of one that changes nothing there is nothing to say. `due` are those of which it can be missed."""
    if not checks and candidate is None:
        return
    chips = [Chip(label=label, tone=tone) for label, tone in map(_label, checks)]
    if candidate is not None:
        told = {check.name for check in checks}
        chips += [Chip(label=f"{name} not run", tone="idle") for name in due if name not in told]
    if candidate is not None and candidate.changes_own_checks:
        chips.append(Chip(label="changes its own checks", tone="warn"))
    if chips:
        yield ChipsPart(part=part, data=ChipsData(chips=tuple(chips)))


def _label(check: CheckView) -> tuple[str, Tone]:
    if check.broke:
        return f"{check.name} broke {check.broke}", "bad"
    match check.outcome:
        case "running":
            return f"{check.name} running", "busy"
        case "passed":
            return f"{check.name} passed", "ok"
        case "failed":
            failed = f" {check.tests.failed}" if check.tests is not None and check.tests.failed else ""
            return f"{check.name} failed{failed}", "bad"
        case "timed_out":
            return f"{check.name} timed out", "warn"
        case "error":
            return f"{check.name} could not be run", "warn"


def final_parts(run: RunState) -> Iterator[AnyPart]:
    """Under the changes that they are about: of exactly these bytes, or that there are none of them."""
    if not is_checked(run):
        return
    keys = _keys_of_proposed(run)
    shown = views(run, keys)
    if run.changes.moved:
        yield PlainPart(part="moved", text="The workspace has moved since it was checked")
    if shown:
        yield _table(run, keys, shown)
        yield from _failures(run, keys)
    else:
        yield PlainPart(part="unchecked", text="Not checked in this form")
    others = _of_a_selection(run)
    if others:
        yield from (
            part.model_copy(update={"title": "With your choice of changes"})
            for part in check_chips("selection", views(run, others), None)
        )


def _keys_of_proposed(run: RunState) -> tuple[CheckKey, ...]:
    """Of exactly these bytes: as they were checked in the end or, of another's answer, when it was given."""
    proposed = run.changes.change_set_id
    found: dict[str, CheckKey] = {}
    for key in run.checks:
        if proposed is not None and key.change_set_id == proposed and (key.of == "final" or key.name not in found):
            found[key.name] = key
    return tuple(found[check.name] for check in run.spec.checks if check.name in found)


def _of_a_selection(run: RunState) -> tuple[CheckKey, ...]:
    """What was checked last in another form than was proposed."""
    proposed = {run.changes.change_set_id, *(key.change_set_id for key in final_keys(run))}
    keys = [key for key in run.checks if key.of == "final" and key.change_set_id not in proposed]
    return tuple(key for key in keys if key.change_set_id == keys[-1].change_set_id)


def _table(run: RunState, keys: Sequence[CheckKey], shown: Sequence[CheckView]) -> TablePart:
    labels = ("Check", "Result", "Passed", "Failed", "Skipped")
    columns = tuple(TableColumn(label=label, align="right" if label in labels[2:] else None) for label in labels)
    compared = {key.name: progress(run, key).compared for key in keys}
    rows: list[TableRow] = []
    for view in shown:
        words, tone = _label(view)
        flaky = compared[view.name]
        hint = f"Varies by itself: {', '.join(flaky.flaky)}" if flaky is not None and flaky.flaky else None
        counts = (view.tests.passed, view.tests.failed, view.tests.skipped) if view.tests is not None else ()
        cells = [TableCell(text=view.name), TableCell(text=words.removeprefix(f"{view.name} "), tone=tone, hint=hint)]
        cells += [TableCell(text=str(count)) for count in counts] or [TableCell(text="")] * 3
        rows.append(TableRow(cells=tuple(cells)))
    return TablePart(part="checks", title="Checks", data=TableData(columns=columns, rows=tuple(rows)))


def _failures(run: RunState, keys: Sequence[CheckKey]) -> Iterator[AnyPart]:
    found = [
        failure for key in keys if (result := progress(run, key).result) is not None for failure in result.failures
    ]
    for number, failure in enumerate(found[:_MOST_FAILURES], 1):
        yield failure_part(f"failure {number}", failure)
    if len(found) > _MOST_FAILURES:
        yield PlainPart(part="more failures", text=f"and {counted(len(found) - _MOST_FAILURES, 'more failure')}")


def failure_part(part: str, failure: CheckFailure) -> AnyPart:
    said = on_one_line(f"{failure.name}: {failure.message}" if failure.message else failure.name, 200)
    if failure.uri is None:
        return PlainPart(part=part, text=said)
    line = Position(line=max(0, (failure.line or 1) - 1), character=0)
    place = None if failure.line is None else Range(start=line, end=line)
    return LinkPart(part=part, text=said, data=LinkData(uri=failure.uri, range=place))


def check_action(run: RunState, run_id: RunId | None) -> Iterator[Action]:
    """Of all that is proposed, or of the hunks that are ticked."""
    if is_checked(run):
        ticked = InputField(path=("files",), kind="hunks", label="What to check")
        yield Action(
            label="Check again", command="teamwright.run.check", arguments={"runId": run_id}, key="t", input=(ticked,)
        )


# Problems: failing places, shown where they are


# Of which runs they are shown at the moment, and on what.
ShownProblems = set[tuple[RunId, CheckSubject]]


def problems_of(run: RunState, of: CheckSubject) -> tuple[CheckProblem, ...]:
    """Where the checks of an answer, of the workspace without any or of what is proposed fail."""
    whose, keys = _about(run, of)
    results = ((key.name, progress(run, key).result) for key in keys)
    return tuple(
        CheckProblem(check=name, source=f"{name} ({whose})", failure=failure)
        for name, result in results
        if result is not None
        for failure in result.failures
        if failure.uri is not None
    )


def _about(run: RunState, of: CheckSubject) -> tuple[str, tuple[CheckKey, ...]]:
    match of:
        case "base":
            return "without any change", base_keys(run)
        case "final":
            return "with what is proposed", _keys_of_proposed(run)
        case _:
            answer = next((each for each in run.answers if each.answer_id == of.answer_id), None)
            return ("", ()) if answer is None else (f"with {answer.agent_id}'s answer", keys_of_answer(run, answer))


def problem_actions(run: RunState, of: CheckSubject, shown: ShownProblems, part: str | None = None) -> Iterator[Action]:
    is_shown = (run.run_id, of) in shown
    if is_shown or problems_of(run, of):
        told: dict[str, object] = {"runId": run.run_id, "of": of if isinstance(of, str) else of.to_wire()}
        yield Action(
            label="Clear the problems" if is_shown else "Show the failures as problems",
            command="teamwright.run.problems",
            arguments={**told, "shown": not is_shown},
            part=part,
            key="p" if part is None else None,
        )


class CheckSubjectEntry(Subject):
    """A check at work, with what it prints; then how it ended."""

    def __init__(
        self, entry_id: EntryId, origin: Origin, name: str, of: str, actions: Callable[[], Iterator[Action]]
    ) -> None:
        super().__init__(entry_id, origin)
        self._name = name
        self._of = of
        self._actions = actions
        self.output = ""
        self.finished: CheckFinished | None = None

    def print(self, text: str) -> None:
        self.output = (self.output + text)[-_LONGEST_LIVE:]

    def draw(self) -> Entry:
        finished = self.finished
        if finished is None:
            words, state = "running", "running"
        else:
            view = CheckView(name=self._name, outcome=finished.outcome, tests=finished.tests)
            words, tone = _label(view)
            words, state = words.removeprefix(f"{self._name} "), "done" if tone == "ok" else "failed"
        return Entry(
            entry_id=self.entry_id,
            kind="activity",
            title=on_one_line(f"{self._name} on {self._of}: {words}"),
            parts=tuple(self._parts()),
            actions=tuple(self._actions()) if state == "failed" else (),
            state=state,
            **self.origin.fields(),
        )

    def _parts(self) -> Iterator[AnyPart]:
        if self.finished is not None:
            for number, failure in enumerate(self.finished.failures[:_MOST_FAILURES], 1):
                yield failure_part(f"failure {number}", failure)
        text = self.output if self.finished is None else self.finished.output
        if text:
            output = StreamedText(text)
            folded = None if self.finished is None else True
            cut = output.is_cut or None
            yield CodePart(part="output", title="Output", text=output.text, folded=folded, truncated=cut)
