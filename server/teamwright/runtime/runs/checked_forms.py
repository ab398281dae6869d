"""A run's changes in the form that a person would apply, checked at their wish; and those of its other answers."""

from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from teamwright.engine.run.state import RunState
from teamwright.protocol.changes import FileChoice
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.errors import Conflict, NotFound
from teamwright.protocol.events import ChangesProposed, CheckCompared, CheckFinished, CheckStarted
from teamwright.protocol.ids import AnswerId, SessionId
from teamwright.runtime.checks.runner import CheckedTree, CheckRunner
from teamwright.runtime.runs.candidates import RunCandidates, uri_of
from teamwright.runtime.runs.checking import as_compared, as_fact
from teamwright.workspace.changes.change_ledger import ChangeLedger
from teamwright.workspace.changes.change_sets import FileChange, check_hunks, propose, to_wire, wanted
from teamwright.workspace.copies.candidates import Candidates
from teamwright.workspace.copies.staging import StagedFile
from teamwright.workspace.files.folders import STYLE, path_of_uri
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.safe_files import Root


@dataclass(frozen=True, slots=True)
class CheckedForm:
    change_set_id: str
    files: tuple[StagedFile, ...]
    checks: tuple[CheckDefinition, ...]


class CheckedForms:
    def __init__(self, directory: Path, owner: SessionId, live: LiveFiles, runner: CheckRunner) -> None:
        self._directory = directory
        self._owner = owner
        self._live = live
        self._runner = runner

    async def chosen(self, state: RunState, files: tuple[FileChoice, ...] | None) -> CheckedForm:
        """Raises Conflict where there is nothing to check, or nothing to check it with."""
        if not state.spec.checks:
            raise Conflict("This run has no checks; tick some on the card of the next one.")

        def form() -> CheckedForm:
            ledger = ChangeLedger(Root(self._directory, private=True), self._owner)
            choice = {change.uri: None for change in ledger.changes()}
            if files is not None:
                chosen = [(ledger.change(file.uri), file.hunks) for file in files]
                check_hunks(chosen)
                choice = {change.uri: hunks for change, hunks in chosen}
            changes = [(ledger.change(uri), hunks) for uri, hunks in choice.items()]
            staged = tuple(StagedFile(each.path, each.before, wanted(each, hunks)) for each, hunks in changes)
            staged = tuple(file for file in staged if file.base != file.text)
            if not staged:
                raise Conflict("Nothing is left to check: no change is chosen.")
            kept = Candidates(Root(self._directory, private=True)).keep(staged)
            return CheckedForm(kept, staged, state.spec.checks)

        return await to_thread.run_sync(form)

    def begun(self, form: CheckedForm) -> tuple[CheckStarted, ...]:
        names = (check.name for check in form.checks)
        return tuple(CheckStarted(of="final", name=name, change_set_id=form.change_set_id) for name in names)

    async def run(self, form: CheckedForm, check: CheckDefinition) -> tuple[CheckFinished, CheckCompared]:
        tree = CheckedTree(self._live.pinned(), form.change_set_id, form.files)
        finished = await self._runner.run(check, tree, anew=True)
        compared = await self._runner.compare(check, tree)
        name, form_id = check.name, form.change_set_id
        return as_fact("final", name, form_id, finished, self._uri_of), as_compared("final", name, form_id, compared)

    def _uri_of(self, path: str) -> str | None:
        return uri_of(path, self._live)

    async def change(self, state: RunState, answer_id: AnswerId, uri: str) -> FileChange:
        """Raises NotFound."""
        changes = await self._candidates.file_changes(_change_set(state, answer_id))
        wanted_path = path_of_uri(uri, STYLE)
        for change in changes:
            if change.uri == uri or (wanted_path is not None and path_of_uri(change.uri, STYLE) == wanted_path):
                return change
        raise NotFound(f"This answer changes nothing in {uri}.")

    async def propose(self, state: RunState, answer_id: AnswerId) -> ChangesProposed:
        """In place of what the run has proposed. Raises Conflict where something of that is applied."""
        name = _change_set(state, answer_id)
        author = next(answer.agent_id for answer in state.answers if answer.answer_id == answer_id)
        files = await self._candidates.load(name)

        def record() -> ChangesProposed:
            ledger = ChangeLedger(Root(self._directory, private=True), self._owner)
            if ledger.receipts():
                raise Conflict("Something of this run is applied already; undo it first, then apply the other answer.")
            changes = propose(self._live, files)
            ledger.record(changes, author)
            wire = tuple(to_wire(change, author) for change in changes)
            return ChangesProposed(changes=wire, change_set_id=name)

        return await to_thread.run_sync(record)

    @property
    def _candidates(self) -> RunCandidates:
        return RunCandidates(self._directory, self._live)


def _change_set(state: RunState, answer_id: AnswerId) -> str:
    answer = next((each for each in state.answers if each.answer_id == answer_id), None)
    if answer is None or answer.candidate is None:
        raise NotFound("There is no such answer of this run, or it changes no file.")
    return answer.candidate.change_set_id
