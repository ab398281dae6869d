"""Keeps what runs equal to what the run's state wants, from its start to its last fact."""

from collections.abc import Iterable, Mapping
from typing import assert_never

import anyio
from anyio.abc import TaskGroup

from teamwright.engine.run.commands import (
    ArmTimer,
    CancelExecution,
    Command,
    CompareCheck,
    Deliberate,
    ExecutePlan,
    FinishRun,
    Present,
    ProposeChanges,
    ProposePlan,
    RequestDecision,
    RunCheck,
    SelectWinner,
    SettleChanges,
    StartRun,
    StopAgent,
    WithdrawDecision,
)
from teamwright.protocol.checks import CheckSubject
from teamwright.protocol.events import AgentStopped, NoticeRaised, TimerElapsed, TimerName
from teamwright.protocol.ids import AgentId, DecisionId, RunId
from teamwright.protocol.usage import Usage
from teamwright.runtime.identity import now
from teamwright.runtime.runs.agents.worker import AgentWorker
from teamwright.runtime.runs.checking import RunChecking
from teamwright.runtime.runs.effects import Outside, RunEffects
from teamwright.runtime.runs.questions import asked, worded
from teamwright.runtime.runs.run_log import RunLog
from teamwright.runtime.sessions.decisions import Decisions

_TimerKey = tuple[TimerName, AgentId | None, int | None, CheckSubject | None]


class Conductor:
    """`tasks` holds all that the run has at work, and nothing else: who cancels it has stopped the run."""

    def __init__(
        self,
        log: RunLog,
        decisions: Decisions,
        effects: RunEffects,
        workers: Mapping[AgentId, AgentWorker],
        tasks: TaskGroup,
        *,
        checking: RunChecking,
    ) -> None:
        self._log = log
        self._decisions = decisions
        self._effects = effects
        self._workers = workers
        self._checking = checking
        self._tasks = tasks
        self._timers: dict[_TimerKey, tuple[ArmTimer, anyio.CancelScope]] = {}
        self._told_to_stop: set[RunId] = set()

    async def conduct(self) -> None:
        for worker in self._workers.values():
            self._tasks.start_soon(worker.work)
        while self._log.state.finished is None:
            if await self._log.follow():
                continue
            wanted = self._log.wanted
            self._keep_timers(command for command in wanted if isinstance(command, ArmTimer))
            checks = (command for command in wanted if isinstance(command, RunCheck | CompareCheck))
            self._checking.keep(checks, self._tasks)
            step = next((command for command in wanted if self._is_due(command)), None)
            if step is None:
                await self._log.next_fact()
            else:
                await self._perform(step)

    def _is_due(self, command: Command) -> bool:
        match command:
            case Deliberate() | Present() | ArmTimer() | RunCheck() | CompareCheck():
                # Agents look for themselves at what is wanted of them; timers and checks are kept beside.
                return False
            case StopAgent():
                return not self._workers[command.agent_id].is_stopping(command)
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
            case StartRun() | Deliberate() | Present() | ArmTimer() | SelectWinner() | RunCheck() | CompareCheck():
                raise RuntimeError(f"{type(command).__name__} is not a step of a run under way")
            case ProposePlan() | ExecutePlan() | CancelExecution() | ProposeChanges() | SettleChanges() | FinishRun():
                await self._carry_out(command)
            case _:
                assert_never(command)

    async def _carry_out(self, command: Outside) -> None:
        if isinstance(command, CancelExecution):
            self._told_to_stop.add(command.run_id)
        facts = await self._effects.carry_out(command)
        match command:
            case ProposeChanges(agent_id):
                await self._log.append(*facts, agent_id=agent_id)
            case SettleChanges():
                # What was done to the user's files is true, whatever is wanted by now.
                await self._log.append(*facts)
            case ProposePlan() | FinishRun():
                is_recorded = await self._log.append_if_wanted(command, *facts)
                if is_recorded and isinstance(command, FinishRun) and command.notice is not None:
                    self._log.journal.announce(NoticeRaised(level="warning", text=command.notice), self._log.scope)
            case ExecutePlan() | CancelExecution():
                pass

    async def _stop(self, command: StopAgent) -> None:
        if not self._workers[command.agent_id].stop(command):
            # Only the log knows of that attempt: the process in which it was under way is gone.
            stopped = AgentStopped(attempt=command.attempt, reason=command.reason, usage=Usage())
            await self._log.append_if_wanted(command, stopped, agent_id=command.agent_id)

    async def _ask(self, command: RequestDecision) -> None:
        decision = worded(await self._effects.with_changes(command))
        is_asked = await self._log.append_if_wanted(command, *asked(decision, command.policy))
        if is_asked and command.policy is None and command.expires_after is not None:
            self._tasks.start_soon(self._expire, decision.decision_id, command.expires_after)

    async def _expire(self, decision_id: DecisionId, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            await self._decisions.answer_to(decision_id)
            return
        await self._decisions.resolve_unless_answered(decision_id, by="timeout")

    def _keep_timers(self, wanted: Iterable[ArmTimer]) -> None:
        """Armed when they become wanted, disarmed when they no longer are. No polling."""
        by_key: dict[_TimerKey, ArmTimer] = {
            (timer.timer, timer.agent_id, timer.attempt, timer.of): timer for timer in wanted
        }
        for key, (timer, scope) in tuple(self._timers.items()):
            if by_key.get(key) != timer:
                scope.cancel()
                del self._timers[key]
        for key, timer in by_key.items():
            if key not in self._timers:
                scope = anyio.CancelScope()
                self._timers[key] = (timer, scope)
                self._tasks.start_soon(self._wait, timer, scope)

    async def _wait(self, timer: ArmTimer, scope: anyio.CancelScope) -> None:
        with scope:
            await anyio.sleep(max(0.0, (timer.due_at - now()).total_seconds()))
            elapsed = TimerElapsed(timer=timer.timer, attempt=timer.attempt, of=timer.of)
            await self._log.append_if_wanted(timer, elapsed, agent_id=timer.agent_id)
