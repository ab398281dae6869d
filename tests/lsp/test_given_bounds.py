"""What a client hands over has a measure, too: sessions to import and files to look at, by size, number and depth."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import LspError
from tests.support.model_server import ModelServer, text

pytestmark = pytest.mark.asyncio

CREATED: dict[str, Any] = {
    "v": 1,
    "seq": 1,
    "at": "2026-11-16T08:30:00Z",
    "sessionId": "ses_1a1ea02a1897f60dd8bda",
    "event": {
        "type": "session.created",
        "session": {
            "sessionId": "ses_1a1ea02a1897f60dd8bda", "title": "t", "createdAt": "2026-11-16T08:30:00Z",
            "updatedAt": "2026-11-16T08:30:00Z", "lastMessage": "", "turns": 0, "runs": 0, "busy": False,
            "pendingDecisions": 0, "modes": {},
        },
    },
}  # fmt: skip
DEEP = "[" * 200_000 + "]" * 200_000


def log(*records: str) -> str:
    listed = ",\n".join((json.dumps(CREATED), *records))
    return f'{{"format": "teamwright.session", "version": 1, "records": [{listed}]}}'


@pytest.mark.parametrize(
    ("exported", "says"),
    [
        ("x" * 32_000_001, "32000000"),
        (log(*["{}"] * 500_001), "more than 500,000 records"),
        (DEEP, "this is not an exported session: it is not JSON"),
    ],
    ids=["too long", "too many records", "too deep"],
)
async def test_an_import_without_measure_is_refused_with_a_sentence(
    serve: Serve, models: ModelServer, exported: str, says: str
) -> None:
    client = await serve(config=team_config(models, "alpha"))
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.session.import", text=exported)
    assert refused.value.code == 400
    assert says in json.dumps(refused.value.data)
    assert (await client.command("teamwright.session.list"))["sessions"] == []


async def test_a_record_that_is_too_deep_is_no_record(serve: Serve, models: ModelServer) -> None:
    client = await serve(config=team_config(models, "alpha"))
    event = f'{{"type":"turn.queued","text":"x","attachments":{DEEP}}}'
    deep = f'{{"v":1,"at":"2026-11-16T08:30:00Z","event":{event}}}'
    with pytest.raises(LspError, match="not an exported session"):
        await client.command("teamwright.session.import", text=log(deep))
    imported = await client.command("teamwright.session.import", text=log(json.dumps(deep)))
    stats = await client.command("teamwright.session.stats", sessionId=imported["sessionId"])
    assert stats["turns"] == 0


def attached(*uris: str) -> list[dict[str, Any]]:
    return [{"uri": uri} for uri in uris]


@pytest.mark.parametrize("uris", [["file:///a"] * 201, ["file:///" + "a" * 40_000]], ids=["too many", "too long"])
async def test_attachments_without_measure_are_refused(serve: Serve, models: ModelServer, uris: list[str]) -> None:
    client = await serve(config=team_config(models, "alpha"))
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.chat", text="Look.", attachments=attached(*uris))
    assert refused.value.code == 400
    assert all(fault["path"].startswith("attachments") for fault in refused.value.data["errors"])


async def test_of_many_and_large_attachments_as_much_is_shown_as_fits(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    """And what is no file is waited for by nobody."""
    (workspace / "large.txt").write_text("large\n" * 200_000, encoding="utf-8")
    with (workspace / "huge.bin").open("wb") as huge:
        huge.truncate(4 << 30)
    os.mkfifo(workspace / "pipe")
    (workspace / "device").symlink_to("/dev/zero")
    many = [workspace / f"f{number}.txt" for number in range(196)]
    for path in many:
        path.write_text("small\n", encoding="utf-8")
    models.model("alpha").replies(text("Seen."))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    named = [workspace / name for name in ("large.txt", "huge.bin", "pipe", "device")]
    uris = [path.as_uri() for path in (*named, *many)]
    await client.command("teamwright.chat", text="Look.", attachments=attached(*uris))
    assert (await client.event("turn.finished"))["event"]["outcome"] == "completed"
    (request,) = models.requests
    assert len(request.text) < 100_000
    assert "[The user attached 180 more files; they are not shown.]" in request.text
