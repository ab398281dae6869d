"""The files of one run, in the state directory: its agents' scratch folders and answers, its plan, its change set."""

from collections.abc import Sequence
from pathlib import Path

from anyio import to_thread

from quorate.engine.labels import alias
from quorate.engine.plans import plan_as_text
from quorate.permissions.paths import WorkspacePath, parse_path, render_path
from quorate.protocol.changes import Change, FileChoice, SettledFile
from quorate.protocol.ids import AgentId, RunId
from quorate.protocol.plans import Plan
from quorate.protocol.runs import ResolvedRunSpec
from quorate.runtime.house import House
from quorate.workspace.change_ledger import ChangeLedger
from quorate.workspace.change_sets import propose, to_wire
from quorate.workspace.disk_changes import apply_to_disk
from quorate.workspace.safe_files import Root
from quorate.workspace.scratch import AgentFiles

_PLAN = "plan.md"


def run_directory(state_path: Path, run_id: RunId) -> Path:
    return state_path / "runs" / run_id


class RunFiles:
    def __init__(self, house: House, run_id: RunId, spec: ResolvedRunSpec) -> None:
        self.directory: Path = run_directory(house.state_path, run_id)
        self._house = house
        self._spec = spec
        self._agents: dict[AgentId, AgentFiles] = {}

    def open(self, agents: Sequence[AgentId]) -> None:
        """Blocks on the disk."""
        for agent_id in agents:
            self._agents[agent_id] = AgentFiles(self._house.live, self.directory, alias(self._spec, agent_id))

    def of(self, agent_id: AgentId) -> AgentFiles:
        return self._agents[agent_id]

    async def keep_answer(self, agent_id: AgentId, label: str) -> tuple[str, ...]:
        kept = await to_thread.run_sync(self._agents[agent_id].submit_answer, label)
        return tuple(kept.files)

    async def save_plan(self, plan: Plan) -> str:
        def write() -> str:
            self.directory.mkdir(parents=True, exist_ok=True)
            Root(self.directory).write((_PLAN,), plan_as_text(plan).encode())
            return str(self.directory / _PLAN)

        return await to_thread.run_sync(write)

    async def propose(self, agent_id: AgentId) -> tuple[Change, ...]:
        def record() -> tuple[Change, ...]:
            changes = propose(self._agents[agent_id])
            if changes:
                self._ledger().record(changes, agent_id)
            return tuple(to_wire(change, agent_id) for change in changes)

        return await to_thread.run_sync(record)

    async def apply(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        """What is chosen is written; what is not chosen is settled as rejected."""

        def settle() -> tuple[SettledFile, ...]:
            ledger = self._ledger()
            settled = apply_to_disk(ledger, self._house.live, files)
            return (*settled, *_reject(ledger))

        return await to_thread.run_sync(settle)

    async def reject(self) -> tuple[SettledFile, ...]:
        return await to_thread.run_sync(lambda: _reject(self._ledger()))

    def uri_of(self, path: str) -> str | None:
        """Of a file as tools name it; None where that is no file of the workspace."""
        folders = self._house.premises.folders
        parsed = parse_path(path, folders.places)
        return self._house.live.uri(parsed) if isinstance(parsed, WorkspacePath) else None

    def shown_path(self, uri: str) -> str:
        path = self._house.premises.folders.locate(uri)
        return uri if path is None else render_path(path, self._house.premises.folders.places)

    def _ledger(self) -> ChangeLedger:
        return ChangeLedger(Root(self.directory))


def _reject(ledger: ChangeLedger) -> tuple[SettledFile, ...]:
    rejected = tuple(
        SettledFile(uri=change.uri, outcome="rejected", reason="not chosen") for change in ledger.changes("proposed")
    )
    for each in rejected:
        ledger.settle(each)
    return rejected
