"""What a call of a tool comes to: the application does it, and its answer is put into words."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from teamwright.application import chat, decisions, runs
from teamwright.application.context import CommandContext
from teamwright.mcp_server.offered import CancelRunInput, GetRunInput, ListRunsInput, RespondInput
from teamwright.mcp_server.watch import Ended, Waits, Watch
from teamwright.mcp_server.wording import described, progress, run_line, run_text
from teamwright.protocol.commands import (
    ApproveParams,
    CancelParams,
    LaunchRunParams,
    RespondParams,
    RunListParams,
    RunParams,
)
from teamwright.protocol.errors import BadParams, FieldError, NotFound
from teamwright.protocol.ids import RunId
from teamwright.protocol.runs import CoordinationOverrides, RunSpec
from teamwright.protocol.validation import parse_params

# How far it is, and a sentence about it.
Report = Callable[[float, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    text: str
    data: dict[str, Any]


class McpTools:
    def __init__(self, context: CommandContext, watch: Watch) -> None:
        """`watch` is the client of the context."""
        self._context = context
        self._watch = watch

    async def call(self, tool: str, arguments: object, report: Report) -> ToolAnswer:
        """Raises UserError."""
        match tool:
            case "launch_run":
                return await self._launch(parse_params(RunSpec, arguments), report)
            case "respond":
                return await self._respond(parse_params(RespondInput, arguments), report)
            case "get_run":
                return await self._run(parse_params(GetRunInput, arguments).run_id)
            case "list_runs":
                return await self._list(parse_params(ListRunsInput, arguments).limit)
            case "cancel_run":
                return await self._cancel(parse_params(CancelRunInput, arguments).run_id)
            case _:
                raise NotFound(f"There is no tool {tool!r}.")

    async def _launch(self, spec: RunSpec, report: Report) -> ToolAnswer:
        # Nobody watches who could take up an offer within seconds.
        rules = spec.coordination_overrides or CoordinationOverrides()
        if rules.override is None:
            rules = rules.model_copy(update={"override": "off"})
        # Whether commands run here is for the user to say, and not for a program that asks for work.
        asked = {**dict(spec), "coordination_overrides": rules, "allow_commands": None}
        params = LaunchRunParams.model_validate(asked)
        launched = await runs.launch_run(self._context, params)
        return await self._until_it_rests(launched.run_id, report)

    async def _respond(self, params: RespondInput, report: Report) -> ToolAnswer:
        run_id = self._watch.run_of(params.decision_id)
        if params.text is not None and params.choice is None:
            await decisions.respond(self._context, RespondParams(decision_id=params.decision_id, text=params.text))
        elif params.choice is not None:
            approval = ApproveParams(
                decision_id=params.decision_id,
                choice=params.choice,
                edits=params.edits,
                instructions=params.instructions,
            )
            await decisions.approve(self._context, approval)
        else:
            raise BadParams([FieldError(path="choice", message="give `choice`, or `text` to answer a question")])
        if run_id is None:
            return ToolAnswer("Decided.", {"decisionId": params.decision_id})
        return await self._until_it_rests(run_id, report)

    async def _until_it_rests(self, run_id: RunId, report: Report) -> ToolAnswer:
        steps = 0
        async for standing in self._watch.until_it_rests(run_id):
            match standing:
                case Waits(decision):
                    return ToolAnswer(
                        described(decision),
                        {"runId": run_id, "status": "waiting", "decision": decision.to_wire()},
                    )
                case Ended():
                    break
                case view:
                    steps += 1
                    await report(steps, progress(view))
        return await self._run(run_id)

    async def _run(self, run_id: RunId) -> ToolAnswer:
        opened = await runs.open_run(self._context, RunParams(run_id=run_id))
        # Nobody draws here.
        opened = opened.model_copy(update={"transcript": None})
        return ToolAnswer(run_text(opened), opened.to_wire())

    async def _list(self, limit: int) -> ToolAnswer:
        listed = await runs.list_runs(self._context, RunListParams(limit=limit))
        text = "\n".join(map(run_line, listed.runs)) or "There are no runs in this workspace yet."
        return ToolAnswer(text, listed.to_wire())

    async def _cancel(self, run_id: RunId) -> ToolAnswer:
        result = await chat.cancel(self._context, CancelParams(run_id=run_id))
        return ToolAnswer("Cancelled." if result.cancelled else "It had ended already.", result.to_wire())
