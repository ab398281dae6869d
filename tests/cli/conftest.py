"""The real `teamwright` command in a process of its own, on a machine that has nothing but what the test gives it."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.pseudo_terminal import PseudoTerminal
from tests.support.patience import PATIENCE_SECONDS

# What a child process needs to start at all on Windows, and to report its coverage.
_KEPT = ("SYSTEMROOT", "PATHEXT")
_KEPT_PREFIXES = ("COVERAGE",)


# Python ignores the signal, and gets an error when it writes. Compiled modules would be written by halves.
_ON_A_FULL_DISK = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
os.execv(sys.argv[2], sys.argv[2:])
"""


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


class Cli:
    """Call it to run the command to its end; `on_terminal` leaves it running in front of you."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._terminals: list[PseudoTerminal] = []
        kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(_KEPT_PREFIXES)}
        places = {name: str(home) for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME")}
        self.environ = {**kept, **places, "PATH": str(home / "bin"), "PYTHONUTF8": "1"}

    def __call__(
        self,
        *args: str | Path,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        most_bytes: int | None = None,
    ) -> Outcome:
        """With `most_bytes` the kernel refuses to let a file grow beyond, as a full disk does."""
        command, environ = [sys.executable, "-m", "teamwright", *map(str, args)], {**self.environ, **(env or {})}
        if most_bytes is not None:
            command = [sys.executable, "-c", _ON_A_FULL_DISK, str(most_bytes), *command]
            # What measures the tests would complain of the disk, too.
            environ = {name: value for name, value in environ.items() if not name.startswith(_KEPT_PREFIXES)}
        done = subprocess.run(
            command,
            env=environ,
            cwd=self.home,
            input=stdin.encode(),
            capture_output=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        return Outcome(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    def on_terminal(
        self, *args: str | Path, env: Mapping[str, str] | None = None, columns: int = 100, stdout: Path | None = None
    ) -> PseudoTerminal:
        """With `stdout`, only what goes there is taken off the terminal."""
        terminal = PseudoTerminal(
            [sys.executable, "-m", "teamwright", *map(str, args)],
            env={**self.environ, "TERM": "xterm-256color", **(env or {})},
            cwd=self.home,
            columns=columns,
            stdout=stdout,
        )
        self._terminals.append(terminal)
        return terminal

    def close(self) -> None:
        for terminal in self._terminals:
            terminal.close()


def occupied(cli: Cli) -> Path:
    """A file outside of the workspace, where somebody wants a directory."""
    path = cli.home.parent / "occupied"
    path.write_text("", encoding="utf-8")
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The directory where the command is run and the user's home. Nothing on its PATH."""
    path = tmp_path / "home"
    (path / "bin").mkdir(parents=True)
    return path


@pytest.fixture
def cli(home: Path) -> Iterator[Cli]:
    cli = Cli(home)
    yield cli
    cli.close()
