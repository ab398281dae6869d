"""`request_input`: an agent stops and asks a person."""

from pydantic import Field

from quorate.permissions.actions import Action, AskPerson
from quorate.tools.port import Arguments, Outcome, Succeeded
from quorate.tools.workflow.tool import WorkflowTool


class RequestInputArguments(Arguments):
    question: str = Field(min_length=1)
    choices: list[str] | None = None


class RequestInput(WorkflowTool[RequestInputArguments]):
    name = "request_input"
    description = "Ask the user when the work cannot go on without them. Rare."
    arguments = RequestInputArguments

    def action(self, arguments: RequestInputArguments) -> Action:
        del arguments
        return AskPerson()

    async def run(self, arguments: RequestInputArguments) -> Outcome:
        return Succeeded(await self._floor.ask_person(arguments.question, arguments.choices or ()))
