"""Writing a configuration with the server's help."""

from pathlib import Path

import pytest

from tests.support.doors import Serve
from tests.support.lsp_client import Json, LspClient


async def diagnostics(client: LspClient, uri: str, count: int) -> list[Json]:
    """The first list of so many."""
    published = await client.notification(
        "textDocument/publishDiagnostics",
        lambda n: n["uri"] == uri and len(n["diagnostics"]) == count,
    )
    return published["diagnostics"]


def places(found: list[Json]) -> list[tuple[int, int, int, int]]:
    return [
        (d["severity"], d["range"]["start"]["line"], d["range"]["start"]["character"], d["range"]["end"]["character"])
        for d in found
    ]


async def opened(client: LspClient, path: Path, text: str) -> str:
    document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
    await client.notify("textDocument/didOpen", {"textDocument": document})
    return path.as_uri()


async def completed(client: LspClient, uri: str, line: int, character: int) -> list[Json]:
    at = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    return await client.request("textDocument/completion", at)


@pytest.mark.asyncio
@pytest.mark.proves("E8", "F5")
async def test_faults_are_shown_at_their_place_as_the_user_types(serve: Serve, workspace: Path) -> None:
    client = await serve(trusted=True)
    text = "orchestrator:\n  # 😀\n  voting_sensitivity: '😀 severe'\n  enable_web_search: true\nagents: nobody\n"
    uri = await opened(client, workspace / "teamwright.yaml", text)
    found = await diagnostics(client, uri, 3)
    assert places(found) == [(1, 2, 22, 33), (1, 4, 8, 14), (2, 3, 2, 19)]
    assert {d["source"] for d in found} == {"teamwright"}
    assert found[0]["message"].startswith("orchestrator.voting_sensitivity: ")

    better = {"text": "orchestrator:\n  voting_sensitivity: strict\n"}
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [better]}
    await client.notify("textDocument/didChange", change)
    assert await diagnostics(client, uri, 0) == []


@pytest.mark.asyncio
@pytest.mark.proves("E8")
async def test_keys_values_and_variables_are_completed_and_explained(serve: Serve, workspace: Path) -> None:
    client = await serve(trusted=True)
    text = (
        "agents:\n"
        "  - id: one\n"
        "    backend:\n"
        "      type: cla\n"
        "      api_key: ${\n"
        "      \n"
        "orchestrator:\n"
        "  voting_sensitivity: \n"
    )
    uri = await opened(client, workspace / ".teamwright" / "config.yaml", text)
    types = {item["label"]: item["textEdit"] for item in await completed(client, uri, 3, 15)}
    assert types["claude_code"] == {
        "range": {"start": {"line": 3, "character": 12}, "end": {"line": 3, "character": 15}},
        "newText": "claude_code",
    }
    variables = [item["textEdit"]["newText"] for item in await completed(client, uri, 4, 17)]
    assert "${SCRIPTED_KEY}" in variables
    assert "${ANTHROPIC_API_KEY}" in variables
    keys = [item["label"] for item in await completed(client, uri, 5, 6)]
    assert "model" in keys
    assert "type" not in keys, "it is there already"
    assert [item["label"] for item in await completed(client, uri, 7, 22)] == ["lenient", "balanced", "strict"]

    at = {"textDocument": {"uri": uri}, "position": {"line": 7, "character": 6}}
    shown = await client.request("textDocument/hover", at)
    assert shown["contents"]["value"].startswith("**voting_sensitivity**\n\nHow critical agents are when they vote")
    elsewhere = await opened(client, workspace / "other.yaml", text)
    assert await completed(client, elsewhere, 3, 15) == []


@pytest.mark.asyncio
@pytest.mark.proves("E8")
async def test_a_file_of_an_untrusted_workspace_says_that_it_is_not_in_force(serve: Serve, workspace: Path) -> None:
    client = await serve()
    text = "mcp_servers:\n  - {name: x, command: no-such-program}\n"
    uri = await opened(client, workspace / "teamwright.yaml", text)
    (told,) = await diagnostics(client, uri, 1)
    assert (told["severity"], told["message"]) == (3, "This file is not in force: trust this workspace to use it.")
    await client.notify("workspace/didChangeConfiguration", {"settings": {"teamwright": {"trusted": True}}})
    missing = await client.notification(
        "textDocument/publishDiagnostics",
        lambda n: "the program no-such-program is not on the PATH" in str(n["diagnostics"]),
    )
    assert len(missing["diagnostics"]) == 1
