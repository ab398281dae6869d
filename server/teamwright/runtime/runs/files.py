"""The files of one run, in the state directory: its agents' scratch folders and answers, its plan, its change set."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from teamwright.engine.run.answers import alias
from teamwright.engine.run.planning import plan_as_text
from teamwright.permissions.paths import render_path
from teamwright.protocol.changes import Change, FileChoice, SettledFile
from teamwright.protocol.errors import Conflict, NotFound, UserError
from teamwright.protocol.ids import AgentId, RunId, SessionId
from teamwright.protocol.plans import Plan
from teamwright.protocol.runs import ResolvedRunSpec
from teamwright.runtime.runs.candidates import RunCandidates, uri_of
from teamwright.store.directories import make_private_directory
from teamwright.workspace.changes.applications import ChangeApplication
from teamwright.workspace.changes.applying import Applier
from teamwright.workspace.changes.change_ledger import ChangeLedger, ChangeState
from teamwright.workspace.changes.change_sets import FileChange, check_hunks, propose, to_wire
from teamwright.workspace.changes.guarding import ChangeGuard
from teamwright.workspace.changes.operations import ChangeOperation, Rejection, Reversal
from teamwright.workspace.copies.cleaning import own_copies
from teamwright.workspace.copies.scratch import AgentFiles
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.safe_files import Root

_PLAN = "plan.md"
# What a person may still come back to: a conflict can be resolved by hand, and the rest be applied.
_LEFT: tuple[ChangeState, ...] = ("proposed", "conflicted")


_RUNS = "runs"


def run_directory(state_path: Path, run_id: RunId) -> Path:
    if not RunId.admits(run_id):
        raise NotFound(f"There is no run {run_id}.")
    return state_path / _RUNS / run_id


def remove_directories(state_path: Path, runs: Iterable[RunId]) -> None:
    """As far as it goes: what somebody holds open stays behind, and nobody misses it."""
    for run_id in runs:
        if RunId.admits(run_id):
            with suppress(UserError):
                Root(state_path).remove_tree((_RUNS, run_id))


def copies_directory(directory: Path) -> Path:
    """Where the working copies of a run lie, by the run's directory. They end with the run."""
    return own_copies(directory.parent.parent) / directory.name


@dataclass(frozen=True, slots=True)
class Proposal:
    changes: tuple[Change, ...]
    # What was typed meanwhile is in it: these are not the bytes that were checked.
    is_merged: bool


class RunFiles:
    def __init__(self, directory: Path, owner: SessionId, live: LiveFiles, spec: ResolvedRunSpec) -> None:
        """The folders stay those that are open now."""
        self.directory = directory
        self._owner = owner
        self.live = live.pinned()
        # What agents see: text that is typed while they work is merged in when they propose their changes.
        self._shown = self.live.as_of_now()
        self._spec = spec
        self.candidates = RunCandidates(directory, self.live, spec.checks)
        self._agents: dict[AgentId, AgentFiles] = {}

    def open(self, agents: Sequence[AgentId]) -> None:
        """Blocks on the disk."""
        copies = copies_directory(self.directory)
        for agent_id in agents:
            self._agents[agent_id] = AgentFiles(
                self.live, self.directory, alias(self._spec, agent_id), shown=self._shown, copies=copies
            )

    def of(self, agent_id: AgentId) -> AgentFiles:
        return self._agents[agent_id]

    async def keep_answer(self, agent_id: AgentId, label: str) -> tuple[str, ...]:
        files = self._agents[agent_id]
        if files.is_scratch_untouched and files.is_unchanged:
            return ()
        return tuple((await to_thread.run_sync(files.submit_answer, label)).files)

    async def left_out(self, agent_id: AgentId) -> tuple[str, ...]:
        """What the agent has written and no change of its answers holds: the project's ignore rules name it."""
        files = self._agents[agent_id]
        ignored = () if files.is_unchanged else await to_thread.run_sync(files.ignored)
        return tuple(render_path(path, self.live.folders.places) for path in ignored)

    async def save_plan(self, plan: Plan) -> str:
        def write() -> str:
            make_private_directory(self.directory)
            Root(self.directory, private=True).write((_PLAN,), plan_as_text(plan).encode())
            return str(self.directory / _PLAN)

        return await to_thread.run_sync(write)

    async def start(self, agent_id: AgentId, change_set_id: str | None, label: str | None = None) -> None:
        """The agent's copy becomes this, whole; `label` says whose answer it is, where it is a peer's."""
        files = self._agents[agent_id]
        if change_set_id is not None or not files.is_unchanged:
            wanted = await self.candidates.load(change_set_id)
            await to_thread.run_sync(files.adopt, wanted, label)

    async def propose(self, agent_id: AgentId, change_set_id: str | None) -> Proposal:
        """These bytes; without a name what the agent's copy holds."""
        wanted = await self.candidates.load(change_set_id)

        def record() -> Proposal:
            staged = wanted if change_set_id is not None else self._agents[agent_id].difference()
            changes = propose(self.live, staged)
            if changes:
                ChangeLedger(Root(self.directory, private=True), self._owner).record(changes, agent_id)
            texts = {self.live.uri(file.path): file.text for file in staged}
            return Proposal(
                tuple(to_wire(change, agent_id) for change in changes),
                is_merged=any(change.after != texts[change.uri] for change in changes),
            )

        return await to_thread.run_sync(record)

    def uri_of(self, path: str) -> str | None:
        """Of a file as tools name it; None where that is no file of the workspace."""
        return uri_of(path, self.live)

    def shown_path(self, uri: str) -> str:
        path = self.live.folders.locate(uri)
        return uri if path is None else render_path(path, self.live.folders.places)


class RunChanges:
    """Of any run, at work or long finished: all that is known of it lies in its directory."""

    def __init__(
        self, directory: Path, owner: SessionId, live: LiveFiles, applier: Applier, guard: ChangeGuard
    ) -> None:
        self._live = live
        self._applier = applier
        self._guard = guard
        self._directory = directory
        self._owner = owner

    async def change(self, uri: str) -> FileChange:
        return await to_thread.run_sync(lambda: self._kept().change(uri))

    async def check(self, files: Sequence[FileChoice]) -> None:
        """Raises for a choice that makes no sense, while it can still be mended."""
        check_hunks([(await self.change(file.uri), file.hunks) for file in files])

    async def decide(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        """By a person's decision: what is chosen is made, the rest is refused. The truth for every file."""
        await self._applier.carry_out(lambda: ChangeApplication(self._ledger(), self._live, self._guard, files))
        return await self.reject()

    async def decide_by_policy(self) -> tuple[SettledFile, ...]:
        """What no policy may write stays proposed, for a person to look at."""
        unasked = tuple(FileChoice(uri=change.uri) for change in self._guard.shown() if change.asks is None)
        await self._applier.carry_out(lambda: ChangeApplication(self._ledger(), self._live, self._guard, unasked))
        return await self.settled()

    async def settled(self) -> tuple[SettledFile, ...]:
        """The truth for every file about which something is settled."""
        return await to_thread.run_sync(lambda: self._kept().settled())

    async def left(self) -> tuple[str, ...]:
        """The files about which nothing is settled."""
        states = await to_thread.run_sync(lambda: self._kept().states())
        return tuple(uri for uri, state in states.items() if state == "proposed")

    async def reject(self) -> tuple[SettledFile, ...]:
        """Whatever is not settled yet. The truth for every file."""
        await self._applier.carry_out(lambda: Rejection(self._ledger(), reason="not chosen"))
        return await self.settled()

    async def apply(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        """What is chosen of what the run has left behind."""

        def operation(ledger: ChangeLedger) -> ChangeOperation:
            _require_left(ledger, files)
            return ChangeApplication(ledger, self._live, self._guard, files, left=_LEFT)

        return await self._carry_out(operation)

    async def discard(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        def operation(ledger: ChangeLedger) -> ChangeOperation:
            chosen = _require_left(ledger, files)
            return Rejection(ledger, chosen, reason="discarded", left=_LEFT)

        return await self._carry_out(operation)

    async def undo(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        """Of our own writes, all or these."""

        def operation(ledger: ChangeLedger) -> ChangeOperation:
            if not ledger.receipts():
                raise Conflict("Nothing that this run has written is left to undo.")
            chosen = None if files is None else [ledger.recorded(file.uri).uri for file in files]
            return Reversal(ledger, self._live, self._guard, chosen)

        return await self._carry_out(operation)

    async def _carry_out(self, operation: Callable[[ChangeLedger], ChangeOperation]) -> tuple[SettledFile, ...]:
        return await self._applier.carry_out(lambda: operation(self._ledger()))

    def _ledger(self) -> ChangeLedger:
        """With what a crash left in doubt decided by what the files read. Only for one operation at a time."""
        ledger = self._kept()
        ledger.recover(self._live.read_if_present)
        return ledger

    def _kept(self) -> ChangeLedger:
        return ChangeLedger(Root(self._directory, private=True), self._owner)


def _require_left(ledger: ChangeLedger, files: Sequence[FileChoice] | None) -> list[str] | None:
    """The URIs as they were proposed. Raises Conflict where everything is settled."""
    if files is None:
        if not ledger.changes(*_LEFT):
            raise Conflict("Nothing of this run's changes is left to decide about.")
        return None
    chosen = [ledger.recorded(file.uri) for file in files]
    for change in chosen:
        if change.state not in _LEFT:
            raise Conflict(f"The change to {change.uri} is settled: {change.state}.")
    return [change.uri for change in chosen]
