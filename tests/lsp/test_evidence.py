"""What a team decides on: real changes, checked by the project's own tests, and applied as they were checked."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.doors import Serve, team_config
from tests.support.failing_project import (
    BROKEN,
    MENDED,
    TEAM,
    TESTS,
    WITHOUT_THE_FAILING_ONE,
    WRONG,
    checks_config,
    script_team,
    write_project,
)
from tests.support.lsp_client import LspClient
from tests.support.model_server import ModelServer, tool


def config(models: ModelServer, policy: str) -> str:
    return team_config(models, *TEAM, extra=checks_config(policy))


async def run_of(client: LspClient) -> dict[str, Any]:
    await client.command(
        "teamwright.launch_run",
        task="Make the tests pass.",
        contextPaths=[{"path": ".", "permission": "write"}],
        approval="given",
        coordinationOverrides={"override": "off", "final_answer_strategy": "winner_reuse"},
    )
    return (await client.event("changes.proposed"))["event"]


@pytest.fixture
def project(workspace: Path) -> Path:
    write_project(workspace)
    return workspace


def standings(client: LspClient) -> dict[str, str]:
    view = [r for r in client.events if r["event"]["type"] == "run.updated"][-1]["event"]["run"]
    return {answer["agentId"]: answer["standing"] for answer in view["answers"]}


def told_checks(client: LspClient) -> list[Any]:
    """For whoever has to find out why."""
    return [record["event"] for record in client.events if record["event"]["type"].startswith("check.")]


async def settled_by(client: LspClient, choice: str) -> dict[str, Any]:
    asked = await client.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "changes")
    decision = asked["event"]["decision"]
    await client.command("teamwright.approve", decisionId=decision["decisionId"], choice=choice)
    await client.event("run.finished")
    return decision["detail"]


@pytest.mark.asyncio
@pytest.mark.proves("G4")
async def test_votes_decide_and_a_person_sees_red_and_green_before_anything_is_applied(
    serve: Serve, models: ModelServer, project: Path
) -> None:
    script_team(models)
    client = await serve(config=config(models, "prefer"), trusted=True)
    proposed = await run_of(client)
    detail = await settled_by(client, "cancel")
    winner = (await client.event("winner.selected"))["event"]
    assert (winner["agentId"], winner["by"]) == ("alpha", "votes")
    assert "+    return a * b" in proposed["changes"][0]["diff"]
    assert [(check["name"], check["outcome"]) for check in detail["checks"]] == [("tests", "failed")]
    assert standings(client) == {"alpha": "no_worse", "beta": "broke", "gamma": "green"}
    judged = models.requests_to("alpha")[1].text
    assert "+    return a + b\n" in judged
    assert "tests: passed (2 passed, 0 failed)." in judged
    assert "broke 1 that passed without it: test_nothing" in judged
    assert (project / "calc.py").read_text() == BROKEN
    assert len(models.requests) == 6


@pytest.mark.asyncio
@pytest.mark.proves("G3", "G4", "G5")
@pytest.mark.parametrize("cheat", [False, True])
async def test_where_it_is_required_the_one_that_passes_wins_and_its_very_bytes_are_applied(
    serve: Serve, models: ModelServer, project: Path, *, cheat: bool
) -> None:
    """Also against one that takes the failing test away."""
    deletes = tool("write_file", path="test_calc.py", content=WITHOUT_THE_FAILING_ONE)
    script_team(models, alpha=deletes if cheat else WRONG)
    client = await serve(config=config(models, "require"), trusted=True)
    proposed = await run_of(client)
    detail = await settled_by(client, "approve")
    winner = (await client.event("winner.selected"))["event"]
    assert (winner["agentId"], winner["by"]) == ("gamma", "checks"), told_checks(client)
    assert [(check["name"], check["outcome"]) for check in detail["checks"]] == [("tests", "passed")]
    assert standings(client) == {"alpha": "no_worse", "beta": "broke", "gamma": "green"}
    assert ("It changes its own checks." in models.requests_to("beta")[1].text) == cheat

    assert (project / "test_calc.py").read_text() == TESTS
    written = (project / "calc.py").read_bytes()
    assert written == MENDED.encode()
    bytes_of = hashlib.sha256(written).hexdigest()
    name = hashlib.sha256(json.dumps([[project.name, ["calc.py"], bytes_of]]).encode()).hexdigest()
    checked = [
        record["event"]["changeSetId"]
        for record in client.events
        if record["event"]["type"] == "check.finished"
        and record["event"]["of"] == "final"
        and record["event"]["outcome"] == "passed"
    ]
    assert (proposed["changeSetId"], checked) == (name, [name])


@pytest.mark.asyncio
async def test_another_answer_can_be_looked_at_applied_instead_and_checked_again(
    serve: Serve, models: ModelServer, project: Path
) -> None:
    script_team(models)
    client = await serve(config=config(models, "prefer"), trusted=True)
    await run_of(client)
    run_id = (await client.event("winner.selected"))["runId"]
    await settled_by(client, "cancel")
    given = await client.event("answer.submitted", lambda r: r["agentId"] == "gamma")
    answer_id = given["event"]["answerId"]
    uri = (project / "calc.py").as_uri()
    shown = await client.command("teamwright.changes.open", runId=run_id, uri=uri, answerId=answer_id)
    assert shown == {"before": BROKEN, "after": MENDED}

    again = await client.command("teamwright.run.check", runId=run_id)
    assert again["checks"] == ["tests"]
    finished = await client.event(
        "check.compared",
        lambda r: r["event"]["of"] == "final" and r["seq"] > given["seq"] and r["event"]["brokeCount"] == 0,
    )
    assert finished["event"]["changeSetId"] == again["changeSetId"]

    applied = await client.command("teamwright.changes.apply", runId=run_id, answerId=answer_id)
    assert [file["outcome"] for file in applied["settled"]] == ["applied"]
    assert (project / "calc.py").read_text() == shown["after"]
