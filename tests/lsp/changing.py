"""What tests of edits have in common: an editor at the server, and a run whose one agent changes files."""

from collections.abc import Sequence
from typing import Any, Literal

from tests.support.doors import Serve, team_config
from tests.support.editing_client import EditingClient, capabilities
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text
from tests.support.model_server.replies import ToolCall


async def editing(
    serve: Serve,
    models: ModelServer,
    *,
    unit: str = "utf-16",
    unopened: Literal["opens", "writes"] = "opens",
    document_changes: bool = True,
    **options: Any,
) -> EditingClient:
    client = await serve(
        config=team_config(models, "alpha"),
        capabilities=capabilities(unit=unit, document_changes=document_changes),
        **options,
    )
    return EditingClient(client, unit=unit, unopened=unopened)


async def proposed(client: LspClient, models: ModelServer, *writes: ToolCall, paths: Sequence[str] = (".",)) -> str:
    """The id of a run whose agent has made these calls, and which now asks about its changes."""
    models.model("alpha").replies(calls(*writes), text("Done."))
    run = await client.command(
        "teamwright.launch_run",
        task="Change it.",
        agentMode="single",
        refinement=False,
        contextPaths=[{"path": path, "permission": "write"} for path in paths],
        approval="given",
    )
    await question(client, run["runId"])
    return run["runId"]


async def question(client: LspClient, run_id: str) -> str:
    """The id of the decision about the run's changes."""
    asked = await client.event(
        "decision.requested", lambda r: r.get("runId") == run_id and r["event"]["decision"]["kind"] == "changes"
    )
    return asked["event"]["decision"]["decisionId"]


async def approved(client: LspClient, run_id: str, files: Sequence[Json] | None = None) -> dict[str, Json]:
    """What became of each file, by its name."""
    edits = {} if files is None else {"edits": {"files": files}}
    await client.command("teamwright.approve", decisionId=await question(client, run_id), choice="approve", **edits)
    settled = await client.event("changes.settled", lambda r: r["runId"] == run_id)
    return by_name(settled["event"]["settled"])


def by_name(settled: Sequence[Json]) -> dict[str, Json]:
    return {
        file["uri"].rsplit("/", 1)[1]: {key: value for key, value in file.items() if key != "uri"} for file in settled
    }
