"""The real `quorate` command in a process of its own, on a machine that has nothing but what the test gives it."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

# What a child process needs to start at all on Windows, and to report its coverage.
_KEPT = ("SYSTEMROOT", "PATHEXT")
_KEPT_PREFIXES = ("COVERAGE",)


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


class Cli(Protocol):
    def __call__(self, *args: str | Path, env: Mapping[str, str] | None = None) -> Outcome: ...


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The directory where the command is run and the user's home. Nothing on its PATH."""
    path = tmp_path / "home"
    (path / "bin").mkdir(parents=True)
    return path


@pytest.fixture
def cli(home: Path) -> Cli:
    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(_KEPT_PREFIXES)}
    places = {name: str(home) for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME")}
    machine = {**kept, **places, "PATH": str(home / "bin"), "PYTHONUTF8": "1"}

    def run(*args: str | Path, env: Mapping[str, str] | None = None) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "quorate", *map(str, args)],
            env={**machine, **(env or {})},
            cwd=home,
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Outcome(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    return run
