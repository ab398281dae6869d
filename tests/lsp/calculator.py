"""A small project with a failing test, and agents that mend it or make it worse."""

from pathlib import Path
from typing import Any

from tests.support.doors import team_config
from tests.support.lsp_client import LspClient
from tests.support.model_server import ModelServer, tool
from tests.support.model_server.replies import ToolCall

BROKEN = "def add(a, b):\n    return a - b\n"
MENDED = "def add(a, b):\n    return a + b\n"
TESTS = """\
import unittest

from calc import add


class AddTest(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(add(0, 0), 0)

    def test_adds(self):
        self.assertEqual(add(2, 3), 5)
"""
OWN_TESTS = "checks: [{name: tests, argv: [python3, -m, unittest, -v]}]\n"


def write_project(workspace: Path) -> Path:
    (workspace / "calc.py").write_text(BROKEN)
    (workspace / "test_calc.py").write_text(TESTS)
    return workspace


def checked_config(models: ModelServer, *agents: str, policy: str = "prefer", checks: str = OWN_TESTS) -> str:
    return team_config(models, *agents, extra=f"{checks}checks_policy: {policy}\n")


def fix(body: str, *, old: str = "return a - b") -> ToolCall:
    return tool("edit_file", path="calc.py", old=old, new=body)


async def launch_writing(client: LspClient, **more: Any) -> Any:
    """Its approval given, unless told otherwise; nobody chooses another presenter."""
    rules = {"override": "off", "final_answer_strategy": "winner_reuse", **more.pop("rules", {})}
    spec = {
        "task": "Make the tests pass.",
        "contextPaths": [{"path": ".", "permission": "write"}],
        "approval": "given",
        "coordinationOverrides": rules,
        **more,
    }
    return await client.command("teamwright.launch_run", **{key: each for key, each in spec.items() if each})


async def asked_about(client: LspClient, kind: str, run_id: str | None = None) -> dict[str, Any]:
    def is_it(record: dict[str, Any]) -> bool:
        return record["event"]["decision"]["kind"] == kind and run_id in {None, record["runId"]}

    return (await client.event("decision.requested", is_it))["event"]["decision"]


async def settled_by(client: LspClient, choice: str, run_id: str | None = None) -> dict[str, Any]:
    """What the card of the changes had to say."""
    decision = await asked_about(client, "changes", run_id)
    await client.command("teamwright.approve", decisionId=decision["decisionId"], choice=choice)
    await client.event("run.finished", lambda r: run_id in {None, r["runId"]})
    return decision["detail"]


def facts(client: LspClient, event_type: str, run_id: str | None = None) -> list[dict[str, Any]]:
    return [
        record["event"]
        for record in client.events
        if record["event"]["type"] == event_type and run_id in {None, record["runId"]}
    ]
