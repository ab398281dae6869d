"""What a run needs done outside of its log: our own files, changes to the user's, the execution of a plan."""

from typing import Protocol

from quorate.engine.commands import FinishRun
from quorate.protocol.changes import Change, FileChoice, SettledFile
from quorate.protocol.ids import AgentId, RunId
from quorate.protocol.plans import Plan
from quorate.protocol.runs import ResolvedRunSpec


class Hands(Protocol):
    async def save_plan(self, plan: Plan) -> str:
        """Where a person finds it."""
        ...

    async def changes_of(self, agent_id: AgentId) -> tuple[Change, ...]:
        """What the agent has staged, against what the editor shows now."""
        ...

    async def apply(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        """All of the change set, or only these; the truth for every file of it."""
        ...

    async def reject(self) -> tuple[SettledFile, ...]: ...

    def shown_path(self, uri: str) -> str:
        """How the user calls a file."""
        ...

    async def execute(self, spec: ResolvedRunSpec, parent: RunId) -> None:
        """Starts a run whose approval is given; returns once it has started."""
        ...

    async def cancel_execution(self, run_id: RunId) -> None: ...

    async def file_away(self, finished: FinishRun, written: tuple[str, ...]) -> str | None:
        """Writes the run's own files; the footer for its result, if there is anything to say."""
        ...
