"""What a tool call may do only by a person's word: the question, durable like any other, and what was answered."""

from collections.abc import Sequence
from typing import Final

from teamwright.permissions.actions import Action, McpCallAction, Memory, RunCommandAction, UpdateProjectAction
from teamwright.protocol.decisions import (
    Choice,
    CommandDecision,
    CommandDetail,
    Decision,
    MemoryDecision,
    MemoryDetail,
    ToolDecision,
    ToolDetail,
)
from teamwright.protocol.ids import DecisionId
from teamwright.protocol.records import Scope
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.sessions.decisions import Decisions

_ALLOWING: Final = frozenset({"approve", "always"})
_NO: Final = Choice(id="cancel", label="Do not")
_OF_A_TOOL: Final = (
    Choice(id="approve", label="Allow once"),
    Choice(id="always", label="Always allow this tool"),
    Choice(id="never", label="Never allow this tool"),
    _NO,
)


class PermissionQuestions:
    """Of the assistant in one turn, or of one agent."""

    def __init__(self, decisions: Decisions, scope: Scope, origin: str = "") -> None:
        """`origin`: where what the assistant remembers comes from, in words."""
        self._decisions = decisions
        self._scope = scope
        self._origin = origin

    async def ask(self, action: Action, question: str) -> bool:
        """What there is no question for is refused."""
        match action:
            case RunCommandAction(argv):
                detail = CommandDetail(argv=argv, cwd=".")
                choices = (Choice(id="approve", label="Run it"), _NO)
                return await self._allows(
                    CommandDecision(decision_id=_fresh(), title=question, choices=choices, detail=detail)
                )
            case McpCallAction():
                return await self._ask_about_tool(action, question)
            case UpdateProjectAction(memory=Memory(text, of)):
                detail = MemoryDetail(text=text, origin=self._origin, of=of)
                choices = (Choice(id="approve", label="Remember it"), _NO)
                return await self._allows(
                    MemoryDecision(decision_id=_fresh(), title=question, choices=choices, detail=detail)
                )
            case _:
                return False

    async def _ask_about_tool(self, action: McpCallAction, question: str) -> bool:
        for other in self._asked_alike(action):
            # One question at a time: its answer may be one for all.
            await self._decisions.answer_to(other)
        match self._decisions.tool_choices.remembered(action.server, action.tool, action.pin).choice:
            case "always":
                return True
            case "never":
                return False
            case None:
                detail = ToolDetail(
                    server=action.server,
                    tool=action.tool,
                    description=action.description,
                    arguments=dict(action.arguments),
                    traits=action.traits,
                    changed=action.has_changed or None,
                    pin=action.pin,
                )
                return await self._allows(
                    ToolDecision(decision_id=_fresh(), title=question, choices=_OF_A_TOOL, detail=detail)
                )

    def _asked_alike(self, action: McpCallAction) -> Sequence[DecisionId]:
        """Within the same run, whose clocks stand still meanwhile."""
        return [
            decision_id
            for decision_id, each in self._decisions.pending.items()
            if isinstance(each.decision, ToolDecision)
            and each.scope.run_id == self._scope.run_id
            and each.scope != self._scope
            and (each.decision.detail.server, each.decision.detail.tool) == (action.server, action.tool)
        ]

    async def _allows(self, decision: Decision) -> bool:
        return (await self._decisions.ask(decision, self._scope)).choice in _ALLOWING


def _fresh() -> DecisionId:
    return DecisionId(fresh_id("dec"))
