"""`vote`: an agent says which answer is the best."""

from typing import Annotated

from pydantic import Field

from quorate.models.port import ToolSpec
from quorate.protocol.ids import FindingId
from quorate.tools.port import Arguments, Outcome, compact_schema
from quorate.tools.workflow.floor import Floor
from quorate.tools.workflow.tool import WorkflowTool, outcome_of


class VoteArguments(Arguments):
    agent_id: str
    reason: str = Field(min_length=1)
    disputed: Annotated[list[str] | None, Field(description="Ids of findings that you checked and that are wrong.")] = (
        None
    )


class Vote(WorkflowTool[VoteArguments]):
    name = "vote"
    description = "Vote for the agent whose answer is the best."
    arguments = VoteArguments

    def __init__(self, floor: Floor, candidates: tuple[str, ...]) -> None:
        super().__init__(floor)
        self._candidates = candidates

    @property
    def spec(self) -> ToolSpec:
        """It names who can be voted for, so that a model cannot easily miss."""
        schema = compact_schema(VoteArguments)
        properties = {**schema["properties"], "agent_id": {"type": "string", "enum": list(self._candidates)}}
        return ToolSpec(self.name, self.description, {**schema, "properties": properties})

    async def run(self, arguments: VoteArguments) -> Outcome:
        disputed = tuple(FindingId(each) for each in arguments.disputed or ())
        return outcome_of(await self._floor.vote(arguments.agent_id, arguments.reason, disputed))
