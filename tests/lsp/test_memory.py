"""What the assistant remembers it remembers by a person's word, with its origin; an untrusted workspace has no part."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.test_tool_questions import answer, ended, question
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import LspClient
from tests.support.model_server import ModelServer, calls, text, tool

BOTH = pytest.mark.parametrize("key", ["user_memory", "memory"])


class Keeper:
    """An assistant that wants to remember something."""

    def __init__(self, serve: Serve, models: ModelServer, home: Path, workspace: Path) -> None:
        self.serve = serve
        self.models = models
        # Beside the user's configuration, and in the workspace.
        self.files = {"user_memory": home / "MEMORY.md", "memory": workspace / ".teamwright" / "MEMORY.md"}

    def remembered(self, key: str) -> str | None:
        file = self.files[key]
        return file.read_text(encoding="utf-8") if file.exists() else None

    async def asked_to_remember(self, key: str, *, trusted: bool = True, **more: Any) -> LspClient:
        client = await self.serve(config=team_config(self.models, "alpha"), trusted=trusted)
        self.models.model("alpha").replies(calls(tool("update_project", **{key: "Likes\u202e tabs."})), text("Done."))
        await client.command("teamwright.chat", text="Remember that.", **more)
        return client


@pytest.fixture
def keeper(serve: Serve, models: ModelServer, tmp_path: Path, workspace: Path) -> Keeper:
    return Keeper(serve, models, tmp_path, workspace)


@pytest.mark.asyncio
@BOTH
async def test_it_is_written_by_a_persons_word_and_says_where_it_comes_from(keeper: Keeper, key: str) -> None:
    client = await keeper.asked_to_remember(key)
    decision = await question(client)
    today = f"workspace, {datetime.now(UTC).date().isoformat()}"
    assert decision["kind"] == "memory"
    assert decision["detail"] == {
        "text": "Likes⟨U+202E⟩ tabs.",
        "origin": today,
        "of": "user" if key == "user_memory" else "workspace",
    }
    assert [choice["id"] for choice in decision["choices"]] == ["approve", "cancel"]
    assert keeper.remembered(key) is None
    await answer(client, decision, "approve")
    assert await ended(client) == ["succeeded"]
    assert f"Likes\u202e tabs. (from {today})" in (keeper.remembered(key) or "")


@pytest.mark.asyncio
@BOTH
async def test_without_a_word_or_with_a_no_nothing_is_written(keeper: Keeper, key: str) -> None:
    client = await keeper.asked_to_remember(key)
    await answer(client, await question(client), "cancel")
    assert await ended(client) == ["failed"]
    assert keeper.remembered(key) is None


@pytest.mark.asyncio
@BOTH
@pytest.mark.parametrize("how", ["untrusted", "autonomous"])
async def test_where_nobody_is_asked_or_nothing_trusted_it_is_refused(keeper: Keeper, key: str, how: str) -> None:
    more = {"modes": {"autonomy": "autonomous"}} if how == "autonomous" else {}
    client = await keeper.asked_to_remember(key, trusted=how != "untrusted", **more)
    assert await ended(client) == ["failed"]
    assert keeper.remembered(key) is None


@pytest.mark.asyncio
async def test_an_untrusted_workspace_is_not_told_what_is_known_of_the_user(keeper: Keeper) -> None:
    keeper.files["user_memory"].write_text("Lives in Bonn.", encoding="utf-8")
    keeper.models.model("alpha").always(text("Hello."))
    for trusted in (False, True):
        client = await keeper.serve(config=team_config(keeper.models, "alpha"), trusted=trusted)
        await client.command("teamwright.chat", text="Hi.")
        await client.event("turn.finished")
    prompts = [request.text for request in keeper.models.requests_to("alpha")]
    assert ["Lives in Bonn." in prompt for prompt in prompts] == [False, True]


@pytest.mark.asyncio
async def test_the_question_outlives_the_server(keeper: Keeper) -> None:
    client = await keeper.asked_to_remember("user_memory")
    decision = await question(client)
    await client.kill()
    later = await keeper.serve(config=team_config(keeper.models, "alpha"), trusted=True)
    await answer(later, decision, "approve")
    await later.event("turn.finished")
    assert "Likes\u202e tabs." in (keeper.remembered("user_memory") or "")


@pytest.mark.asyncio
async def test_the_question_is_drawn_as_plain_text(keeper: Keeper) -> None:
    client = await keeper.asked_to_remember("user_memory")
    asked = await client.event("decision.requested")
    opened = await client.command("teamwright.session.open", sessionId=asked["sessionId"])
    (entry,) = [each for each in opened["transcript"]["entries"] if each["kind"] == "decision"]
    assert entry["title"] == "Remember this of you, in every workspace?"
    assert (entry["parts"][0]["kind"], entry["parts"][0]["text"]) == ("plain", "Likes⟨U+202E⟩ tabs.")
    assert [each["label"] for each in entry["actions"]] == ["Remember it", "Do not"]
