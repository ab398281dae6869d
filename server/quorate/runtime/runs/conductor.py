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
from quorate.engine.decide import decide
from quorate.engine.reduce import reduce
from quorate.engine.state import RunState
from quorate.protocol.events import (
    BudgetReached,
    ChangesProposed,
    ChangesSettled,
    NoticeRaised,
    PlanProposed,
    RunFinished,
    TimerElapsed,
    WinnerSelected,
)
from quorate.protocol.ids import AgentId
from quorate.protocol.records import EventRecord
from quorate.runtime.agents.loop import AgentLoop
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import now
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.runs.hands import Hands
from quorate.runtime.runs.questions import Questions
from quorate.runtime.runs.team_at_work import TeamAtWork
from quorate.runtime.runs.timers import Timers

# What reaches beyond the log.
Outside = ProposePlan | ExecutePlan | CancelExecution | ProposeChanges | SettleChanges | FinishRun
Loops = Callable[["Conductor"], Mapping[AgentId, AgentLoop]]


class Conductor:
    """One run. `state` is current whenever no fact is on its way to the disk."""

    def __init__(
        self,
        state: RunState,
        *,
        journal: Journal,
        scope: Scope,
        decisions: Decisions,
        hands: Hands,
        tasks: TaskGroup,
        loops: Loops,
    ) -> None:
        self.state = state
        self.journal = journal
        self.scope = scope
        self._hands = hands
        self._tasks = tasks
        self._news = anyio.Event()
        self._timers = Timers(tasks, self._elapsed)
        self._questions = Questions(decisions, scope, tasks)
        self._team = TeamAtWork(loops(self), journal, scope, tasks, stopped=self._wake)

    def _wake(self) -> None:
        self._news.set()

    def fold(self, record: EventRecord) -> None:
        advanced = reduce(self.state, record)
        if isinstance(advanced, RunState) and advanced is not self.state:
            self.state = advanced
            self._news.set()

    async def conduct(self) -> RunState:
        self.journal.fold_into(self.fold)
        try:
            while self.state.finished is None:
                self._news = anyio.Event()
                wanted = decide(self.state)
                self._timers.keep(command for command in wanted if isinstance(command, ArmTimer))
                for command in wanted:
                    if isinstance(command, Deliberate | Present):
                        self._team.want(command)
                if (step := next((command for command in wanted if self._is_due(command)), None)) is not None:
                    await self._perform(step)
                else:
                    await self._news.wait()
        finally:
            self._timers.keep(())
            self.journal.stop_folding(self.fold)
        return self.state

    async def note_spending(self) -> None:
        limit = budget_limit(self.state)
        if limit is None or self.state.budget.reached is not None:
            return
        spent = spent_by(self.state, now(), self._team.spending)
        if is_met(limit, spent):
            await self.journal.append(BudgetReached(spent=spent), self.scope)

    def _is_due(self, command: Command) -> bool:
        match command:
            case Deliberate() | Present() | ArmTimer():
                return False
            case StopAgent():
                return not self._team.is_stopping(command)
            case _:
                return True

    async def _perform(self, command: Command) -> None:
        """Each of these ends in a fact, after which the state wants it no more."""
        match command:
            case StopAgent():
                await self._team.stop(command)
            case RequestDecision():
                await self._questions.ask(command)
            case WithdrawDecision(decision_id):
                await self._questions.withdraw(decision_id)
            case SelectWinner(agent_id, tally, by):
                winner = WinnerSelected(agent_id=agent_id, tally=dict(tally), by=by)
                await self.journal.append(winner, self.scope.of_agent(agent_id))
            case StartRun() | Deliberate() | Present() | ArmTimer():
                raise RuntimeError(f"{type(command).__name__} is not a step of a run under way")
            case _:
                await self._perform_outside(command)

    async def _perform_outside(self, command: Outside) -> None:
        match command:
            case ProposePlan(plan):
                path = await self._hands.save_plan(plan)
                await self.journal.append(PlanProposed(plan=plan, path=path), self.scope)
            case ExecutePlan(spec):
                await self._hands.execute(spec, self.state.run_id)
            case CancelExecution(run_id):
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

    async def _propose(self, agent_id: AgentId) -> None:
        changes = await self._hands.changes_of(agent_id)
        fact = ChangesProposed(changes=changes) if changes else ChangesSettled(settled=())
        await self.journal.append(fact, self.scope.of_agent(agent_id))

    async def _finish(self, command: FinishRun) -> None:
        written = tuple(self._hands.shown_path(uri) for uri in command.applied)
        if command.notice is not None:
            self.journal.announce(NoticeRaised(level="warning", text=command.notice), self.scope)
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
        await self.journal.append(finished, self.scope)

    async def _elapsed(self, timer: ArmTimer) -> None:
        scope = self.scope if timer.agent_id is None else self.scope.of_agent(timer.agent_id)
        await self.journal.append(TimerElapsed(timer=timer.timer, attempt=timer.attempt), scope)
