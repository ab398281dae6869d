"""What the server imports it declares, and what it declares it uses."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator

from tests.tidy.source import ROOT, parsed, place, written_by_hand

# Where a distribution is imported under another name than its own.
MODULES = {"pyyaml": "yaml"}
# Programs that the offline team starts; nobody imports them.
PROGRAMS = {"bandit", "lizard", "ruff"}


def test_every_import_is_declared() -> None:
    known = {_module(name) for name in _declared()} | sys.stdlib_module_names | {"teamwright"}
    undeclared = [f"{where}: {module}" for where, module in _imported() if module not in known]
    assert undeclared == []


def test_every_dependency_is_used() -> None:
    used = {module for _, module in _imported()}
    unused = {name for name in _declared() if _module(name) not in used} - PROGRAMS
    assert unused == set()


def _declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0].lower() for requirement in project["dependencies"]}


def _module(distribution: str) -> str:
    return MODULES.get(distribution, distribution.replace("-", "_"))


def _imported() -> Iterator[tuple[str, str]]:
    for path in written_by_hand(".py", under="server"):
        for node in ast.walk(parsed(path)):
            match node:
                case ast.Import(names=names):
                    yield from ((place(path, node), name.name.partition(".")[0]) for name in names)
                case ast.ImportFrom(module=str(module), level=0):
                    yield place(path, node), module.partition(".")[0]
                case _:
                    pass
