"""A question of one agent to the others, or to the person."""

from typing import Annotated, Literal, Protocol

from pydantic import Field

from teamwright.permissions.actions import Action, CoordinateAction
from teamwright.tools.port import Arguments, Outcome, Tool


class PeerPort(Protocol):
    async def ask(self, question: str, to: list[str] | Literal["user"] | None) -> Outcome:
        """What they answer, for the model that asked."""
        ...


class AskOthersArguments(Arguments):
    question: Annotated[str, Field(min_length=1, max_length=4_000)]
    to: Annotated[
        list[str] | Literal["user"] | None, Field(description='Labels such as agent2, or "user"; default: all.')
    ] = None


class AskOthersTool(Tool[AskOthersArguments]):
    name = "ask_others"
    description = "Ask the other agents something that they may know. Twice in a run at most."
    arguments = AskOthersArguments

    def __init__(self, peers: PeerPort) -> None:
        self._peers = peers

    def action(self, arguments: AskOthersArguments) -> Action:
        del arguments
        return CoordinateAction(self.name)

    async def run(self, arguments: AskOthersArguments) -> Outcome:
        return await self._peers.ask(arguments.question, arguments.to)
