"""The first command of a stranger, in a tree that has nothing built yet."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("Makefile", "pyproject.toml", "README.md", "LICENSE", "requirements.lock", "requirements-dev.lock")


@pytest.mark.slow
def test_make_run_sets_up_and_reviews_a_sample_and_the_second_time_only_reviews(tmp_path: Path) -> None:
    for name in NEEDED:
        shutil.copy(ROOT / name, tmp_path)
    for name in ("server", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))

    first, second = make_run(tmp_path), make_run(tmp_path)

    assert first.stderr.decode().splitlines()[0] == "setup.sh: building .venv-run"
    assert second.stderr.decode() == ""
    for run in (first, second):
        assert run.returncode == 0
        assert "  Error, 3 of 3 agents: Secret written into the source (invoices.py, line 9)" in run.stdout.decode()
        assert "  your own code  .venv-run/bin/teamwright review PATH" in run.stdout.decode()


def make_run(tree: Path) -> subprocess.CompletedProcess[bytes]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("TEAMWRIGHT_", "MAKE"))}
    return subprocess.run(
        ["make", "run"],
        cwd=tree,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=180,
        check=False,
    )
