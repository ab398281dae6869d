"""Which checks a run has: what a person ticked on its card, now or earlier, and without a card nothing else."""

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.calculator import asked_about, facts, fix, launch_writing, settled_by, write_project
from tests.runtime.lines import votes
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import LspClient
from tests.support.model_server import ModelServer, calls, tool

MAKEFILE = "test:\n\t@python3 -m unittest\ncheck:\n\t@echo fine\n"
NO_CHECK = "No check of this project can be run, so nothing is required of the answers: the votes alone decide."


def script(models: ModelServer, runs: int) -> None:
    for _ in range(runs):
        models.model("alpha").replies(
            calls(fix("return a + b"), tool("new_answer", content="It adds.")), votes("agent1")
        )


async def finished(client: LspClient, run: dict[str, Any]) -> set[str]:
    """The names of the checks that ran for it. Its changes are refused, so that the next finds all as it was."""
    await settled_by(client, "cancel", run["runId"])
    return {fact["name"] for fact in facts(client, "check.started", run["runId"])}


async def card(client: LspClient, run: dict[str, Any]) -> tuple[str, list[tuple[str, bool]]]:
    decision = await asked_about(client, "run", run["runId"])
    return decision["decisionId"], [(check["name"], check["ticked"]) for check in decision["detail"]["checks"]]


@pytest.mark.asyncio
@pytest.mark.proves("G3")
async def test_ticks_on_the_card_are_what_runs_and_are_remembered_for_that_very_command(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    project = write_project(workspace)
    (project / "Makefile").write_text(MAKEFILE)
    script(models, 5)
    client = await serve(config=team_config(models, "alpha"), trusted=True)

    unasked = await launch_writing(client)
    assert await finished(client, unasked) == set(), "nobody has ticked anything yet"

    first = await launch_writing(client, approval=None)
    decision_id, shown = await card(client, first)
    assert {"make test", "make check"} <= {name for name, _ in shown}
    await client.command(
        "teamwright.approve", decisionId=decision_id, choice="approve", edits={"checks": ["make check"]}
    )
    assert await finished(client, first) == {"make check"}

    second = await launch_writing(client, approval=None)
    decision_id, shown = await card(client, second)
    assert [name for name, ticked in shown if ticked] == ["make check"]
    await client.command("teamwright.approve", decisionId=decision_id, choice="cancel")

    remembered = await launch_writing(client)
    assert await finished(client, remembered) == {"make check"}

    said = {each["title"]: each for each in (await client.command("teamwright.remembered.list"))["answers"]}
    tick = said["The check make check (make check)"]
    assert tick["says"] == "runs unasked"
    assert said["The check make test (make test)"]["says"] == "is left out unless you tick it"
    await client.command("teamwright.remembered.forget", answerIds=[tick["answerId"]])
    forgotten = await launch_writing(client)
    assert await finished(client, forgotten) == set(), "and taken back"

    # Another command by the same name is another check.
    (project / "teamwright.yaml").write_text("checks: [{name: make check, argv: [make, -s, check]}]\n")
    await client.kill()
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    other = await launch_writing(client)
    assert await finished(client, other) == set()


@pytest.mark.asyncio
async def test_nobody_is_asked_in_autonomous_mode_so_only_the_users_own_run(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    project = write_project(workspace)
    (project / "teamwright.yaml").write_text("checks: [{name: theirs, argv: [make, check]}]\n")
    script(models, 1)
    own = (
        "checks: [{name: own, argv: [python3, -m, unittest]}]\n"
        "orchestrator: {interactive_mode: {autonomy: autonomous, apply_changes: ask, budget: {tokens: 100000}}}\n"
    )
    client = await serve(config=team_config(models, "alpha", extra=own), trusted=True)
    run = await launch_writing(client, approval=None)
    await client.event("run.finished")
    assert {fact["name"] for fact in facts(client, "check.started", run["runId"])} == {"own"}


@pytest.mark.asyncio
async def test_an_untrusted_workspace_proposes_nothing_and_what_is_required_is_said_to_be_void(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    project = write_project(workspace)
    (project / "Makefile").write_text(MAKEFILE)
    script(models, 1)
    own = "checks: [{name: own, argv: [python3, -m, unittest]}]\nchecks_policy: require\n"
    client = await serve(config=team_config(models, "alpha", extra=own))
    run = await launch_writing(client, approval=None)
    decision_id, shown = await card(client, run)
    assert shown == []
    await client.command("teamwright.approve", decisionId=decision_id, choice="approve")
    assert await finished(client, run) == set()
    assert [notice["text"] for notice in facts(client, "notice.raised") if "check" in notice["text"]] == [NO_CHECK]


@pytest.mark.asyncio
async def test_a_card_says_that_nothing_is_shut_in_where_the_users_own_file_says_so(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    write_project(workspace)
    script(models, 1)
    own = "checks: [{name: own, argv: [python3, -m, unittest]}]\ncommands: {sandbox: none}\n"
    client = await serve(config=team_config(models, "alpha", extra=own), trusted=True, transcript=True)
    run = await launch_writing(client, approval=None)
    asked = await asked_about(client, "run", run["runId"])
    assert asked["detail"]["withoutSandbox"] is True
    await client.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    assert await finished(client, run) == {"own"}
    (result,) = [fact["outcome"] for fact in facts(client, "check.finished", run["runId"]) if fact["of"] == "base"]
    assert result == "failed"
