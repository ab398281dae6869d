"""Rules about rooms and names: one name for one class, rooms one can look through, settings that somebody reads."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from teamwright.config.outline import inner_sections
from teamwright.config.section import Section
from teamwright.config.settings import Settings
from tests.tidy.source import ROOT, parsed, place, written_by_hand

MAX_FILES_IN_A_FOLDER = 25
MAX_CONSTRUCTOR_PARAMETERS = 8

# Where settings are declared, and so named without being read.
DECLARATIONS = {"settings.py", "backend_settings.py", "check_settings.py", "massgen.py", "rules.py"}
# What variables that hold a section are called, where fields of its share their names with another's.
VARIABLES = {
    "ContextPathSettings": {"context_path"},
    "AgentSettings": {"agent"},
    "BackendSettings": {"settings", "backend"},
    "CheckSettings": {"check"},
    "HttpServer": {"settings", "server"},
    "InteractiveSettings": {"interactive"},
    "Settings": {"settings"},
    "StdioServer": {"settings", "server"},
}
# Announced in the schema and not built yet: `teamwright check` tells whoever sets one that it is ignored.
NOT_READ_YET = {
    ("CoordinationSettings", "max_orchestration_restarts"): "told by check: starting a run over",
}


def test_no_two_classes_share_a_name() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path in written_by_hand(".py", under="server"):
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(place(path, node))
    shared = {name: places for name, places in homes.items() if len(places) > 1}
    assert shared == {}


def test_a_constructor_takes_no_more_than_one_can_hold_in_mind() -> None:
    large = {
        f"{path.relative_to(ROOT).as_posix()}:{owner.name}"
        for path in written_by_hand(".py", under="server")
        for owner in ast.walk(parsed(path))
        if isinstance(owner, ast.ClassDef)
        for node in owner.body
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
        if len(node.args.args) - 1 + len(node.args.kwonlyargs) > MAX_CONSTRUCTOR_PARAMETERS
    }
    assert large == set()


def test_a_folder_can_be_looked_through() -> None:
    files = Counter(path.parent.relative_to(ROOT).as_posix() for path in written_by_hand(".py", under="server"))
    full = {folder for folder, count in files.items() if count > MAX_FILES_IN_A_FOLDER}
    assert full == set()


def test_every_setting_is_read_by_somebody() -> None:
    reads = set(_attributes_read())
    fields = [(section, name) for section in _sections(Settings) for name in section.model_fields]
    names = Counter(name for _, name in fields)
    unread: set[tuple[str, str]] = set()
    for section, name in fields:
        # A name of several sections counts where it is read off a holder of this one.
        holders = _holders(section)
        is_read = any(read == name and (names[name] == 1 or holder in holders) for holder, read in reads)
        if not is_read:
            unread.add((section.__name__, name))
    assert unread == set(NOT_READ_YET)


def _attributes_read() -> Iterator[tuple[str, str]]:
    """What is read off what, by name: `settings.orchestrator` is ("settings", "orchestrator")."""
    for path in written_by_hand(".py", under="server"):
        if _declares(path):
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Attribute):
                match node.value:
                    case ast.Name(id=holder) | ast.Attribute(attr=holder):
                        yield holder.removeprefix("_"), node.attr
                    case _:
                        yield "", node.attr


def _declares(path: Path) -> bool:
    return path.parent.name == "config" and path.name in DECLARATIONS


def _holders(section: type[Section]) -> set[str]:
    """The fields that hold such a section, and the names that variables for it go by."""
    fields = {
        name for outer in _sections(Settings) for name, inner in inner_sections(outer).items() if section in inner
    }
    return fields | VARIABLES.get(section.__name__, set())


def _sections(section: type[Section]) -> tuple[type[Section], ...]:
    found: dict[type[Section], None] = {section: None}
    for choices in inner_sections(section).values():
        for inner in choices:
            found |= dict.fromkeys(_sections(inner))
    return tuple(found)
