"""`new_answer`: an agent submits its answer."""

from pydantic import Field

from quorate.tools.port import Arguments, Outcome
from quorate.tools.workflow.tool import WorkflowTool, outcome_of


class NewAnswerArguments(Arguments):
    content: str = Field(min_length=1)


class NewAnswer(WorkflowTool[NewAnswerArguments]):
    name = "new_answer"
    description = "Submit your complete answer. It stands by itself."
    arguments = NewAnswerArguments

    async def run(self, arguments: NewAnswerArguments) -> Outcome:
        return outcome_of(await self._floor.answer(arguments.content))
