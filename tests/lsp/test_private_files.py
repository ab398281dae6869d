"""Everything that we keep is for the user's eyes alone, whatever the umask is."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(directory: Path) -> list[str]:
    return sorted(
        str(path.relative_to(directory))
        for path in directory.rglob("*")
        if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077
    )


async def test_nothing_of_a_run_can_be_read_by_others(
    serve: Serve, models: ModelServer, tmp_path: Path, workspace: Path
) -> None:
    secret = workspace / "secret.txt"
    secret.write_text("one\n", encoding="utf-8")
    secret.chmod(0o600)
    models.model("alpha").replies(
        calls(tool("write_file", path="secret.txt", content="two\n")),
        calls(tool("write_file", path="scratch/notes.md", content="mine\n")),
        text("Changed."),
    )
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    await client.command(
        "teamwright.launch_run",
        task="Change it.",
        agentMode="single",
        approval="given",
        contextPaths=[{"path": ".", "permission": "write"}],
    )
    await client.event("changes.proposed")
    assert any((tmp_path / "state").rglob("sessions.db-wal"))
    assert open_to_others(tmp_path / "state") == []
