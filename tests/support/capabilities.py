"""Which capabilities the tests of a run have proven: read from the marks, printed as a table at its end."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

# The fixtures that go through a public door: the real server over stdio, the real command line, a real editor.
DOORS = frozenset({"serve", "serve_forked", "cli", "nvim", "workbench"})

_LIST = Path(__file__).resolve().parents[2] / "docs/CAPABILITIES.md"
_PROPERTY = "proves"


def known_capabilities() -> Mapping[str, str]:
    """Id → what it says, without the rows that are reserved for later."""
    rows = re.findall(r"^\| ([A-G]\d+) \| (.*) \|$", _LIST.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {id_: text for id_, text in rows if not text.startswith("*Later.*")}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark in item.iter_markers("proves"):
            item.user_properties.append((_PROPERTY, mark.args))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    proven = _counts(terminalreporter, "passed")
    if not proven:
        return
    terminalreporter.section("capabilities", sep="=")
    known = known_capabilities()
    for id_, text in known.items():
        tests = f"{proven[id_]:>3} tests" if id_ in proven else "        -"
        terminalreporter.write_line(f"{id_:<4}{tests}  {text[:90]}")
    terminalreporter.write_line(f"{len(proven.keys() & known.keys())} of {len(known)} proven in this run")


def _counts(reporter: pytest.TerminalReporter, outcome: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for report in reporter.stats.get(outcome, ()):
        if report.when == "call":
            for name, ids in report.user_properties:
                if name == _PROPERTY:
                    for id_ in ids:
                        counts[id_] = counts.get(id_, 0) + 1
    return counts
