"""The tools that an MCP client is offered, and what each takes."""

from typing import Any, Final, Literal, NamedTuple

from pydantic import Field

from teamwright.protocol.base import Maybe, Wire
from teamwright.protocol.ids import DecisionId, RunId
from teamwright.protocol.runs import RunSpec


class GetRunInput(Wire):
    run_id: RunId


class ListRunsInput(Wire):
    limit: int = Field(default=20, ge=1, le=200)


class RespondInput(Wire):
    """`text` answers a question; everything else is approved or cancelled."""

    decision_id: DecisionId
    choice: Maybe[Literal["approve", "cancel"]] = None
    text: Maybe[str] = None
    instructions: Maybe[str] = None
    edits: Maybe[dict[str, Any]] = None


class CancelRunInput(Wire):
    run_id: RunId


class Offered(NamedTuple):
    params: type[Wire]
    description: str
    is_read_only: bool


OFFERED: Final[dict[str, Offered]] = {
    "launch_run": Offered(
        RunSpec,
        "Have a team of AI agents work on a task in this workspace: they answer side by side, see each other's "
        "answers, refine and vote. Unless the user's configuration lets runs start by themselves, this only describes "
        "the run; show the description to the user, then start it with `respond`. Returns when the run has ended, or "
        "waits for a decision.",
        is_read_only=False,
    ),
    "respond": Offered(
        RespondInput,
        "Answer a decision that a run waits for: `choice` for a run, a plan or changes; `text` for a question. Goes "
        "on until the run has ended or waits again. Answer only what the user has decided.",
        is_read_only=False,
    ),
    "get_run": Offered(
        GetRunInput, "A run in full: how it stands, every answer, the votes, the result.", is_read_only=True
    ),
    "list_runs": Offered(ListRunsInput, "The runs of this workspace, newest first.", is_read_only=True),
    "cancel_run": Offered(CancelRunInput, "Stop a run; what there is of it is kept.", is_read_only=False),
}


def input_schema(params: type[Wire]) -> dict[str, Any]:
    return params.model_json_schema(by_alias=False)
