"""Reviews through the real server: findings with their agreement, dismissed for good, fixed by the team."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from anyio import to_thread

from tests.runtime.lines import TEAM, votes
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import Answer, ModelServer, calls, text, tool

SOURCE = """import os


def average(items):
    return sum(items) / len(items)


def load(name):
    return eval(open(name).read())
"""
QUIET = "orchestrator: {interactive_mode: {require_approval: false, override: 'off'}}\n"


def reports(line: int, title: str, detail: str = "", severity: str = "warning", **more: Any) -> Answer:
    return calls(
        tool("report_finding", path="shop.py", line=line, severity=severity, title=title, detail=detail, **more)
    )


def sums_up(content: str) -> Answer:
    return calls(tool("new_answer", content=content))


def a_review(models: ModelServer) -> None:
    """Two see the division, all see the eval in their own words, one has a remark of its own."""
    models.model("alpha").replies(
        reports(5, "Division by zero", "An empty list makes len(items) zero.", "error"),
        reports(9, "eval of untrusted input", "eval() runs any code that stands in the file.", "error"),
        sums_up("Alpha's summary."),
        votes("agent1"),
        text("The division and the eval must go."),
    )
    models.model("beta").replies(
        reports(5, "Empty list is not handled", "len(items) is zero for an empty list: division by zero.", "error"),
        reports(9, "Use of eval", "Code in the file is run by eval(): arbitrary code execution.", "error"),
        sums_up("Beta's summary."),
        votes("agent1"),
    )
    models.model("gamma").replies(
        reports(9, "Dangerous eval", "The input of eval() is not trusted, any code in it is run.", "warning"),
        reports(1, "Unused import", "os is never used.", "hint"),
        sums_up("Gamma's summary."),
        votes("agent1"),
    )


def commit_and_change(path: Path) -> None:
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "First"]):
        subprocess.run(["git", *command], cwd=path.parent, check=True)
    path.write_text(SOURCE.replace("import os\n", ""), encoding="utf-8")


async def reviewed(client: LspClient, workspace: Path, **params: Any) -> Json:
    launched = await client.command("teamwright.review", uri=(workspace / "shop.py").as_uri(), **params)
    await client.event("run.finished", lambda r: r.get("runId") == launched["runId"])
    return launched


async def findings_of(client: LspClient, session_id: str) -> list[Json]:
    opened = await client.command("teamwright.session.open", sessionId=session_id)
    return opened["session"]["findings"]


@pytest.fixture
def shop(workspace: Path) -> Path:
    path = workspace / "shop.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


@pytest.mark.asyncio
@pytest.mark.proves("E3", "E5")
async def test_findings_of_several_agents_are_one_with_their_agreement_most_agreed_first(
    serve: Serve, models: ModelServer, workspace: Path, shop: Path
) -> None:
    a_review(models)
    client = await serve(config=team_config(models, *TEAM, extra=QUIET), trusted=True)
    launched = await reviewed(client, workspace)

    found = await findings_of(client, launched["sessionId"])
    assert [(f["range"]["start"]["line"], f["agents"], f["of"], f["severity"]) for f in found] == [
        (8, ["alpha", "beta", "gamma"], 3, "error"),
        (4, ["alpha", "beta"], 3, "error"),
        (0, ["gamma"], 3, "hint"),
    ]
    drawn = [r for r in client.events if r["event"]["type"] == "findings.updated"][-1]
    assert (drawn["seq"], drawn["event"]["findings"]) == (None, found)
    finished = (await client.event("run.finished"))["event"]
    assert finished["footer"].splitlines()[0] == "Findings, most agreed first:"
    assert [line.rsplit("(", 1)[1] for line in finished["footer"].splitlines()[1:]] == [
        "3 of 3 agents)",
        "2 of 3 agents)",
        "1 of 3 agents)",
    ]

    evaluating = next(r for r in models.requests_to("alpha") if "These are the findings so far" in str(r.body))
    assert found[0]["findingId"] in str(evaluating.body)
    assert workspace.as_uri() not in str(evaluating.body), "agents know no real paths"
    started = (await client.event("run.started"))["event"]["spec"]
    assert started["contextPaths"] == [{"path": "shop.py", "permission": "read"}]


@pytest.mark.asyncio
@pytest.mark.proves("E5")
async def test_the_assistant_can_be_told_in_words_which_findings_to_fix(
    serve: Serve, models: ModelServer, workspace: Path, shop: Path
) -> None:
    a_review(models)
    models.model("alpha").replies(text("I would fix the eval and leave the rest."))
    client = await serve(config=team_config(models, *TEAM, extra=QUIET), trusted=True)
    launched = await reviewed(client, workspace)
    found = await findings_of(client, launched["sessionId"])
    asked = "Fix the consensus issues but skip the import."
    turn = await client.command("teamwright.chat", text=asked, sessionId=launched["sessionId"])
    await client.event("turn.finished", lambda r: r["turnId"] == turn["turnId"])

    told = str(models.requests_to("alpha")[-1].body)
    for finding in found:
        assert f"[{finding['findingId']}] shop.py:{finding['range']['start']['line'] + 1}" in told
    assert "(3 of 3 agents)" in told


@pytest.mark.asyncio
@pytest.mark.proves("E5", "D6")
async def test_a_dismissed_finding_stays_dismissed_after_a_restart(
    serve: Serve, models: ModelServer, workspace: Path, shop: Path
) -> None:
    a_review(models)
    config = team_config(models, *TEAM, extra=QUIET)
    client = await serve(config=config, trusted=True)
    launched = await reviewed(client, workspace)
    found = await findings_of(client, launched["sessionId"])
    answer = await client.command("teamwright.finding.dismiss", findingIds=[found[1]["findingId"]])
    assert answer == {"dismissed": [found[1]["findingId"]]}
    with pytest.raises(LspError) as unknown:
        await client.command("teamwright.finding.dismiss", findingIds=["find_none"])
    assert unknown.value.code == 404
    await client.shutdown()

    again = await serve(config=config, trusted=True)
    restored = await findings_of(again, launched["sessionId"])
    assert [(f["findingId"], f["dismissed"]) for f in restored] == [
        (f["findingId"], f["findingId"] == found[1]["findingId"]) for f in found
    ]
    drawn = await again.event("findings.updated")
    assert drawn["event"]["findings"] == restored


@pytest.mark.asyncio
@pytest.mark.proves("E3")
async def test_a_fix_of_findings_may_write_their_files_and_knows_what_they_say(
    serve: Serve, models: ModelServer, workspace: Path, shop: Path
) -> None:
    a_review(models)
    client = await serve(config=team_config(models, *TEAM, extra=QUIET), trusted=True)
    launched = await reviewed(client, workspace)
    eval_finding, *_ = await findings_of(client, launched["sessionId"])
    await client.command("teamwright.modes", sessionId=launched["sessionId"], agentMode="single", agentId="beta")
    edit = tool("edit_file", path="shop.py", old="eval(open(name).read())", new="json.load(open(name))")
    models.model("beta").replies(calls(edit), text("No more eval."))
    fix = await client.command("teamwright.fix", findingIds=[eval_finding["findingId"]])
    assert fix["sessionId"] == launched["sessionId"], "it goes on where the findings are"
    change = await client.event("changes.proposed", lambda r: r["runId"] == fix["runId"])
    bearing = [message for message in client.arrived if fix["runId"] in str(message)]
    assert "result" in bearing[0], "the response precedes every event that bears its ids"
    assert "+    return json.load(open(name))" in change["event"]["changes"][0]["diff"]
    started = (await client.event("run.started", lambda r: r["runId"] == fix["runId"]))["event"]["spec"]
    assert started["contextPaths"] == [{"path": "shop.py", "permission": "write"}]
    assert eval_finding["detail"] in started["context"]
    assert started["task"].splitlines()[0] == f"Fix this finding: {eval_finding['title']}."
    assert "find_" not in started["context"]
    await client.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "changes")
    await client.command("teamwright.changes.discard", runId=fix["runId"])
    await client.event("run.finished", lambda r: r["runId"] == fix["runId"])


@pytest.mark.asyncio
@pytest.mark.proves("E3", "D1")
async def test_each_action_takes_the_live_selection_and_asks_by_the_policy(
    serve: Serve, models: ModelServer, workspace: Path, shop: Path
) -> None:
    client = await serve(config=team_config(models, *TEAM), trusted=True)
    uri = shop.as_uri()
    unsaved = SOURCE.replace("sum(items)", "total(items)")
    document = {"uri": uri, "languageId": "python", "version": 1, "text": unsaved}
    await client.notify("textDocument/didOpen", {"textDocument": document})
    (workspace / "tests").mkdir()
    lines = {"start": {"line": 3, "character": 0}, "end": {"line": 5, "character": 0}}
    specs: dict[str, Json] = {}
    for action in ("review", "explain", "fix", "test"):
        launched = await client.command(f"teamwright.{action}", uri=uri, range=lines, instructions="Mind the edges.")
        asked = await client.event(
            "decision.requested", lambda r, launched=launched: r["sessionId"] == launched["sessionId"]
        )
        assert asked["event"]["decision"]["decisionId"] == launched["decisionId"]
        specs[action] = asked["event"]["decision"]["detail"]["spec"]

    for spec in specs.values():
        assert 'path="shop.py" lines="4-5" language="py"' in spec["context"]
        assert "return total(items) / len(items)" in spec["context"], "what is on the screen, not on the disk"
        assert "lines 4-5 of `shop.py`" in spec["task"]
        assert "Besides: Mind the edges." in spec["task"]
    assert {action: spec["task"].split()[0] for action, spec in specs.items()} == {
        "review": "Review",
        "explain": "Explain",
        "fix": "Fix",
        "test": "Write",
    }
    assert {action: (spec["review"], spec["contextPaths"]) for action, spec in specs.items()} == {
        "review": (True, [{"path": "shop.py", "permission": "read"}]),
        "explain": (False, [{"path": "shop.py", "permission": "read"}]),
        "fix": (False, [{"path": "shop.py", "permission": "write"}]),
        "test": (False, [{"path": "tests", "permission": "write"}, {"path": "shop.py", "permission": "read"}]),
    }


@pytest.mark.asyncio
@pytest.mark.proves("E3")
async def test_the_changes_since_a_revision_are_reviewed_as_the_editor_shows_them(
    serve: Serve, models: ModelServer, workspace: Path, shop: Path
) -> None:
    await to_thread.run_sync(commit_and_change, shop)
    client = await serve(config=team_config(models, *TEAM), trusted=True)
    await client.command("teamwright.review", diff={"base": "HEAD"})
    asked = await client.event("decision.requested")
    spec = asked["event"]["decision"]["detail"]["spec"]
    assert spec["task"].startswith("Review the changes since `HEAD`.")
    assert "-import os" in spec["context"]
    assert (spec["review"], spec["contextPaths"]) == (True, [{"path": "shop.py", "permission": "read"}])


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("params", "refusal"),
    [
        ({}, (400, "uri: name a file, or give diff or findingIds instead")),
        ({"uri": "file:///elsewhere/x.py"}, (400, "uri: is in no folder of the workspace")),
        ({"uri": "{workspace}/gone.py"}, (404, "`gone.py` does not exist.")),
        ({"uri": "{workspace}/.env"}, (403, "`.env` cannot be given to the team: it may hold secrets.")),
        ({"findingIds": ["find_none"]}, (404, "There is no find_none in any session of this workspace.")),
    ],
)
async def test_what_cannot_be_looked_at_is_refused_and_makes_no_session(
    serve: Serve, models: ModelServer, workspace: Path, params: Json, refusal: tuple[int, str]
) -> None:
    client = await serve(config=team_config(models, *TEAM), trusted=True)
    if "uri" in params:
        params = {"uri": params["uri"].replace("{workspace}", workspace.as_uri())}
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.review", **params)
    assert (refused.value.code, str(refused.value)) == refusal
    assert await client.command("teamwright.session.list") == {"sessions": []}
