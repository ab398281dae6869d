"""What is applied is what was checked: what is not the same bytes, or not the same workspace, says so."""

from pathlib import Path

import pytest

from tests.lsp.calculator import (
    BROKEN,
    MENDED,
    asked_about,
    checked_config,
    facts,
    fix,
    launch_writing,
    settled_by,
    write_project,
)
from tests.runtime.lines import gives, votes
from tests.support.doors import Serve
from tests.support.editing_client import EditingClient
from tests.support.model_server import ModelServer, calls, text, tool

# Of a workspace that is mended it says so, and waits to be let go by a file that nobody checks.
WAITS = """\
import time

if "a + b" in open("calc.py").read():
    print("ready", flush=True)
    while open("pace.txt").read() != "go":
        time.sleep(0.02)
"""
PATIENT = "checks: [{name: patient, argv: [python3, patient.py]}]\n"
PRINTS = "checks: [{name: prints, argv: [cat, calc.py]}]\n"


@pytest.mark.asyncio
@pytest.mark.proves("G5")
async def test_a_file_saved_while_the_check_ran_is_told_and_can_be_checked_again_as_it_is_now(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    project = write_project(workspace)
    (project / ".gitignore").write_text("pace.txt\n")
    (project / "pace.txt").write_text("no")
    (project / "patient.py").write_text(WAITS)
    models.model("alpha").replies(calls(fix("return a + b")), text("It adds."))
    client = await serve(config=checked_config(models, "alpha", checks=PATIENT), trusted=True)
    run = await launch_writing(client, agentMode="single", refinement=False)
    await client.event("check.output", lambda r: "ready" in r["event"]["text"])
    (project / "other.py").write_text("saved = True\n")
    with (project / "pace.txt").open("r+") as pace:
        pace.write("go")
    proposed = (await client.event("changes.proposed"))["event"]
    assert proposed["moved"] is True
    checked_on = (await client.event("check.finished", lambda r: r["event"]["of"] == "final"))["event"]["tree"]
    assert (await asked_about(client, "changes"))["detail"]["moved"] is True

    again = await client.command("teamwright.run.check", runId=run["runId"])
    assert again["changeSetId"] == proposed["changeSetId"]
    await client.event(
        "check.finished", lambda r: r["event"]["of"] == "final" and r["event"].get("tree") not in {None, checked_on}
    )
    detail = await settled_by(client, "approve")
    assert [(check["name"], check["outcome"]) for check in detail["checks"]] == [("patient", "passed")]
    assert (project / "calc.py").read_text() == MENDED


@pytest.mark.asyncio
async def test_what_was_typed_into_the_file_meanwhile_is_in_what_is_proposed_and_that_is_not_what_was_checked(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    project = write_project(workspace)
    (project / "calc.py").write_text(f"# One.\n\n\n\n{BROKEN}")
    gate = models.gate("the vote")
    models.model("alpha").replies(
        calls(fix("return a + b"), tool("new_answer", content="It adds.")), votes("agent1").waits_for(gate)
    )
    models.model("beta").replies(gives("Leave it."), votes("agent1"))
    client = await serve(config=checked_config(models, "alpha", "beta"), trusted=True)
    editor = EditingClient(client)
    uri = await editor.open(project / "calc.py")
    await launch_writing(client)
    await gate.reached()
    await editor.type(uri, "# One.", "# Two.")
    gate.release()
    proposed = (await client.event("changes.proposed"))["event"]
    assert proposed["moved"] is True
    detail = await settled_by(client, "cancel")
    assert detail["moved"] is True


@pytest.mark.asyncio
async def test_a_choice_of_hunks_is_checked_as_exactly_these_bytes(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    project = write_project(workspace)
    far = "\n" * 10
    (project / "calc.py").write_text(f"{BROKEN}{far}LAST = 1\n")
    models.model("alpha").replies(calls(fix("return a + b"), fix("LAST = 2", old="LAST = 1")), text("It adds."))
    client = await serve(config=checked_config(models, "alpha", checks=PRINTS), trusted=True)
    run = await launch_writing(client, agentMode="single", refinement=False)
    proposed = (await client.event("changes.proposed"))["event"]
    (change,) = proposed["changes"]
    first = change["hunks"][0]["index"]
    form = await client.command(
        "teamwright.run.check", runId=run["runId"], files=[{"uri": change["uri"], "hunks": [first]}]
    )
    assert form["changeSetId"] != proposed["changeSetId"]
    checked = await client.event("check.finished", lambda r: r["event"].get("changeSetId") == form["changeSetId"])
    assert checked["event"]["output"] == f"{MENDED}{far}LAST = 1\n"
    of_all = [fact for fact in facts(client, "check.finished") if fact.get("changeSetId") == proposed["changeSetId"]]
    assert of_all[0]["output"] == f"{MENDED}{far}LAST = 2\n"
    await settled_by(client, "cancel")


@pytest.mark.asyncio
@pytest.mark.parametrize("policy", ["require", "prefer"])
async def test_a_presenter_that_makes_it_worse_is_told_once_and_where_it_is_required_the_winners_own_is_taken(
    serve: Serve, models: ModelServer, workspace: Path, policy: str
) -> None:
    project = write_project(workspace)
    worse = "def add(a, b):\n    return a + b + 1\n"
    models.model("alpha").replies(
        calls(fix("return a + b"), tool("new_answer", content="It adds.")),
        votes("agent1"),
        calls(fix("return a + b + 1", old="return a + b")),
        text("It adds, and one more."),
        text("It is right as it is."),
    )
    models.model("beta").replies(gives("Leave it."), votes("agent1"))
    client = await serve(config=checked_config(models, "alpha", "beta", policy=policy), trusted=True)
    await launch_writing(client, rules={"final_answer_strategy": "winner_present"})
    detail = await settled_by(client, "approve")
    told = [request for request in models.requests_to("alpha") if "stands lower than the answer" in request.text]
    assert len(told) == 1
    assert "tests: failed (0 passed, 2 failed)" in told[0].text
    notices = [notice["text"] for notice in facts(client, "notice.raised")]
    is_replaced = policy == "require"
    assert [check["outcome"] for check in detail["checks"]] == ["passed" if is_replaced else "failed"]
    assert (project / "calc.py").read_text() == (MENDED if is_replaced else worse)
    swapped = "What was presented breaks what the winner's own changes do not, so these are proposed instead."
    assert (swapped in notices) == is_replaced
