"""What a call of a tool comes to: the runtime does it, and its answer is put into words."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from quorate.mcp_server.offered import CancelRun, GetRun, ListRuns, Respond
from quorate.mcp_server.watch import Ended, Waits, Watch
from quorate.mcp_server.wording import described, progress, run_line, run_text
from quorate.protocol.commands import (
    ApproveParams,
    CancelParams,
    LaunchRunParams,
    RespondParams,
    RunListParams,
    RunParams,
)
from quorate.protocol.errors import BadParams, FieldError, NotFound
from quorate.protocol.ids import RunId
from quorate.protocol.runs import CoordinationOverrides, RunSpec
from quorate.protocol.validation import parse_params
from quorate.runtime.runs import archive
from quorate.runtime.supervisor import Supervisor

# How far it is, and a sentence about it.
Report = Callable[[float, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    data: dict[str, Any]


class Office:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._watch = Watch()

    async def call(self, tool: str, arguments: object, report: Report) -> Said:
        """Raises UserError."""
        match tool:
            case "launch_run":
                return await self._launch(parse_params(RunSpec, arguments), report)
            case "respond":
                return await self._respond(parse_params(Respond, arguments), report)
            case "get_run":
                return await self._run(parse_params(GetRun, arguments).run_id)
            case "list_runs":
                return await self._list(parse_params(ListRuns, arguments).limit)
            case "cancel_run":
                return await self._cancel(parse_params(CancelRun, arguments).run_id)
            case _:
                raise NotFound(f"There is no tool {tool!r}.")

    async def _launch(self, spec: RunSpec, report: Report) -> Said:
        # Nobody watches who could take up an offer within seconds.
        rules = spec.coordination_overrides or CoordinationOverrides()
        if rules.override is None:
            rules = rules.model_copy(update={"override": "off"})
        params = LaunchRunParams.model_validate({**dict(spec), "coordination_overrides": rules})
        launched = await self._supervisor.launch_run(params, self._watch)
        return await self._until_it_rests(launched.run_id, report)

    async def _respond(self, params: Respond, report: Report) -> Said:
        run_id = self._watch.run_of(params.decision_id)
        if params.text is not None and params.choice is None:
            await self._supervisor.respond(RespondParams(decision_id=params.decision_id, text=params.text))
        elif params.choice is not None:
            approval = ApproveParams(
                decision_id=params.decision_id,
                choice=params.choice,
                edits=params.edits,
                instructions=params.instructions,
            )
            await self._supervisor.approve(approval)
        else:
            raise BadParams([FieldError(path="choice", message="give `choice`, or `text` to answer a question")])
        if run_id is None:
            return Said("Decided.", {"decisionId": params.decision_id})
        return await self._until_it_rests(run_id, report)

    async def _until_it_rests(self, run_id: RunId, report: Report) -> Said:
        steps = 0
        async for standing in self._watch.until_it_rests(run_id):
            match standing:
                case Waits(decision):
                    return Said(
                        described(decision),
                        {"runId": run_id, "status": "waiting", "decision": decision.to_wire()},
                    )
                case Ended():
                    break
                case view:
                    steps += 1
                    await report(steps, progress(view))
        return await self._run(run_id)

    async def _run(self, run_id: RunId) -> Said:
        opened = await archive.open_run(self._supervisor, RunParams(run_id=run_id))
        return Said(run_text(opened), opened.to_wire())

    async def _list(self, limit: int) -> Said:
        listed = await archive.list_runs(self._supervisor, RunListParams(limit=limit))
        text = "\n".join(map(run_line, listed.runs)) or "There are no runs in this workspace yet."
        return Said(text, listed.to_wire())

    async def _cancel(self, run_id: RunId) -> Said:
        result = await self._supervisor.cancel(CancelParams(run_id=run_id))
        return Said("Cancelled." if result.cancelled else "It had ended already.", result.to_wire())
