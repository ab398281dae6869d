"""`get_run`: the assistant looks at a run of its session."""

from quorate.permissions import actions
from quorate.protocol.ids import RunId
from quorate.tools.assistant.lead import Lead
from quorate.tools.port import Arguments, Outcome, Succeeded, Tool


class GetRunArguments(Arguments):
    run_id: str


class GetRun(Tool[GetRunArguments]):
    name = "get_run"
    description = "How a run of this session stands, or what came of it."
    arguments = GetRunArguments

    def __init__(self, lead: Lead) -> None:
        self._lead = lead

    def action(self, arguments: GetRunArguments) -> actions.Action:
        del arguments
        return actions.ReadRun()

    async def run(self, arguments: GetRunArguments) -> Outcome:
        return Succeeded(await self._lead.report(RunId(arguments.run_id)))
