"""Findings that prove themselves: what should fail because of one is run in a copy, and its outcome stands beside the
agreement."""

from pathlib import Path

import pytest

from tests.lsp.reproducing import (
    PROOF,
    SOURCE,
    approve,
    asked_for,
    findings_of,
    found,
    reviewed,
    script,
    shop_config,
    write_shop,
)
from tests.runtime.lines import TEAM, gives, votes
from tests.support.doors import Serve
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, Request, calls, tool

NOT_PROVEN = script("from shop import average\n\nassert average([1]) == 1\nprint('All is well.')\n")


async def marked(client: LspClient, path: Path, *standings: str) -> None:
    """Once the document's diagnostics end with these."""

    def ends(diagnostics: list[Json]) -> list[str]:
        return [each["message"][each["message"].rindex("(") :] for each in diagnostics]

    await client.notification(
        "textDocument/publishDiagnostics",
        lambda n: n["uri"] == path.as_uri() and ends(n["diagnostics"]) == list(standings),
    )


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def reported(request: Request) -> str:
    """What the author of a finding was told of it."""
    return request.tool_results[-1].text


@pytest.mark.asyncio
@pytest.mark.proves("G6")
async def test_a_finding_says_whether_it_was_reproduced_and_its_author_is_told(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    shop = write_shop(workspace)
    models.model("alpha").replies(calls(found(script(PROOF))), gives("A fault."), votes("agent1"))
    models.model("beta").replies(
        calls(found(NOT_PROVEN, "Empty list divides by zero", "An empty list has no length: division by zero.")),
        gives("A fault."),
        votes("agent1"),
    )
    models.model("gamma").replies(
        calls(found(NOT_PROVEN, "Sums of strings", "sum() does not take words.")), gives("Another."), votes("agent1")
    )
    client = await serve(config=shop_config(models, *TEAM), trusted=True)
    run = await reviewed(client, workspace)

    agreed, alone = await findings_of(client, run)
    assert (agreed["agents"], agreed["reproduced"]) == (["alpha", "beta"], "yes"), "one that fails is enough"
    assert (alone["agents"], alone["reproduced"]) == (["gamma"], "no")
    await marked(client, shop, "(2 of 3 agents, reproduced)", "(1 of 3 agents, not reproduced)")
    entries = (await client.command("teamwright.session.open", sessionId=run["sessionId"]))["transcript"]["entries"]
    drawn = next(entry for entry in entries if entry["kind"] == "findings")
    chips = [[chip["label"] for chip in part["data"]["chips"]] for part in drawn["parts"] if part["kind"] == "chips"]
    assert chips == [["Error", "2 of 3 agents", "reproduced"], ["Error", "1 of 3 agents", "not reproduced"]]

    told = reported(models.requests_to("alpha")[1])
    assert told.endswith(" Your reproduction fails, so the finding counts as reproduced.")
    told = reported(models.requests_to("gamma")[1])
    assert "Your reproduction does not fail, so the finding is shown as not reproduced." in told
    assert "All is well." in told
    voted = next(
        request.text for request in models.requests_to("beta") if "These are the findings so far" in request.text
    )
    assert "(2 of 3 agents, reproduced)" in voted
    assert names_in(workspace) == ["shop.py"], "nothing of it reaches the user's files"
    exported = await client.command("teamwright.session.export", sessionId=run["sessionId"], format="markdown")
    assert "(error, `shop.py`, line 2; 1 of 3 agents, not reproduced)" in exported["text"]


@pytest.mark.asyncio
@pytest.mark.proves("G6")
async def test_the_reproduction_is_a_check_of_the_run_that_mends_it(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    shop = write_shop(workspace)
    mend = {
        "alpha": "len(items or [1])",
        "beta": "max(1, len(items)) + 0.0 * len(items[0:])",
        "gamma": "len(items)  # Mind.",
    }
    for name in TEAM:
        models.model(name).replies(
            calls(found(script(PROOF)) if name == "alpha" else tool("new_answer", content="Nothing.")),
            *([gives("A fault.")] if name == "alpha" else []),
            votes("agent1"),
            calls(
                tool("edit_file", path="shop.py", old="len(items)", new=mend[name]),
                tool("new_answer", content=f"{name} mended it."),
            ),
            votes("agent3"),
        )
    client = await serve(config=shop_config(models, *TEAM), trusted=True)
    run = await reviewed(client, workspace)
    (finding,) = await findings_of(client, run)

    fixing = await client.command("teamwright.fix", findingIds=[finding["findingId"]])
    card = (await asked_for(client, "run", fixing["runId"]))["detail"]
    assert (
        card["spec"]["checksPolicy"],
        [(check["name"], check["source"], check["ticked"]) for check in card["checks"]],
    ) == (
        "require",
        [("reproduction: Division by zero", "reproduction", True)],
    )
    assert "reproduction: Division by zero: `python3 proof.py`" in card["spec"]["context"]
    await approve(client, "run", fixing["runId"])
    changes = (await approve(client, "changes", fixing["runId"]))["detail"]
    assert [(check["name"], check["outcome"]) for check in changes["checks"]] == [
        ("reproduction: Division by zero", "passed")
    ]
    winner = await client.event("winner.selected", lambda record: record["runId"] == fixing["runId"])
    assert (winner["event"]["agentId"], winner["event"]["by"]) == ("alpha", "checks"), "though all voted for gamma"
    await client.event("run.finished", lambda record: record["runId"] == fixing["runId"])
    assert shop.read_text(encoding="utf-8") == SOURCE.replace("len(items)", mend["alpha"])
    assert names_in(workspace) == ["shop.py"], "its files are no part of the changes"
