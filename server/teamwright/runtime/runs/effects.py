"""What a run needs done outside of its log: our own files, changes to the user's, the execution of a plan."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import assert_never

from anyio import to_thread

from teamwright.engine.run.checking import final_keys
from teamwright.engine.run.commands import (
    CancelExecution,
    ExecutePlan,
    FinishRun,
    ProposeChanges,
    ProposePlan,
    RequestDecision,
    SettleChanges,
)
from teamwright.engine.run.evidence import progress
from teamwright.protocol.changes import SettledFile
from teamwright.protocol.decisions import AnswerBrief, OverrideDetail
from teamwright.protocol.events import ChangesProposed, ChangesSettled, DurableEvent, PlanProposed, RunFinished
from teamwright.protocol.ids import AgentId, RunId
from teamwright.runtime.runs.files import RunChanges, RunFiles
from teamwright.runtime.runs.record import RunRecorder
from teamwright.runtime.runs.run_log import RunLog
from teamwright.workspace.copies.fingerprint import fingerprint

# Files of an answer that are shown to who chooses among several.
_MOST_SHOWN = 20

# What reaches beyond the log.
Outside = ProposePlan | ExecutePlan | CancelExecution | ProposeChanges | SettleChanges | FinishRun


@dataclass(frozen=True, slots=True)
class Executions:
    """The runs that carry out plans: children of the one that made the plan, their approval given."""

    # Returns once it has started.
    start: Callable[[ExecutePlan, RunId], Awaitable[None]]
    cancel: Callable[[RunId], Awaitable[None]]


class RunEffects:
    def __init__(
        self, log: RunLog, files: RunFiles, changes: RunChanges, recorder: RunRecorder, executions: Executions
    ) -> None:
        self._log = log
        self._files = files
        self._changes = changes
        self._recorder = recorder
        self._executions = executions

    async def carry_out(self, command: Outside) -> tuple[DurableEvent, ...]:
        """The facts that came of it; none where another run's log has them."""
        match command:
            case ProposePlan(plan):
                return (PlanProposed(plan=plan, path=await self._files.save_plan(plan)),)
            case ProposeChanges(agent_id):
                return (await self._proposed(agent_id, command.change_set_id),)
            case SettleChanges() as verdict:
                return (ChangesSettled(settled=await self._settled(verdict)),)
            case FinishRun():
                return (await self._finished(command),)
            case ExecutePlan():
                await self._executions.start(command, self._log.run_id)
                return ()
            case CancelExecution(run_id):
                await self._executions.cancel(run_id)
                return ()
            case _:
                assert_never(command)

    async def _proposed(self, agent_id: AgentId, change_set_id: str | None) -> ChangesProposed | ChangesSettled:
        proposal = await self._files.propose(agent_id, change_set_id)
        if not proposal.changes:
            return ChangesSettled(settled=())
        moved = proposal.is_merged or await self._has_moved()
        return ChangesProposed(changes=proposal.changes, change_set_id=change_set_id, moved=moved or None)

    async def _has_moved(self) -> bool:
        """Whether the workspace is no longer the one that the final bytes were checked in."""
        state = self._log.state
        results = [progress(state, key).result for key in final_keys(state)]
        trees = {result.tree for result in results if result is not None and result.tree is not None}
        return bool(trees) and trees != {await to_thread.run_sync(fingerprint, self._files.live)}

    async def with_changes(self, command: RequestDecision) -> RequestDecision:
        """Who chooses among answers is shown what each of them changes."""
        detail = command.detail
        if not isinstance(detail, OverrideDetail):
            return command
        answers = [await self._with_changes(answer) for answer in detail.answers]
        return replace(command, detail=OverrideDetail(answers=tuple(answers)))

    async def _with_changes(self, answer: AnswerBrief) -> AnswerBrief:
        if answer.candidate is None:
            return answer
        changes = await self._files.candidates.changes(answer.candidate.change_set_id, answer.agent_id)
        return answer.model_copy(update={"changes": changes[:_MOST_SHOWN]})

    async def _settled(self, verdict: SettleChanges) -> tuple[SettledFile, ...]:
        if not verdict.approved:
            return await self._changes.reject()
        if verdict.by_policy:
            return await self._changes.decide_by_policy()
        return await self._changes.decide(verdict.files)

    async def _finished(self, command: FinishRun) -> RunFinished:
        written = tuple(self._files.shown_path(uri) for uri in command.applied)
        footer = await self._recorder.file_away(self._log.state, command, written, self._files)
        return RunFinished(
            outcome=command.outcome,
            result=command.result,
            footer=footer,
            written=written,
            usage=command.spending.usage,
            cost_usd=command.spending.cost_usd,
            error=command.error,
            checks=command.checks or None,
            execution=command.execution,
        )
