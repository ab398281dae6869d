"""Where a check fails, in the editor's own list of problems, for as long as a person wants it there."""

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.test_transcript import Screen, opened_run
from tests.support.doors import Serve, team_config
from tests.support.failing_project import FAILING_LINE, TEAM, checks_config, script_team, write_project
from tests.support.lsp_client import LspClient, LspError
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.asyncio

SHOW, CLEAR = "Show the failures as problems", "Clear the problems"
LITERALS = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}
}


async def shown_in(client: LspClient, uri: str, sources: list[str]) -> list[Any]:
    def is_it(told: Any) -> bool:
        return told["uri"] == uri and [each["source"] for each in told["diagnostics"]] == sources

    return (await client.notification("textDocument/publishDiagnostics", is_it))["diagnostics"]


@pytest.mark.proves("G5")
async def test_failing_places_are_shown_as_problems_fixed_from_there_and_taken_away(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    write_project(workspace)
    script_team(models)
    config = team_config(models, *TEAM, extra=checks_config("prefer"))
    client = await serve(config=config, trusted=True, transcript=True, capabilities=LITERALS)
    run = await client.command(
        "teamwright.launch_run",
        task="Make the tests pass.",
        contextPaths=[{"path": ".", "permission": "write"}],
        approval="given",
    )
    screen = Screen(client, run["sessionId"])
    await screen.until("changes (waiting) Changes to 1 file")
    card = next(entry for entry in screen.drawn.entries if entry["kind"] == "changes")
    await press(client, card, SHOW)
    uri = (workspace / "test_calc.py").as_uri()
    (problem,) = await shown_in(client, uri, ["tests (with what is proposed)"])
    assert problem["range"]["start"] == {"line": FAILING_LINE - 1, "character": 0}
    assert problem["message"] == "test_adds (test_calc.AddTest.test_adds): AssertionError: 6 != 5"

    context = {"diagnostics": [problem], "triggerKind": 1, "only": ["quickfix"]}
    where = {"textDocument": {"uri": uri}, "range": problem["range"], "context": context}
    without_data = {key: value for key, value in problem.items() if key != "data"}
    for each in (where, {**where, "context": {**context, "diagnostics": [without_data]}}):
        (offered,) = await client.request("textDocument/codeAction", each)
        assert (offered["title"], offered["command"]["command"], offered["command"]["arguments"]) == (
            "Fix failing checks with team",
            "teamwright.fix",
            [{"checks": ["tests"]}],
        )

    # Of another's answer in their place, from the page of the run; and away with them.
    page = await opened_run(client, run)
    failed = [entry for entry in page.drawn.entries if entry["title"] == "tests on the answer: failed 2"]
    assert [entry["agentId"] for entry in failed] == ["beta"]
    await press(client, failed[0], SHOW)
    both = await shown_in(client, uri, ["tests (with beta's answer)"] * 2)
    assert {each["message"].partition(" ")[0] for each in both} == {"test_adds", "test_nothing"}
    await page.offers(CLEAR)
    await press(client, page.drawn.entry(failed[0]["entryId"]), CLEAR)
    assert await shown_in(client, uri, []) == []
    gamma = next(each for each in page.drawn.of_kind("answer") if each["agentId"] == "gamma")
    with pytest.raises(LspError, match="No check fails there at a place that is known"):
        await client.command("teamwright.run.problems", runId=run["runId"], of={"answerId": gamma["entryId"]})
    await screen.act("Discard")
    await client.event("run.finished")


async def press(client: LspClient, entry: Any, label: str) -> None:
    (action,) = [each for each in entry["actions"] if each["label"] == label]
    await client.command(action["command"], **action["arguments"])
