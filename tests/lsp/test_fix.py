"""Fix until green: what the project's checks say becomes the task, and what is applied has passed them."""

from pathlib import Path
from typing import Any

import pytest

from tests.runtime.lines import votes
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import LspClient, LspError
from tests.support.model_server import ModelServer, calls, tool

TEAM = ("alpha", "beta", "gamma")
BROKEN = "def add(a, b):\n    return a - b\n"
MENDED = "def add(a, b):\n    return a + b\n"
TESTS = """\
import unittest

from calc import add


class AddTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(2, 3), 5)
"""
OWN = """\
checks:
  - {name: tests, argv: [python3, -m, unittest, -v]}
  - {name: compiles, argv: [python3, -m, compileall, -q, .]}
"""
MOST_REUSED = "orchestrator: {final_answer_strategy: winner_reuse, interactive_mode: {override: 'off'}}\n"


@pytest.fixture
def project(workspace: Path) -> Path:
    (workspace / "calc.py").write_text(BROKEN)
    (workspace / "test_calc.py").write_text(TESTS)
    return workspace


def script(models: ModelServer) -> None:
    """Two agree on what does not help; the third is right."""
    for name, body in {"alpha": "return a * b", "beta": "return b - a", "gamma": "return a + b"}.items():
        models.model(name).replies(
            calls(
                tool("edit_file", path="calc.py", old="return a - b", new=body),
                tool("new_answer", content=f"{name} mended it."),
            ),
            votes("agent3" if name == "gamma" else "agent1"),
        )


async def decision(client: LspClient, kind: str) -> dict[str, Any]:
    asked = await client.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == kind)
    return asked["event"]["decision"]


async def approved(client: LspClient, kind: str) -> dict[str, Any]:
    asked = await decision(client, kind)
    await client.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    return asked["detail"]


@pytest.mark.asyncio
@pytest.mark.proves("G7")
async def test_what_fails_becomes_the_task_and_ends_green_and_applied(
    serve: Serve, models: ModelServer, project: Path
) -> None:
    script(models)
    client = await serve(config=team_config(models, *TEAM, extra=OWN + MOST_REUSED), trusted=True)
    await client.command("teamwright.fix")
    card = await approved(client, "run")
    spec = card["spec"]
    assert spec["task"].splitlines()[0] == "Make the check `tests` pass."
    assert "- test_calc.py:8: test_adds (test_calc.AddTest.test_adds): AssertionError: -1 != 5" in spec["context"]
    assert spec["contextPaths"] == [{"path": ".", "permission": "write"}]
    assert (spec["checksPolicy"], [check["name"] for check in spec["checks"]]) == ("require", ["tests", "compiles"])
    changes = await approved(client, "changes")
    assert {check["name"]: check["outcome"] for check in changes["checks"]} == {"tests": "passed", "compiles": "passed"}
    await client.event("run.finished")
    winner = (await client.event("winner.selected"))["event"]
    assert (winner["agentId"], winner["by"]) == ("gamma", "checks")
    assert ((project / "calc.py").read_text(), (project / "test_calc.py").read_text()) == (MENDED, TESTS)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("checks", "refusal"),
    [
        (None, (404, "tests and compiles pass; there is nothing to fix.")),
        (["tests"], (404, "tests passes; there is nothing to fix.")),
        (["lint"], (404, "There is no check called lint; there are: tests, compiles.")),
    ],
)
async def test_where_everything_passes_that_is_said_and_nothing_begins(
    serve: Serve, models: ModelServer, project: Path, checks: list[str] | None, refusal: tuple[int, str]
) -> None:
    (project / "calc.py").write_text(MENDED)
    client = await serve(config=team_config(models, "alpha", extra=OWN), trusted=True)
    params = {} if checks is None else {"checks": checks}
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.fix", **params)
    assert (refused.value.code, str(refused.value)) == refusal
    assert (await client.command("teamwright.session.list"))["sessions"] == []


@pytest.mark.asyncio
async def test_a_check_that_was_only_found_is_on_the_card_and_runs_by_its_tick_alone(
    serve: Serve, models: ModelServer, project: Path
) -> None:
    (project / "Makefile").write_text("check:\n\t@touch ran && python3 -m unittest -v\n")
    models.model("alpha").replies(
        calls(tool("edit_file", path="calc.py", old="a - b", new="a + b"), tool("new_answer", content="Mended.")),
        votes("agent1"),
    )
    client = await serve(config=team_config(models, "alpha", extra=MOST_REUSED), trusted=True)
    await client.command("teamwright.fix", checks=["make check"])
    asked = await decision(client, "run")
    assert asked["detail"]["spec"]["task"].splitlines()[0] == "Make the check `make check` pass."
    assert asked["detail"]["spec"]["context"] == "Not run yet, results come with the first answers: make check."
    assert [(check["name"], check["ticked"]) for check in asked["detail"]["checks"]][-1] == ("make check", True)
    assert not any(record["event"]["type"] == "check.started" for record in client.events)
    await client.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    changes = await approved(client, "changes")
    assert [(check["name"], check["outcome"]) for check in changes["checks"]] == [("make check", "passed")]
    await client.event("run.finished")
    assert (project / "calc.py").read_text() == MENDED


@pytest.mark.asyncio
async def test_nothing_runs_in_a_workspace_that_is_not_trusted(
    serve: Serve, models: ModelServer, project: Path
) -> None:
    del project
    client = await serve(config=team_config(models, "alpha", extra=OWN))
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.fix")
    assert (refused.value.code, str(refused.value)) == (
        403,
        "No check is run in a workspace that is not trusted; trust it first: in the terminal by --trusted.",
    )
