"""The programs of the user's that commands need and that live in the home, such as pyenv's, nvm's or cargo's.

They are found where the user's own shell would find them, outside the box, and are shown inside read-only. Only what is
recognised as a toolchain is shown: a directory of programs may have credentials beside it. What the workspace says of
itself (its virtual environments) leads only to what really is a Python. Everything here blocks on the disk.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from teamwright.permissions.protection import is_secret

# Where the system's programs live. Whatever is not below these does not exist inside: homes, our state, sockets.
SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu")
SYSTEM_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")
_VENVS: Final = (".venv", "venv", "env")
_LONGEST_LINE_FILE: Final = 10_000
_MOST_LINKS: Final = 16
# Programs that are often installed one by one into a directory that holds much else.
_SINGLE: Final = frozenset(
    ("bun", "deno", "hatch", "just", "mypy", "node", "nox", "npm", "npx", "pdm", "pnpm", "poetry", "pre-commit")
) | frozenset(("pytest", "python", "python3", "ruff", "task", "tox", "uv", "uvx", "yarn"))


@dataclass(slots=True)
class Toolchains:
    """`shown` are seen at their own paths; `search` is where programs are looked for."""

    shown: dict[Path, None] = field(default_factory=dict[Path, None])
    search: dict[str, None] = field(default_factory=dict[str, None])
    environment: dict[str, str] = field(default_factory=dict[str, str])


def find_toolchains(
    folders: Sequence[Path], cwd: Path, wanted: Iterable[Path] = (), environment: Mapping[str, str] = os.environ
) -> Toolchains:
    """`wanted` are those that the user's own configuration names."""
    found = _Search(Path.home(), environment)
    for directory in _upwards(cwd, folders):
        found.add_workspace(directory)
    for path in wanted:
        found.add_wanted(path)
    for directory in environment.get("PATH", "").split(os.pathsep):
        if Path(directory).is_absolute():
            found.add_from_path(Path(directory), folders)
    found.add_caches()
    found.result.search |= dict.fromkeys(SYSTEM_PATH)
    return found.result


class _Search:
    def __init__(self, home: Path, environment: Mapping[str, str]) -> None:
        self._home = home.resolve()
        self._environment = environment
        self._pinned: list[str] = []
        self.result = Toolchains()

    def add_workspace(self, directory: Path) -> None:
        """Its own programs come first, as they do for who has activated it."""
        for name in _VENVS:
            venv = directory / name
            if (venv / "pyvenv.cfg").is_file():
                self.result.search[str(venv / "bin")] = None
                if venv.is_symlink():
                    self._show(venv.resolve())
                self._add_base_of(venv)
        if (directory / "node_modules" / ".bin").is_dir():
            self.result.search[str(directory / "node_modules" / ".bin")] = None
        self._pinned += [line.strip() for line in _lines(directory / ".python-version")]

    def add_wanted(self, path: Path) -> None:
        path = path.expanduser()
        if path.is_dir() and self._show(path):
            self.result.search[str(path / "bin" if (path / "bin").is_dir() else path)] = None
            self._add_base_of(path)

    def add_from_path(self, directory: Path, folders: Sequence[Path]) -> None:
        if not directory.is_dir() or any(directory.is_relative_to(folder) for folder in folders):
            return
        if directory.name == "shims":
            self._add_managed(directory.parent)
        elif _is_system(directory.resolve()):
            self.result.search[str(directory)] = None
        elif directory in {self._home / ".cargo" / "bin", self._home / "go" / "bin"}:
            self._show_programs(directory)
        elif (directory.parent / "lib").is_dir() and self._is_apart(directory.parent):
            self._show_programs(directory, directory.parent)
            self._add_base_of(directory.parent)
        else:
            self._add_single(directory)

    def add_caches(self) -> None:
        """What has been downloaded before: there is no network inside."""
        result, cargo, modules = self.result, self._home / ".cargo", self._go_modules()
        if any((cargo / "bin").is_relative_to(shown) for shown in result.shown):
            for name in (cargo / "registry", cargo / "git", self._home / ".rustup"):
                self._show(name)
            result.environment |= {
                "CARGO_HOME": str(cargo),
                "RUSTUP_HOME": str(self._home / ".rustup"),
                "CARGO_NET_OFFLINE": "true",
            }
        if modules.is_dir() and self._show(modules):
            result.environment |= {"GOMODCACHE": str(modules), "GOFLAGS": "-modcacherw=false", "GOPROXY": "off"}

    def _go_modules(self) -> Path:
        named = self._environment.get("GOMODCACHE")
        first = self._environment.get("GOPATH", "").split(os.pathsep)[0]
        return Path(named) if named else (Path(first) if first else self._home / "go") / "pkg" / "mod"

    def _add_managed(self, root: Path) -> None:
        """pyenv and its like: a shim asks the manager which version is meant; here the version itself is shown."""
        if (root / "versions").is_dir():
            named = self._environment.get("PYENV_VERSION", "").split(":")
            chosen = [*self._pinned, *named, *(line.strip() for line in _lines(root / "version"))]
            versions = [root / "versions" / name for name in chosen if name and "/" not in name and name != ".."]
            for version in versions or sorted((root / "versions").iterdir())[-1:]:
                if _is_python(version):
                    self._show_programs(version / "bin", version)
        elif (root / "installs").is_dir():
            for tool in sorted((root / "installs").iterdir()):
                newest = sorted(each for each in tool.iterdir() if (each / "bin").is_dir())[-1:]
                for version in newest:
                    self._show_programs(version / "bin", version)

    def _add_single(self, directory: Path) -> None:
        """What lies beside programs that were put here one by one is nobody's business, so only these are shown."""
        with suppress(OSError):
            for program in sorted(directory.iterdir()):
                if program.name not in _SINGLE or not os.access(program, os.X_OK):
                    continue
                real = program.resolve()
                self.result.search[str(directory)] = None
                self._show(program)
                prefix = real.parent.parent
                if real != program and (prefix / "lib").is_dir() and self._is_apart(prefix):
                    self._show(prefix)
                    self._add_base_of(prefix)
                elif real != program and not _is_system(real):
                    self._show(real)

    def _add_base_of(self, venv: Path) -> None:
        """The Python that a virtual environment was made from, by every name on the way to it."""
        named = [line.partition("=")[2].strip() for line in _lines(venv / "pyvenv.cfg") if line.startswith("home")]
        for directory in (*map(Path, named), *(link.parent for link in _links(venv / "bin" / "python"))):
            if directory.is_absolute() and _is_python(directory.parent):
                self._show(directory.parent)
                self._show(directory.parent.resolve())

    def _show_programs(self, directory: Path, prefix: Path | None = None) -> None:
        if self._show(prefix or directory):
            self.result.search[str(directory)] = None
            if prefix is not None:
                self._show(prefix.resolve())

    def _show(self, path: Path) -> bool:
        if not path.exists() or not self._is_apart(path):
            return False
        if not _is_system(path):
            self.result.shown[path] = None
        return True

    def _is_apart(self, path: Path) -> bool:
        """Neither the home, nor what the home lies in, nor a place of keys."""
        real = path.resolve()
        if self._home.is_relative_to(real) or real == self._home / ".local":
            return False
        return not (real.is_relative_to(self._home) and is_secret(real.relative_to(self._home).parts))


def _upwards(cwd: Path, folders: Sequence[Path]) -> Iterator[Path]:
    """From where the command runs to the folder that it runs in, then the other folders."""
    for folder in folders:
        if cwd.is_relative_to(folder):
            yield from (each for each in (cwd, *cwd.parents) if each.is_relative_to(folder))
    yield from (folder for folder in folders if not cwd.is_relative_to(folder))


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(system) for system in SYSTEM)


def _is_python(prefix: Path) -> bool:
    return os.access(prefix / "bin" / "python3", os.X_OK) and any((prefix / "lib").glob("python3*/os.py"))


def _links(path: Path) -> Iterator[Path]:
    """What a path leads to, step by step."""
    for _ in range(_MOST_LINKS):
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()
        yield path


def _lines(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_LONGEST_LINE_FILE).splitlines()
    except OSError:
        return []
