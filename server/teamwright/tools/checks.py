"""`run_checks`: the assistant runs the project's own checks when the user wants to know whether it works."""

from collections.abc import Sequence
from typing import Annotated, Protocol

from pydantic import Field

from teamwright.permissions import actions
from teamwright.tools.port import Arguments, Outcome, Succeeded, Tool


class ProjectChecks(Protocol):
    async def run(self, names: Sequence[str]) -> str:
        """What came of them, for the model; no names: all that a person has not unticked. Raises UserError."""
        ...


class RunChecksArguments(Arguments):
    names: Annotated[
        list[str] | None, Field(description="Only these, by the names they go by. Default: all of them.")
    ] = None


class RunChecksTool(Tool[RunChecksArguments]):
    name = "run_checks"
    description = (
        "Run the project's own checks (tests, types, lint) on the files as they are now, unsaved text included, and "
        "tell what came of them. For when the user asks; runs check their answers by themselves."
    )
    arguments = RunChecksArguments

    def __init__(self, checks: ProjectChecks) -> None:
        self._checks = checks

    def action(self, arguments: RunChecksArguments) -> actions.Action:
        del arguments
        return actions.RequestChecksAction()

    async def run(self, arguments: RunChecksArguments) -> Outcome:
        return Succeeded(await self._checks.run(arguments.names or ()))
