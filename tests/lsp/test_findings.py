"""Findings in the editor: diagnostics that move with the text, and what is offered on them."""

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.test_reviews import QUIET, SOURCE, a_review, findings_of, reviewed
from tests.runtime.lines import TEAM
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer

LITERALS: Json = {
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor"]}},
            "tagSupport": {"valueSet": [1]},
        }
    }
}
TITLES = ["Review with team", "Explain with team", "Fix with team", "Write tests with team"]


def lines(first: int, last: int) -> Json:
    return {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}


async def marked(client: LspClient, uri: str, *expected: tuple[Json, int]) -> list[Json]:
    """The diagnostics of the document, once they are these findings at these lines."""
    wanted = [(finding["findingId"], line) for finding, line in expected]

    def found(diagnostics: list[Json]) -> list[tuple[str, int]]:
        return [(each["data"]["findingId"], each["range"]["start"]["line"]) for each in diagnostics]

    published = await client.notification(
        "textDocument/publishDiagnostics", lambda n: n["uri"] == uri and found(n["diagnostics"]) == wanted
    )
    assert not any("code" in each for each in published["diagnostics"]), "which people would read"
    return published["diagnostics"]


async def actions(client: LspClient, uri: str, at: Json, **context: Any) -> list[Json]:
    params: Json = {"textDocument": {"uri": uri}, "range": at, "context": {"diagnostics": [], **context}}
    return await client.request("textDocument/codeAction", params)


@pytest.fixture
def shop(workspace: Path) -> Path:
    path = workspace / "shop.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


@pytest.mark.asyncio
@pytest.mark.proves("E5", "E3")
async def test_findings_are_marked_with_their_agreement_move_with_the_text_and_vanish_when_dismissed(
    serve: Serve, models: ModelServer, workspace: Path, shop: Path
) -> None:
    a_review(models)
    client = await serve(config=team_config(models, *TEAM, extra=QUIET), trusted=True, capabilities=LITERALS)
    uri = shop.as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": SOURCE}
    await client.notify("textDocument/didOpen", {"textDocument": document})
    launched = await reviewed(client, workspace)
    found = await findings_of(client, launched["sessionId"])

    shown = await marked(client, uri, (found[0], 8), (found[1], 4), (found[2], 0))
    assert [(m["source"], m["severity"]) for m in shown] == [("teamwright", 1), ("teamwright", 1), ("teamwright", 4)]
    assert [m["message"][m["message"].rindex("(") :] for m in shown] == [
        "(3 of 3 agents)",
        "(2 of 3 agents)",
        "(1 of 3 agents)",
    ]

    typed = {"range": lines(2, 2), "text": "\n# a comment\n"}
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [typed]}
    await client.notify("textDocument/didChange", change)
    moved = await marked(client, uri, (found[0], 10), (found[1], 6), (found[2], 0))

    offered = await actions(client, uri, moved[2]["range"], diagnostics=[moved[2]], only=["quickfix"])
    ids = [f["findingId"] for f in found]
    assert [(a["title"], a["command"]["command"], a["command"]["arguments"], a.get("tags")) for a in offered] == [
        ("Fix with team", "teamwright.fix", [{"uri": uri, "range": lines(0, 1), "findingIds": [ids[2]]}], [1]),
        ("Fix all consensus issues", "teamwright.fix", [{"findingIds": ids[:2]}], [1]),
        ("Dismiss", "teamwright.finding.dismiss", [{"findingIds": [ids[2]]}], None),
    ]
    assert [a["diagnostics"] for a in offered] == [[moved[2]]] * 3
    bare = {key: value for key, value in moved[2].items() if key != "data"}
    kept = await actions(client, uri, bare["range"], diagnostics=[bare], only=["quickfix"])
    assert [a["command"] for a in kept] == [a["command"] for a in offered], "what a client forgets is known to us"

    dismiss = offered[2]["command"]
    await client.request("workspace/executeCommand", {"command": dismiss["command"], "arguments": dismiss["arguments"]})
    await marked(client, uri, (found[0], 10), (found[1], 6))

    gone = {"range": lines(10, 11), "text": ""}
    await client.notify(
        "textDocument/didChange", {"textDocument": {"uri": uri, "version": 3}, "contentChanges": [gone]}
    )
    await marked(client, uri, (found[1], 6))


@pytest.mark.asyncio
@pytest.mark.proves("E3")
async def test_a_selection_is_offered_to_the_team_as_far_as_the_client_asks(
    serve: Serve, models: ModelServer, shop: Path
) -> None:
    client = await serve(config=team_config(models, *TEAM), trusted=True, capabilities=LITERALS)
    uri = shop.as_uri()
    offered = await actions(client, uri, lines(3, 5))
    assert [a["title"] for a in offered] == TITLES
    assert offered[0] == {
        "title": "Review with team",
        "kind": "refactor.teamwright.review",
        "tags": [1],
        "command": {
            "title": "Review with team",
            "command": "teamwright.review",
            "arguments": [{"uri": uri, "range": lines(3, 5)}],
        },
    }
    only_fix = await actions(client, uri, lines(3, 5), only=["refactor.teamwright.fix"])
    assert [a["title"] for a in only_fix] == ["Fix with team"]
    assert len(await actions(client, uri, lines(3, 5), only=["refactor"])) == 4
    assert await actions(client, uri, lines(3, 5), only=["source"]) == []
    assert await actions(client, uri, lines(3, 3), triggerKind=2) == [], "no light bulb on every line"
    assert (await actions(client, uri, lines(3, 3)))[0]["command"]["arguments"] == [{"uri": uri}]


@pytest.mark.asyncio
@pytest.mark.proves("E3")
async def test_a_plain_client_is_offered_commands(serve: Serve, models: ModelServer, shop: Path) -> None:
    client = await serve(config=team_config(models, *TEAM), trusted=True)
    offered = await actions(client, shop.as_uri(), lines(3, 5))
    assert [(a["title"], a["command"]) for a in offered] == list(
        zip(TITLES, ["teamwright.review", "teamwright.explain", "teamwright.fix", "teamwright.test"], strict=True)
    )
