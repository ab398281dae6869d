"""Commands without a sandbox, where the user's own configuration says so: in a copy all the same."""

import secrets
from pathlib import Path

import pytest

from teamwright.permissions.paths import WorkspacePath
from teamwright.permissions.rules import Roots
from teamwright.workspace.copies.sandbox import CommandLimits
from teamwright.workspace.copies.staging import StagedFile
from teamwright.workspace.copies.working_copy import CopyCommand, WorkingCopy
from tests.support.patience import PATIENCE_SECONDS
from tests.workspace.boxes import Box, files_below, processes_with
from tests.workspace.desk import Desk

pytestmark = pytest.mark.asyncio


@pytest.fixture(autouse=True)
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of it may be needed; the programs of the system are."""
    for name in ("sh", "env", "cat", "ls", "rm", "sleep"):
        tmp_path.joinpath(name).symlink_to(Path("/bin", name))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("SOME_API_KEY", "secret")


async def test_it_works_on_a_copy_elsewhere_and_ignored_files_are_the_users_own(desk: Desk) -> None:
    desk.put("src/a.py", "a\n")
    desk.put(".env", "closed\n")
    desk.put(".gitignore", "build/\n")
    desk.put("build/made.txt", "made\n")
    desk.put(".git/HEAD", "ref: refs/heads/main\n")
    desk.edit("src/a.py", "typed\n")
    before = files_below(desk.folder)
    script = "cat src/a.py build/made.txt; echo changed > src/a.py; rm -r src; ls -A; echo $HOME; echo [$SOME_API_KEY]"
    said = await Box(desk).says(script, sandbox="none")
    assert said == f"typed\nmade\n.gitignore\nbuild\n{Path.home()}\n[]\n"
    assert files_below(desk.folder) == before


async def test_what_it_writes_is_the_agents_change(desk: Desk) -> None:
    desk.put("a.py", "a\n")
    desk.put(".gitignore", "build/\n")
    desk.put("build/made.txt", "made\n")
    agent = desk.agent()
    limits = CommandLimits(seconds=PATIENCE_SECONDS)
    script = "echo more >> a.py; echo note > $TEAMWRIGHT_SCRATCH/note.txt"
    command = CopyCommand(("sh", "-c", script), WorkspacePath("app"), limits, sandbox="none")
    end, left_out = await WorkingCopy(agent, Roots(write=(WorkspacePath("app"),))).run(command)
    assert (end.how, end.exit_code, end.output, left_out) == ("exited", 0, "", [])
    assert agent.difference() == (StagedFile(desk.path("a.py"), "a\n", "a\nmore\n"),)


async def test_one_that_hangs_is_ended_with_what_it_started(desk: Desk) -> None:
    word = f"77{secrets.randbelow(10**9)}"
    script = f"trap '' TERM; sleep {word} & echo begun; wait"
    end = await Box(desk).shell(script, sandbox="none", limits=CommandLimits(seconds=2))
    assert (end.how, end.output) == ("timed_out", "begun\n")
    assert processes_with(word) == []
