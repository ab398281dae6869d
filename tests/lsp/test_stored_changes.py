"""What lies in the state directory is data: it is judged anew when it is used, and removed without leaving it."""

import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from teamwright.protocol.ids import RunId, SessionId
from teamwright.store.directories import workspace_directory
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore
from teamwright.workspace.copies.staging import Blobs
from teamwright.workspace.files.safe_files import Root
from tests.lsp.changing import approved, proposed
from tests.store.facts import created, run_started
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, tool

pytestmark = pytest.mark.asyncio


def _elsewhere(parts: list[str]) -> Callable[[Json], None]:
    def forge(change: Json) -> None:
        change["parts"] = parts

    return forge


def _hook(change: Json) -> None:
    """Of the address that is shown nothing is changed."""
    change["parts"] = [".git", "hooks", "pre-commit"]


def _address_too(change: Json) -> None:
    change["uri"] = change["uri"].replace("notes.txt", ".git/hooks/pre-commit")
    change["parts"] = [".git", "hooks", "pre-commit"]


def _other_words(change: Json) -> None:
    change["after"] = change["before"]
    change["before"] = None


FORGERIES: dict[str, Callable[[Json], None]] = {
    "a hook under a harmless address": _hook,
    "a hook by its address": _address_too,
    "upwards": _elsewhere(["..", "outside.txt"]),
    "absolute": _elsewhere(["/tmp/outside.txt"]),
    "in one part": _elsewhere(["../outside.txt"]),
    "other words than were shown": _other_words,
}


async def left_behind(client: LspClient, models: ModelServer, tmp_path: Path) -> tuple[str, Path]:
    """A run that was cut short at its question, and where its change set lies."""
    run_id = await proposed(client, models, tool("write_file", path="notes.txt", content="new\n"))
    await client.command("teamwright.cancel", runId=run_id)
    await client.event("run.finished", lambda r: r["runId"] == run_id)
    return run_id, ledger_of(run_id, tmp_path)


def ledger_of(run_id: str, tmp_path: Path) -> Path:
    (ledger,) = tmp_path.glob(f"state/workspaces/*/runs/{run_id}/changes.json")
    return ledger


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_a_change_set_that_somebody_else_wrote_is_neither_shown_nor_made(
    serve: Serve, models: ModelServer, tmp_path: Path, workspace: Path, forgery: str
) -> None:
    (workspace / "notes.txt").write_text("old\n", encoding="utf-8")
    (workspace / ".git" / "hooks").mkdir(parents=True)
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    run_id, ledger = await left_behind(client, models, tmp_path)
    recorded = json.loads(ledger.read_text(encoding="utf-8"))
    FORGERIES[forgery](recorded["changes"][0])
    recorded["changes"][0]["state"] = "proposed"
    ledger.write_text(json.dumps(recorded), encoding="utf-8")
    before = snapshot(workspace)

    settled = (await client.command("teamwright.changes.apply", runId=run_id))["settled"]

    assert [file["outcome"] for file in settled] == ["rejected"]
    assert snapshot(workspace) == before
    assert not (tmp_path / "outside.txt").exists()
    if forgery != "other words than were shown":
        with pytest.raises(LspError) as refused:
            await client.command("teamwright.changes.open", runId=run_id, uri=recorded["changes"][0]["uri"])
        assert refused.value.code == 403


async def test_what_a_long_diff_does_not_show_is_held_too(
    serve: Serve, models: ModelServer, tmp_path: Path, workspace: Path
) -> None:
    """The text is as long as the one that was shown and differs only behind what was."""
    shown = "".join(f"line {number} of many that are all alike\n" for number in range(3_000))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    run_id = await proposed(client, models, tool("write_file", path="long.txt", content=f"{shown}harmless\n"))
    await client.command("teamwright.cancel", runId=run_id)
    await client.event("run.finished", lambda r: r["runId"] == run_id)
    ledger = ledger_of(run_id, tmp_path)
    recorded = json.loads(ledger.read_text(encoding="utf-8"))
    forged = Blobs(Root(ledger.parent, private=True)).put_text(f"{shown}harmful!\n")
    recorded["changes"][0] |= {"state": "proposed", "after": forged}
    ledger.write_text(json.dumps(recorded), encoding="utf-8")

    (settled,) = (await client.command("teamwright.changes.apply", runId=run_id))["settled"]

    assert (settled["outcome"], snapshot(workspace)) == ("rejected", {})


@pytest.mark.parametrize("forgery", [name for name in FORGERIES if name != "other words than were shown"])
async def test_what_somebody_else_wrote_is_not_taken_back(
    serve: Serve, models: ModelServer, tmp_path: Path, workspace: Path, forgery: str
) -> None:
    """A forged receipt would have a file deleted or written that the run never touched."""
    (workspace / "notes.txt").write_text("old\n", encoding="utf-8")
    (workspace / ".git" / "hooks").mkdir(parents=True)
    for precious in (workspace / ".git" / "hooks" / "pre-commit", tmp_path / "outside.txt"):
        precious.write_text("new\n", encoding="utf-8")
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    run_id = await proposed(client, models, tool("write_file", path="notes.txt", content="new\n"))
    await approved(client, run_id)
    await client.event("run.finished", lambda r: r["runId"] == run_id)
    ledger = ledger_of(run_id, tmp_path)
    recorded = json.loads(ledger.read_text(encoding="utf-8"))
    assert recorded["changes"][0]["state"] == "applied"
    FORGERIES[forgery](recorded["changes"][0])
    ledger.write_text(json.dumps(recorded), encoding="utf-8")
    before = snapshot(workspace)

    settled = (await client.command("teamwright.changes.undo", runId=run_id))["settled"]

    assert [file["outcome"] for file in settled] == ["conflicted"]
    assert snapshot(workspace) == before
    assert (tmp_path / "outside.txt").read_text(encoding="utf-8") == "new\n"


async def test_what_has_become_protected_is_not_written_any_more(
    serve: Serve, models: ModelServer, tmp_path: Path, workspace: Path
) -> None:
    (workspace / "notes.txt").write_text("old\n", encoding="utf-8")
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    run_id, _ = await left_behind(client, models, tmp_path)
    await client.kill()
    guard = "orchestrator: {context_paths: [{path: ., permission: write, protected_paths: [notes.txt]}]}\n"
    later = await serve(config=team_config(models, "alpha", extra=guard), trusted=True)

    (settled,) = (await later.command("teamwright.changes.apply", runId=run_id))["settled"]

    assert (settled["outcome"], settled["reason"]) == ("rejected", "`notes.txt` is protected by the configuration")
    assert (workspace / "notes.txt").read_text(encoding="utf-8") == "old\n"


async def test_what_is_removed_with_a_session_lies_in_our_own_directory(
    serve: Serve, models: ModelServer, tmp_path: Path, workspace: Path
) -> None:
    """Neither by a name nor by a link does the removal get out of it."""
    place = workspace_directory(tmp_path / "state", [workspace])
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "kept.txt").write_text("kept", encoding="utf-8")
    store = await SqliteStore.open(place, Owner.this_process("a test"))
    session_id = SessionId("ses_old")
    runs = [RunId("run_link"), RunId("run_inner")]
    await store.append(session_id, [created(session_id), *(run_started(run, session_id) for run in runs)])
    await store.delete(session_id, datetime.now(UTC) - timedelta(days=31))
    await store.close()
    (place / "runs" / "run_inner").mkdir(parents=True)
    (place / "runs" / "run_link").symlink_to(precious, target_is_directory=True)
    (place / "runs" / "run_inner" / "away").symlink_to(precious, target_is_directory=True)
    (place / "runs" / "run_inner" / "notes.txt").write_text("gone", encoding="utf-8")
    # As if somebody had written to the database: a name that is a path.
    with sqlite3.connect(next(place.glob("*.db"))) as database:
        database.execute("UPDATE events SET run_id = '../../../../precious' WHERE run_id = 'run_link'")
    database.close()

    client = await serve(config=team_config(models, "alpha"))
    await client.command("teamwright.session.list")

    assert (precious / "kept.txt").read_text(encoding="utf-8") == "kept"
    assert not (place / "runs" / "run_inner").exists()
