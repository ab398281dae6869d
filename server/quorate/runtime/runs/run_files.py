"""The files of one run, in the state directory: its agents' scratch folders and answers, its plan, its change set."""

from collections.abc import Sequence
from pathlib import Path

from anyio import to_thread

from quorate.engine.labels import alias
from quorate.engine.plans import plan_as_text
from quorate.permissions.paths import WorkspacePath, parse_path, render_path
from quorate.protocol.changes import Change
from quorate.protocol.ids import AgentId, RunId
from quorate.protocol.plans import Plan
from quorate.protocol.runs import ResolvedRunSpec
from quorate.runtime.house import House
from quorate.runtime.runs.directories import run_directory
from quorate.runtime.runs.run_changes import RunChanges
from quorate.workspace.change_sets import propose, to_wire
from quorate.workspace.safe_files import Root
from quorate.workspace.scratch import AgentFiles

_PLAN = "plan.md"


class RunFiles:
    def __init__(self, house: House, run_id: RunId, spec: ResolvedRunSpec) -> None:
        self.directory: Path = run_directory(house.state_path, run_id)
        self._live = house.live.pinned()
        self._spec = spec
        self._changes = RunChanges(house, self.directory)
        self._agents: dict[AgentId, AgentFiles] = {}

    def open(self, agents: Sequence[AgentId]) -> None:
        """Blocks on the disk."""
        for agent_id in agents:
            self._agents[agent_id] = AgentFiles(self._live, self.directory, alias(self._spec, agent_id))

    def of(self, agent_id: AgentId) -> AgentFiles:
        return self._agents[agent_id]

    async def keep_answer(self, agent_id: AgentId, label: str) -> tuple[str, ...]:
        files = self._agents[agent_id]
        if files.is_scratch_untouched:
            return ()
        return tuple((await to_thread.run_sync(files.submit_answer, label)).files)

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
                self._changes.record(changes, agent_id)
            return tuple(to_wire(change, agent_id) for change in changes)

        return await to_thread.run_sync(record)

    def uri_of(self, path: str) -> str | None:
        """Of a file as tools name it; None where that is no file of the workspace."""
        parsed = parse_path(path, self._live.folders.places)
        return self._live.uri(parsed) if isinstance(parsed, WorkspacePath) else None

    def shown_path(self, uri: str) -> str:
        path = self._live.folders.locate(uri)
        return uri if path is None else render_path(path, self._live.folders.places)
