"""What did not win is not lost: another answer's changes are looked at, with their checks, and applied instead."""

from pathlib import Path

import pytest

from tests.lsp.test_transcript import Screen, opened
from tests.support.doors import Serve, team_config
from tests.support.failing_project import BROKEN, MENDED, TEAM, checks_config, script_team, write_project
from tests.support.lsp_client import Json, LspError
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.asyncio

PROPOSE = "Propose gamma's changes instead"


@pytest.fixture
def project(workspace: Path) -> Path:
    write_project(workspace)
    return workspace


async def discarded(serve: Serve, models: ModelServer) -> tuple[Screen, Json]:
    """A run whose winner a person did not want."""
    script_team(models)
    config = team_config(models, *TEAM, extra=checks_config("prefer"))
    client = await serve(config=config, trusted=True, transcript=True)
    run = await client.command(
        "teamwright.launch_run",
        task="Make the tests pass.",
        contextPaths=[{"path": ".", "permission": "write"}],
        approval="given",
    )
    screen = Screen(client, run["sessionId"])
    await screen.until("changes (waiting) Changes to 1 file")
    assert PROPOSE not in labels(screen), "the run itself is not done with its own"
    await screen.act("Discard")
    await screen.until("run (done) Make the tests pass.")
    return screen, run


def labels(screen: Screen) -> list[str]:
    return [action["label"] for entry in screen.drawn.entries for action in entry["actions"]]


def changes(screen: Screen) -> list[tuple[str, str, list[str]]]:
    """Each card, how it stands and what can be done about it."""
    return [
        (entry["title"], entry["state"], [action["label"] for action in entry["actions"]])
        for entry in screen.drawn.of_kind("changes")
    ]


@pytest.mark.proves("G2", "G4")
async def test_another_answers_changes_are_shown_with_their_checks_applied_and_taken_back(
    serve: Serve, models: ModelServer, project: Path
) -> None:
    screen, run = await discarded(serve, models)
    await screen.act(PROPOSE)
    await screen.until("changes (info) gamma's changes to 1 file")
    assert (project / "calc.py").read_text() == BROKEN, "nothing is written by looking"
    assert changes(screen) == [
        ("Changes to 1 file, not applied", "cancelled", []),
        ("gamma's changes to 1 file", "info", ["Apply", "Discard", "Check again", "Open the diff"]),
    ]
    card = screen.drawn.of_kind("changes")[-1]
    (table,) = [part for part in card["parts"] if part["kind"] == "table"]
    assert [cell["text"] for cell in table["data"]["rows"][0]["cells"]] == ["tests", "passed", "2", "0", "0"]
    (diff,) = [part for part in card["parts"] if part["kind"] == "diff"]
    assert diff["data"]["hunks"][0]["lines"][-1] == "+    return a + b"
    again = await opened(screen.client, run["sessionId"])
    assert changes(again) == changes(screen)

    await screen.act("Apply")
    await screen.until("changes (done) Changed 1 file")
    assert (project / "calc.py").read_text() == MENDED
    assert not [label for label in labels(screen) if label.startswith("Propose")], "one at a time"
    await screen.act("Undo")
    await screen.until("changes (cancelled) gamma's changes to 1 file, undone")
    assert (project / "calc.py").read_text() == BROKEN


async def test_a_run_that_is_at_work_proposes_by_itself(serve: Serve, models: ModelServer, project: Path) -> None:
    screen, run = await discarded(serve, models)
    with pytest.raises(LspError, match="There is no such answer of this run, or it changes no file"):
        await screen.client.command("teamwright.changes.propose", runId=run["runId"], answerId="ans_nowhere")
    await screen.act("Propose beta's changes instead")
    await screen.until("changes (info) beta's changes to 1 file")
    await screen.act("Discard")
    await screen.until("changes (cancelled) beta's changes to 1 file, not applied")
    assert (project / "calc.py").read_text() == BROKEN
