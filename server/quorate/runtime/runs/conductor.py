"""Keeps what runs equal to what the run's state wants, from its start to its last fact."""

from collections.abc import Callable, Mapping
from typing import assert_never

import anyio
from anyio.abc import TaskGroup

from quorate.engine.budget import budget_limit, is_met, spent_by
from quorate.engine.commands import (
    ArmTimer,
    CancelExecution,
    Command,
    Deliberate,
    ExecutePlan,
    FinishRun,
    Present,
    ProposeChanges,
    ProposePlan,
    RequestDecision,
    SelectWinner,
    SettleChanges,
    StartRun,
    StopAgent,
    WithdrawDecision,
)
from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.engine.state import RunState
from quorate.protocol.events import (
    AgentStopped,
    BudgetReached,
    ChangesProposed,
    ChangesSettled,
    DurableEvent,
    NoticeRaised,
    PlanProposed,
    RunFinished,
    TimerElapsed,
)
from quorate.protocol.ids import AgentId, RunId
from quorate.protocol.usage import Usage
from quorate.runtime.agents.loop import AgentLoop
from quorate.runtime.burst import BURST_SECONDS
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import now
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.runs.chronicle import Chronicle
from quorate.runtime.runs.hands import Hands
from quorate.runtime.runs.questions import Questions
from quorate.runtime.runs.submissions import winner_fact
from quorate.runtime.runs.team_at_work import TeamAtWork
from quorate.runtime.runs.timers import Timers
from quorate.runtime.session_budget import SessionBudget

# What reaches beyond the log.
Outside = ProposePlan | ExecutePlan | CancelExecution | ProposeChanges | SettleChanges | FinishRun
Loops = Callable[["Conductor"], Mapping[AgentId, AgentLoop]]


class Conductor:
    """`tasks` holds all that the run has at work, and nothing else: who cancels it has stopped the run."""

    def __init__(
        self,
        chronicle: Chronicle,
        *,
        journal: Journal,
        scope: Scope,
        decisions: Decisions,
        hands: Hands,
        tasks: TaskGroup,
        loops: Loops,
        budget: SessionBudget,
    ) -> None:
        self.chronicle = chronicle
        self.journal = journal
        self.scope = scope
        self._decisions = decisions
        self._hands = hands
        self._tasks = tasks
        self._session_budget = budget
        self._timers = Timers(tasks, self._elapsed)
        self._questions = Questions(decisions, tasks)
        self._team = TeamAtWork(loops(self), journal, scope, tasks, stopped=chronicle.ring)
        self._told_to_stop: set[RunId] = set()
        self._has_notes = anyio.Event()

    @property
    def spending(self) -> Mapping[AgentId, Spending]:
        return self._not_counted_by(self.chronicle.state)

    def _not_counted_by(self, state: RunState) -> Mapping[AgentId, Spending]:
        """What attempts have used that have not stopped yet, as far as a state knows: it counts the others itself."""
        at_work = self._team.spending.items()
        return {agent: spent for agent, spent in at_work if state.agents[agent].attempt is not None}

    async def conduct(self) -> None:
        self._tasks.start_soon(self._write_notes)
        while self.chronicle.state.finished is None:
            wanted = self.chronicle.wanted
            self._timers.keep(command for command in wanted if isinstance(command, ArmTimer))
            self._team.want(command for command in wanted if isinstance(command, Deliberate | Present))
            step = next((command for command in wanted if self._is_due(command)), None)
            if step is None:
                await self.chronicle.next_fact()
            else:
                await self._perform(step)

    def note(self, event: DurableEvent, scope: Scope) -> None:
        """On its way into the log, ahead of whatever follows; where nothing does, a little later."""
        self.journal.note(event, scope)
        self._has_notes.set()

    async def _write_notes(self) -> None:
        while True:
            await self._has_notes.wait()
            await anyio.sleep(BURST_SECONDS)
            self._has_notes = anyio.Event()
            await self.journal.write_noted()

    async def note_spending(self) -> None:
        self.chronicle.changed()
        if self.chronicle.state.spec.budget is None and self._session_budget.limit is None:
            return
        async with self.journal.undisturbed() as append:
            if (reached := self.reached_budget(self.chronicle.state)) is not None:
                await append(reached, self.scope)

    def reached_budget(self, state: RunState) -> BudgetReached | None:
        """Also while it is asked about: calls that were under way then belong to what is asked about."""
        limit, asked_about = budget_limit(state), state.budget.reached
        if limit is not None and (asked_about is None or asked_about.of == "run"):
            spent = spent_by(state, now(), sum(self._not_counted_by(state).values(), NOTHING_SPENT))
            if is_met(limit, spent):
                return BudgetReached(spent=spent)
        if asked_about is None or asked_about.of == "session":
            return self._session_budget.reached_by_run()
        return None

    def _is_due(self, command: Command) -> bool:
        match command:
            case Deliberate() | Present() | ArmTimer():
                return False
            case StopAgent():
                return not self._team.is_stopping(command)
            case CancelExecution(run_id):
                return run_id not in self._told_to_stop
            case _:
                return True

    async def _perform(self, command: Command) -> None:
        """Each of these ends in a fact, after which the state wants it no more."""
        match command:
            case StopAgent():
                await self._stop(command)
            case RequestDecision():
                await self._ask(command)
            case WithdrawDecision(decision_id):
                await self._decisions.resolve_unless_answered(decision_id, by="cancelled")
            case SelectWinner(agent_id):
                await self._record(command, winner_fact(command), agent_id=agent_id)
            case StartRun() | Deliberate() | Present() | ArmTimer():
                raise RuntimeError(f"{type(command).__name__} is not a step of a run under way")
            case _:
                await self._perform_outside(command)

    async def _perform_outside(self, command: Outside) -> None:
        match command:
            case ProposePlan(plan):
                path = await self._hands.save_plan(plan)
                await self._record(command, PlanProposed(plan=plan, path=path))
            case ExecutePlan(spec):
                await self._hands.execute(spec, self.chronicle.run_id)
            case CancelExecution(run_id):
                self._told_to_stop.add(run_id)
                await self._hands.cancel_execution(run_id)
            case ProposeChanges(agent_id):
                await self._propose(agent_id)
            case SettleChanges(approved, files):
                settled = await self._hands.apply(files) if approved else await self._hands.reject()
                await self.journal.append(ChangesSettled(settled=settled), self.scope)
            case FinishRun():
                await self._finish(command)
            case _:
                assert_never(command)

    async def _record(
        self, command: Command, event: DurableEvent, *with_it: DurableEvent, agent_id: AgentId | None = None
    ) -> bool:
        """What follows from a state is a fact only if the state still stands when its turn comes."""
        scope = self.scope if agent_id is None else self.scope.of_agent(agent_id)
        async with self.journal.undisturbed() as append:
            if command not in self.chronicle.wanted:
                return False
            await append(event, scope, *with_it)
            return True

    async def _stop(self, command: StopAgent) -> None:
        if not self._team.stop(command):
            # Only the log knows of that attempt: the process in which it was under way is gone.
            stopped = AgentStopped(attempt=command.attempt, reason=command.reason, usage=Usage())
            await self._record(command, stopped, agent_id=command.agent_id)

    async def _ask(self, command: RequestDecision) -> None:
        question = self._questions.worded(command)
        if await self._record(command, question.requested, *question.by_policy):
            self._questions.watch(question)

    async def _propose(self, agent_id: AgentId) -> None:
        changes = await self._hands.changes_of(agent_id)
        fact = ChangesProposed(changes=changes) if changes else ChangesSettled(settled=())
        await self.journal.append(fact, self.scope.of_agent(agent_id))

    async def _finish(self, command: FinishRun) -> None:
        written = tuple(self._hands.shown_path(uri) for uri in command.applied)
        footer = await self._hands.file_away(command, written)
        finished = RunFinished(
            outcome=command.outcome,
            result=command.result,
            footer=footer,
            written=written,
            usage=command.spending.usage,
            cost_usd=command.spending.cost_usd,
            error=command.error,
        )
        if await self._record(command, finished) and command.notice is not None:
            self.journal.announce(NoticeRaised(level="warning", text=command.notice), self.scope)

    async def _elapsed(self, timer: ArmTimer) -> None:
        await self._record(timer, TimerElapsed(timer=timer.timer, attempt=timer.attempt), agent_id=timer.agent_id)
