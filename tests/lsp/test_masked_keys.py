"""A provider that repeats the key that it was given: it reaches neither the client nor the log nor the disk."""

import json
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.doors import Serve
from tests.support.lsp_client import LspClient
from tests.support.model_server import ModelServer, Reply, answer, calls, fails, text, thinking, tool

pytestmark = pytest.mark.asyncio

KEY = "live-Qv7/x9+KEY-of-the-person-20261117"
HEADER = "header-value-of-the-person-99887766"
FORMS = {
    "as it is": KEY,
    "for a URL": quote(KEY, safe=""),
    "in base64": b64encode(f"user:{KEY}".encode()).decode(),
    "its beginning": KEY[:20],
    "of a header": HEADER,
}


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONG_KEY", KEY)
    monkeypatch.setenv("LONG_HEADER", HEADER)


def config_of(models: ModelServer) -> str:
    return (
        "agents:\n  - id: alpha\n    backend: "
        f"{{type: chatcompletion, model: alpha, base_url: '{models.openai_url}', api_key: '${{LONG_KEY}}', "
        "headers: {X-Person: 'Token ${LONG_HEADER}'}}\n"
    )


def leaks(form: str, client: LspClient, state: Path) -> list[str]:
    """Where so much of the key stands that somebody could make use of it."""
    parts = {form[at : at + 12] for at in range(len(form) - 11)}
    said = json.dumps([client.arrived, client.events, client.notifications], ensure_ascii=False)
    places = {"the client": said}
    for path in state.rglob("*"):
        if path.is_file():
            places[path.name] = path.read_bytes().decode("utf-8", "replace")
    return [place for place, held in places.items() if any(part in held for part in parts)]


def replies(form: str) -> dict[str, Reply]:
    return {
        "a 400": fails(400, f"The key {form} is not one we like."),
        "a 401": fails(401, f"{form}: no such key"),
        "a 422": fails(422, f"header Authorization: Bearer {form}"),
        "a text": text("You ", "sent ", form[:7], form[7:], " to me."),
        "a thought": answer(thinking("Hm, ", form[:9], form[9:]), "Yes."),
        "a call of no tool": calls(tool(f"call_{form[:30].replace('/', '_')}")),
        "a call with it": calls(tool("list_files", glob=f"*{form}")),
    }


async def said(client: LspClient, message: str) -> None:
    chat = await client.command("teamwright.chat", text=message)
    await client.event("turn.finished", lambda record: record["turnId"] == chat["turnId"])


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
async def test_a_key_that_a_provider_repeats_reaches_neither_client_nor_disk(
    serve: Serve, models: ModelServer, tmp_path: Path, form: str, capfd: pytest.CaptureFixture[str]
) -> None:
    client = await serve(config=config_of(models))
    for name, reply in replies(form).items():
        models.model("alpha").replies(reply, *([text("Done.")] if name.startswith("a call") else ()))
        await said(client, name)
    models.model("alpha").always(text("Well, ", "now.").breaks(fails(400, f"bad {form}")))
    await said(client, "An error in mid-answer.")
    assert leaks(form, client, tmp_path / "state") == []
    assert form not in capfd.readouterr().err


async def test_a_masked_text_is_shown_around_the_key(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("You ", "sent ", KEY, " to me."))
    client = await serve(config=config_of(models))
    await client.command("teamwright.chat", text="What did I send?")
    await client.event("turn.finished")
    items = [record["event"]["item"] for record in client.events if record["event"]["type"] == "item.finished"]
    assert items[-1]["text"] == "You sent *** to me."
