"""`request_input`: the assistant or an agent stops and asks a person."""

from collections.abc import Awaitable, Callable, Sequence

from pydantic import Field

from quorate.permissions.actions import Action
from quorate.permissions.actions import AskPerson as AskPersonAction
from quorate.tools.port import Arguments, Outcome, Succeeded, Tool

# Asks with the question and the choices offered, and waits however long the person takes.
AskPerson = Callable[[str, Sequence[str]], Awaitable[str]]


class RequestInputArguments(Arguments):
    question: str = Field(min_length=1)
    choices: list[str] | None = None


class RequestInput(Tool[RequestInputArguments]):
    name = "request_input"
    description = "Ask the user when the work cannot go on without them. Rare."
    arguments = RequestInputArguments

    def __init__(self, ask: AskPerson) -> None:
        self._ask = ask

    def action(self, arguments: RequestInputArguments) -> Action:
        del arguments
        return AskPersonAction()

    async def run(self, arguments: RequestInputArguments) -> Outcome:
        return Succeeded(await self._ask(arguments.question, arguments.choices or ()))
