"""One run of a session, from its admission to its last fact."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import anyio

from quorate.engine.commands import FinishRun, StartRun
from quorate.engine.override import can_override
from quorate.engine.spending import Spending
from quorate.engine.state import QueuedRun, Run, RunState
from quorate.engine.steering import steerable
from quorate.engine.view import view
from quorate.protocol.changes import Change, FileChoice, SettledFile
from quorate.protocol.errors import BadParams, Conflict, FieldError, NotFound, UserError
from quorate.protocol.events import CancelRequested, ChangesSettled, MessageShared, NoticeRaised
from quorate.protocol.ids import AgentId, DecisionId, RunId
from quorate.protocol.plans import Plan
from quorate.protocol.runs import ResolvedRunSpec
from quorate.protocol.views import RunView
from quorate.runtime.agents.loop import AgentLoop
from quorate.runtime.decisions import Decisions
from quorate.runtime.house import House
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.projects.keeping import SessionProject
from quorate.runtime.runs.admission import Admission
from quorate.runtime.runs.chronicle import Chronicle
from quorate.runtime.runs.conductor import Conductor
from quorate.runtime.runs.directories import run_directory
from quorate.runtime.runs.failing import RunFailure
from quorate.runtime.runs.filing import Filing
from quorate.runtime.runs.interrupted import is_interrupted
from quorate.runtime.runs.members import Members
from quorate.runtime.runs.rooms import AgentRoom
from quorate.runtime.runs.run_changes import RunChanges
from quorate.runtime.runs.run_files import RunFiles
from quorate.runtime.runs.view_feed import ViewFeed
from quorate.runtime.session_budget import SessionBudget

log = logging.getLogger(__name__)

# Start another run of the session whose approval is given, as a child of this one.
Execute = Callable[[ResolvedRunSpec, RunId], Awaitable[None]]
Start = Callable[[StartRun], Awaitable[None]]


class ActiveRun:
    def __init__(
        self,
        house: House,
        journal: Journal,
        decisions: Decisions,
        *,
        run_id: RunId,
        runs: Mapping[RunId, Run],
        scope: Scope,
        start: Start,
        execute: Execute,
        cancel_run: Callable[[RunId], Awaitable[None]],
        history: str,
        project: SessionProject,
        budget: SessionBudget,
    ) -> None:
        self.run_id = run_id
        self._house = house
        self._journal = journal
        self._decisions = decisions
        self.scope = scope
        self._start = start
        self._execute = execute
        self._cancel_run = cancel_run
        self._history = history
        self._budget = budget
        self._files: RunFiles | None = None
        self.changes = RunChanges(house, run_directory(house.state_path, run_id))
        self._feed = ViewFeed(journal, scope, self.view, self._is_over)
        self._chronicle = Chronicle(run_id, runs, changed=self._feed.changed)
        # Set once it has come to its last fact, or can come to none.
        self.finished = anyio.Event()
        self._at_work: Callable[[], Mapping[AgentId, Spending]] = dict[AgentId, Spending]
        journal.fold_into(self._chronicle.fold)
        self._filing = Filing(journal.session_id, run_id, project, self._notify)
        journal.fold_into(self._filing.fold)

    @property
    def run(self) -> Run | None:
        return self._chronicle.run

    def view(self) -> RunView:
        if self.run is None:
            raise NotFound(f"The run {self.run_id} has not begun.")
        return view(self.run, self._at_work())

    @property
    def is_interrupted(self) -> bool:
        return self.run is not None and is_interrupted(self.run)

    def _is_over(self) -> bool:
        return self.run is not None and self.run.finished is not None

    def retire(self) -> None:
        """It is over, and only looked at from now on."""
        self._journal.stop_folding(self._chronicle.fold)
        self._journal.stop_folding(self._filing.fold)
        self._feed.close()
        self.finished.set()

    async def go(self) -> None:
        """To its end, wherever it stands now. Never raises: a run that fails ends neither its session nor the house."""
        try:
            if isinstance(self.run, QueuedRun):
                await Admission(self._chronicle, self._journal, self.scope, self._decisions, self._start).outcome()
            if isinstance(self.run, RunState) and self.run.finished is None:
                await self._conduct(self.run)
        except Exception as fault:
            failure = RunFailure(fault)
            if failure.is_ours:
                log.exception("The run %s failed", self.run_id)
            await failure.record(self.run, self._journal, self.scope, self._decisions)
        finally:
            with suppress(UserError):
                # Whoever wrote the fact before has heard that the disk takes nothing.
                await self._journal.write_noted()
            self.retire()

    async def cancel(self) -> bool:
        async with self._journal.undisturbed() as append:
            run = self.run
            if run is None or run.finished is not None:
                return False
            if not run.cancel_requested:
                await append(CancelRequested(), self.scope)
            return True

    def check_steering(self, agents: tuple[AgentId, ...] | None) -> None:
        """Raises Conflict where nobody is at work who could hear it, BadParams for an agent who is not of the run."""
        if not isinstance(self.run, RunState):
            raise Conflict("The run has not started yet: say it in its approval.")
        if self.run.finished is not None:
            raise Conflict("The run is over: say it in the chat, or launch another.")
        if strangers := [agent for agent in agents or () if agent not in self.run.spec.agents]:
            known = ", ".join(self.run.spec.agents)
            raise BadParams([FieldError(path="agents", message=f"{', '.join(strangers)} is not in this run ({known})")])

    async def steer(self, text: str, agents: tuple[AgentId, ...] | None) -> tuple[AgentId, ...]:
        async with self._journal.undisturbed() as append:
            reached = steerable(self.run, agents) if isinstance(self.run, RunState) else ()
            if reached:
                await append(MessageShared(sender="user", to=reached, text=text), self.scope)
            return reached

    async def override(self, agent_id: AgentId | None) -> None:
        if not isinstance(self.run, RunState):
            raise Conflict("The run has not started yet.")
        if (refusal := can_override(self.run, agent_id)) is not None:
            decided = self._decisions.latest("override", self.scope)
            if isinstance(refusal, Conflict) and decided is not None:
                raise Conflict(refusal.message, {"decision": decided.to_wire()})
            raise refusal
        window = next(key for key, pending in self.run.pending.items() if pending.kind == "override")
        lets_vote_stand = self.run.winner is not None and agent_id in {None, self.run.winner.agent_id}
        choice = "cancel" if lets_vote_stand or agent_id is None else agent_id
        await self._decisions.resolve(DecisionId(window), choice, by="user")

    async def tell_settled(self, settled: tuple[SettledFile, ...]) -> None:
        """What a person has done about its changes after it was over."""
        await self._journal.append(ChangesSettled(settled=settled), self.scope)

    async def _conduct(self, run: RunState) -> None:
        house = self._house.as_it_stands()
        files = self._files = RunFiles(house, self.run_id, run.spec)
        members = await Members.gather(
            house, run.spec, files, self._notify, history=self._history, autonomy=run.autonomy
        )

        def loops(conductor: Conductor) -> dict[AgentId, AgentLoop]:
            room = AgentRoom(conductor, files, self._decisions)
            return {member.agent_id: AgentLoop(room, member) for member in members}

        async with anyio.create_task_group() as tasks:
            conductor = Conductor(
                self._chronicle,
                journal=self._journal,
                scope=self.scope,
                decisions=self._decisions,
                hands=self,
                tasks=tasks,
                loops=loops,
                budget=self._budget,
            )
            self._at_work = lambda: conductor.spending
            await conductor.conduct()
            tasks.cancel_scope.cancel()

    def _notify(self, problem: str) -> None:
        self._journal.announce(NoticeRaised(level="warning", text=problem), self.scope)

    # What the conductor needs done outside of the log.

    @property
    def _own_files(self) -> RunFiles:
        if self._files is None:
            raise RuntimeError("a run's files are opened when it starts")
        return self._files

    async def save_plan(self, plan: Plan) -> str:
        return await self._own_files.save_plan(plan)

    async def changes_of(self, agent_id: AgentId) -> tuple[Change, ...]:
        return await self._own_files.propose(agent_id)

    async def apply(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        return await self.changes.decide(files)

    async def reject(self) -> tuple[SettledFile, ...]:
        return await self.changes.reject()

    def shown_path(self, uri: str) -> str:
        return self._own_files.shown_path(uri)

    async def execute(self, spec: ResolvedRunSpec, parent: RunId) -> None:
        await self._execute(spec, parent)

    async def cancel_execution(self, run_id: RunId) -> None:
        await self._cancel_run(run_id)

    async def file_away(self, finished: FinishRun, written: tuple[str, ...]) -> str | None:
        return await self._filing.file_away(self._chronicle.state, finished, written, self._own_files)
