"""A shop with a fault that a test can show, and agents that report it with one."""

from pathlib import Path
from typing import Any

from tests.support.doors import team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, tool
from tests.support.model_server.replies import ToolCall

SOURCE = "def average(items):\n    return sum(items) / len(items)\n"
MENDED = "def average(items):\n    return sum(items) / len(items) if items else 0\n"
PROOF = "from shop import average\n\nassert average([]) == 0\n"
QUIET = "orchestrator: {final_answer_strategy: winner_reuse, interactive_mode: {override: 'off'}}\n"


def write_shop(workspace: Path) -> Path:
    path = workspace / "shop.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def shop_config(models: ModelServer, *agents: str, extra: str = "") -> str:
    return team_config(models, *agents, extra=QUIET + extra)


def script(content: str, path: str = "proof.py") -> Json:
    """What runs a file that it brings along."""
    return {"argv": ["python3", path], "files": [{"path": path, "content": content}]}


def found(
    reproduce: Json | None, title: str = "Division by zero", detail: str = "An empty list has no length."
) -> ToolCall:
    finding = {"path": "shop.py", "line": 2, "severity": "error", "title": title, "detail": detail}
    return tool("report_finding", **finding, **({} if reproduce is None else {"reproduce": reproduce}))


async def asked_for(client: LspClient, kind: str, run_id: str) -> Json:
    def is_it(record: Json) -> bool:
        return record["event"]["decision"]["kind"] == kind and record["runId"] == run_id

    return (await client.event("decision.requested", is_it))["event"]["decision"]


async def approve(client: LspClient, kind: str, run_id: str, **more: Any) -> Json:
    decision = await asked_for(client, kind, run_id)
    await client.command("teamwright.approve", decisionId=decision["decisionId"], choice="approve", **more)
    return decision


async def review(client: LspClient, workspace: Path, *, commands: bool = True) -> Json:
    """Launched and approved, with a tick for commands or without."""
    run = await client.command("teamwright.review", uri=(workspace / "shop.py").as_uri())
    await approve(client, "run", run["runId"], edits={"allowCommands": commands})
    return run


async def reviewed(client: LspClient, workspace: Path, *, commands: bool = True) -> Json:
    run = await review(client, workspace, commands=commands)
    await client.event("run.finished", lambda record: record["runId"] == run["runId"])
    return run


async def findings_of(client: LspClient, run: Json) -> list[Json]:
    return (await client.command("teamwright.session.open", sessionId=run["sessionId"]))["session"]["findings"]
