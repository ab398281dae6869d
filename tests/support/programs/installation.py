"""Fake programs on a PATH of the test's own."""

import json
import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.programs.kinds import KINDS, ProgramName
from tests.support.programs.play import Play, ProgramScript, script_to_json

_REPOSITORY = Path(__file__).parents[3]

_LAUNCHER = """\
#!{python}
import sys
from pathlib import Path
sys.path.insert(0, {repository!r})
from tests.support.programs.fake_program import main
sys.exit(main({name!r}, Path({home!r}), sys.argv[1:]))
"""
_WINDOWS_LAUNCHER = '@"{python}" "{home}\\{name}.py" %*\r\n'


@dataclass(frozen=True)
class Call:
    """How a program was called."""

    argv: list[str]
    env: list[str]
    """The names of the variables, not their values."""
    cwd: str
    stdin: str | None
    """None as long as the program has not read it, or if it refused its arguments."""
    pid: int
    system: str
    tools: list[dict[str, Any]]
    """What the MCP servers offered to its model, as they listed it."""


@dataclass
class Program:
    name: ProgramName
    _home: Path
    _version: str
    _plays: list[Play] = field(default_factory=list[Play])
    _ways: dict[str, Any] = field(default_factory=dict[str, Any])

    def replies(self, *plays: Play) -> "Program":
        """One play for each call, in this order."""
        self._plays.extend(plays)
        return self._written()

    def version(self, version: str) -> "Program":
        self._version = version
        return self._written()

    def without_servers(self) -> "Program":
        """As where someone's policy forbids them."""
        self._ways["servers_start"] = False
        return self._written()

    def going_on_after_a_turn(self) -> "Program":
        """Whatever it is told."""
        self._ways["heeds_turn_limit"] = False
        return self._written()

    def watched_by(self, port: int) -> "Program":
        """The MCP servers hold a connection there for as long as they live."""
        self._ways["watcher_port"] = port
        return self._written()

    @property
    def path(self) -> Path:
        return self._home / (f"{self.name}.cmd" if os.name == "nt" else self.name)

    @property
    def calls(self) -> list[Call]:
        """The calls so far, but for those that only asked for the version."""
        files = sorted(self._home.glob(f"{self.name}.call-*.json"), key=lambda file: (len(file.name), file.name))
        return [Call(**json.loads(file.read_text(encoding="utf-8"))) for file in files]

    def _written(self) -> "Program":
        script = ProgramScript(self._version, self._plays, **self._ways)
        (self._home / f"{self.name}.script.json").write_text(script_to_json(script), encoding="utf-8")
        return self

    def install(self) -> "Program":
        launcher = _LAUNCHER.format(
            python=sys.executable, repository=str(_REPOSITORY), name=self.name, home=str(self._home)
        )
        if os.name == "nt":
            (self._home / f"{self.name}.py").write_text(launcher, encoding="utf-8")
            launcher = _WINDOWS_LAUNCHER.format(python=sys.executable, home=self._home, name=self.name)
        self.path.write_text(launcher, encoding="utf-8")
        self.path.chmod(0o755)
        return self._written()


@dataclass
class Programs:
    """The programs that a test has installed, in a directory that comes first on the PATH."""

    home: Path

    def install(self, name: ProgramName) -> Program:
        return Program(name, self.home, KINDS[name].version).install()

    @property
    def path_variable(self) -> str:
        """The PATH: ours first, and without the places where the real programs are."""
        others = [
            entry
            for entry in os.environ.get("PATH", os.defpath).split(os.pathsep)
            if not any(shutil.which(name, path=entry) for name in KINDS)
        ]
        return os.pathsep.join([str(self.home), *others])

    def check(self) -> None:
        """Fails the test if a program was called more often than its script foresees."""
        complaints = [file.read_text(encoding="utf-8") for file in sorted(self.home.glob("*.complaint-*.txt"))]
        if complaints:
            raise AssertionError("\n".join(complaints))
