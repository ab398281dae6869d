"""A folder whose files have the names of what the server imports: none of them is ever run."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_SECONDS

# All that a server loads on its way to its first answer, and its offline team.
_LOADED = """
import sys
import teamwright.application, teamwright.cli.dispatch, teamwright.lsp.serve, teamwright.models.offline
import teamwright.runtime.services
print("\\n".join({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.fixture(scope="module")
def names() -> frozenset[str]:
    loaded = subprocess.run(
        [sys.executable, "-P", "-c", _LOADED], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True
    )
    return frozenset(name for name in loaded.stdout.split() if name.isidentifier() and not name.startswith("__"))


@pytest.fixture
def hostile(tmp_path: Path, names: frozenset[str]) -> Path:
    folder = tmp_path / "hostile"
    folder.mkdir()
    trap = f"open({str(tmp_path / 'it ran')!r}, 'w').close()\n"
    for name in {*names, "sitecustomize", "usercustomize"}:
        (folder / f"{name}.py").write_text(trap, encoding="utf-8")
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(trap, encoding="utf-8")
    (folder / "trap.pth").write_text(f"import os; {trap}", encoding="utf-8")
    return folder


def started(argv: list[str], folder: Path) -> None:
    subprocess.run(argv, cwd=folder, input=b"", capture_output=True, timeout=PATIENCE_SECONDS, check=False)


def test_the_program_imports_nothing_from_the_folder_that_it_is_started_in(hostile: Path, tmp_path: Path) -> None:
    program = str(Path(sysconfig.get_path("scripts")) / "teamwright")
    for argv in ([program], [sys.executable, "-P", "-m", "teamwright"]):
        for command in (["--version"], ["serve"], ["check"], ["sessions", "list"]):
            started([*argv, *command], hostile)
            assert not (tmp_path / "it ran").exists(), (argv, command)


def test_the_trap_works(hostile: Path, tmp_path: Path) -> None:
    started([sys.executable, "-m", "teamwright", "--version"], hostile)
    assert (tmp_path / "it ran").exists(), "else the other test proves nothing"
