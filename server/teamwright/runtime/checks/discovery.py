"""Checks that a project looks as if it had: its test runner, its scripts, its targets. Nothing of it is run here.

Everything is read through the port that tools read by. Blocks on the disk.
"""

import configparser
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from teamwright.permissions.checks import CheckProposal
from teamwright.permissions.paths import WorkspacePath, render_path
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.errors import UserError
from teamwright.workspace.files.live_files import Readable

MOST_CHECKS: Final = 30
_DEEPEST: Final = 3
_MOST_FOLDERS: Final = 300
_NOT_ENTERED: Final = frozenset(
    ("node_modules", "bower_components", "vendor", "third_party", "target", "dist", "build", "out", "coverage")
) | frozenset(("__pycache__", "site-packages", "venv", "env", "fixtures", "testdata", "examples"))
_TEST_FOLDERS: Final = ("tests", "test")
_PYTHON_TEST: Final = re.compile(r"test_.+\.py|.+_test\.py")
_TARGET: Final = re.compile(r"^(test|check)[ \t]*::?(?!=)", re.MULTILINE)
_SCRIPTS: Final = {"test": "tests", "lint": "lint", "typecheck": "types", "type-check": "types"}
_NO_TEST: Final = "no test specified"
_PACKAGE_MANAGERS: Final = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}


@dataclass(frozen=True, slots=True)
class _Found:
    what: str
    tool: str
    argv: tuple[str, ...]
    is_preferred: bool = True


@dataclass(frozen=True, slots=True)
class _Above:
    """What the folders on the way have, so that nothing is proposed twice."""

    has_pytest: bool = False
    has_cargo_workspace: bool = False
    package_manager: str | None = None
    # Scripts of a package that runs those of the packages below it.
    scripts: frozenset[str] = frozenset()


def discover(files: Readable) -> tuple[CheckProposal, ...]:
    """Of every folder of the workspace, the outermost first. Only for a workspace that is trusted."""
    found: list[tuple[WorkspacePath, _Found]] = []
    for folder in files.folders.folders:
        found += _in_folder(files, WorkspacePath(folder.name))
    return tuple(_named(files, found[:MOST_CHECKS]))


def _in_folder(files: Readable, root: WorkspacePath) -> Iterator[tuple[WorkspacePath, _Found]]:
    pending = [(root, _Above())]
    for _ in range(_MOST_FOLDERS):
        if not pending:
            return
        path, above = pending.pop(0)
        names = _entries(files, path)
        here = _Folder(files, path, names, above)
        yield from ((path, each) for each in here.checks())
        if len(path.parts) < _DEEPEST:
            below = (name for name, kind in names.items() if kind == "directory" and _is_entered(name))
            pending += [(WorkspacePath(path.folder, (*path.parts, name)), here.for_below()) for name in below]


def _is_entered(name: str) -> bool:
    return not name.startswith(".") and name.lower() not in _NOT_ENTERED


def _entries(files: Readable, path: WorkspacePath) -> dict[str, str]:
    try:
        return {entry.name: entry.kind for entry in files.entries(path)}
    except UserError:
        return {}


class _Folder:
    def __init__(self, files: Readable, path: WorkspacePath, names: dict[str, str], above: _Above) -> None:
        self._files = files
        self._path = path
        self._names = names
        self._above = above
        self._pyproject = _toml(self._text("pyproject.toml"))
        self._package = _json(self._text("package.json"))
        self._cargo = _toml(self._text("Cargo.toml"))

    def checks(self) -> Iterator[_Found]:
        own = [*self._pytest(), *self._scripts(), *self._cargo_tests(), *self._go_tests()]
        yield from own
        # These run what was found already, or make environments, for which there is no network.
        yield from (replace(each, is_preferred=not own) for each in self._targets())
        has_others = bool(own) or any(self._targets())
        yield from (replace(each, is_preferred=not has_others) for each in self._environments())

    def for_below(self) -> _Above:
        runs_below = "workspaces" in self._package or "pnpm-workspace.yaml" in self._names
        return _Above(
            has_pytest=self._above.has_pytest or any(self._pytest()),
            has_cargo_workspace=self._above.has_cargo_workspace or bool(self._cargo),
            package_manager=self._package_manager(),
            scripts=self._above.scripts | set(self._script_names() if runs_below else ()),
        )

    def _pytest(self) -> Iterator[_Found]:
        is_configured = (
            "pytest.ini" in self._names
            or "pytest" in _section(self._pyproject, "tool")
            or "tool:pytest" in _sections(self._text("setup.cfg"))
            or "pytest" in _sections(self._text("tox.ini"))
        )
        if is_configured or (not self._above.has_pytest and self._has_python_tests()):
            yield _Found("tests", "pytest", (*self._python(), "-m", "pytest", "-q"))

    def _has_python_tests(self) -> bool:
        return any(
            _PYTHON_TEST.fullmatch(name)
            for folder in _TEST_FOLDERS
            if self._names.get(folder) == "directory"
            for name in self._python_files(WorkspacePath(self._path.folder, (*self._path.parts, folder)), deepest=2)
        )

    def _python_files(self, path: WorkspacePath, deepest: int) -> Iterator[str]:
        entries = _entries(self._files, path)
        yield from (name for name, kind in entries.items() if kind == "file")
        if deepest:
            for name, kind in list(entries.items())[:_MOST_FOLDERS]:
                if kind == "directory" and _is_entered(name):
                    yield from self._python_files(WorkspacePath(path.folder, (*path.parts, name)), deepest - 1)

    def _python(self) -> tuple[str, ...]:
        """The folder's own environment; else the one that is found, where those of the folders above come first."""
        is_windows = self._files.folders.places.style == "windows"
        programs, name = ("Scripts", "python.exe") if is_windows else ("bin", "python")
        if self._names.get(".venv") in {"directory", "link"}:
            inside = _entries(self._files, WorkspacePath(self._path.folder, (*self._path.parts, ".venv", programs)))
            if name in inside or self._names[".venv"] == "link":
                return (f".venv/{programs}/{name}",)
        return ("python" if is_windows else "python3",)

    def _script_names(self) -> Iterator[str]:
        for name in _SCRIPTS:
            script = _section(self._package, "scripts").get(name)
            if isinstance(script, str) and script.strip() and _NO_TEST not in script:
                yield name

    def _scripts(self) -> Iterator[_Found]:
        manager = self._package_manager() or "npm"
        for name in self._script_names():
            is_preferred = name not in self._above.scripts
            yield _Found(_SCRIPTS[name], manager, (manager, "run", name), is_preferred)

    def _package_manager(self) -> str | None:
        named = self._package.get("packageManager")
        if isinstance(named, str) and (manager := named.partition("@")[0]) in {"npm", "pnpm", "yarn", "bun"}:
            return manager
        by_lock = (manager for lock, manager in _PACKAGE_MANAGERS.items() if lock in self._names)
        return next(by_lock, "npm" if "package-lock.json" in self._names else self._above.package_manager)

    def _targets(self) -> Iterator[_Found]:
        for name in ("GNUmakefile", "makefile", "Makefile"):
            if name in self._names:
                for target in dict.fromkeys(_TARGET.findall(self._text(name))):
                    yield _Found(f"make {target}", "make", ("make", target))
                return

    def _cargo_tests(self) -> Iterator[_Found]:
        if self._cargo and not self._above.has_cargo_workspace:
            whole = ("--workspace",) if "workspace" in self._cargo else ()
            yield _Found("tests", "cargo", ("cargo", "test", "--offline", "--no-fail-fast", *whole))

    def _go_tests(self) -> Iterator[_Found]:
        if "go.mod" in self._names:
            # With the names of those that pass, so that one that is gone is noticed.
            yield _Found("tests", "go", ("go", "test", "-v", "./..."))

    def _environments(self) -> Iterator[_Found]:
        sections = _sections(self._text("tox.ini"))
        if "tox.toml" in self._names or "tox" in sections or "tox" in _section(self._pyproject, "tool"):
            yield _Found("tox", "tox", ("tox",))
        if "noxfile.py" in self._names:
            yield _Found("nox", "nox", ("nox",))

    def _text(self, name: str) -> str:
        if self._names.get(name) != "file":
            return ""
        try:
            return self._files.read(WorkspacePath(self._path.folder, (*self._path.parts, name))).text
        except UserError:
            return ""


def _named(files: Readable, found: list[tuple[WorkspacePath, _Found]]) -> Iterator[CheckProposal]:
    """`tests`, `lint (web)`; with the tool where a folder has two of a kind."""
    places = files.folders.places
    taken: set[str] = set()
    for path, each in found:
        shown = render_path(path, places)
        where = "" if shown == "." else shown
        plain = f"{each.what} ({where})" if where else each.what
        with_tool = f"{each.what} ({where}, {each.tool})" if where else f"{each.what} ({each.tool})"
        name = next((name for name in (plain, with_tool) if name not in taken), None)
        if name is None:
            continue
        taken.add(name)
        check = CheckDefinition(name=name, argv=each.argv, cwd=where or None, source="discovered")
        yield CheckProposal(check, each.is_preferred)


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _json(text: str) -> dict[str, Any]:
    try:
        document = cast("object", json.loads(text or "{}"))
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", document) if isinstance(document, dict) else {}


def _sections(text: str) -> frozenset[str]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return frozenset()
    return frozenset(parser.sections())


def _section(document: dict[str, Any], key: str) -> dict[str, Any]:
    value = document.get(key)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
