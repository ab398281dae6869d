"""ruff as an analyst: how it is called, and what it says. The repository's own settings for it are not read. Pure."""

import json
from collections.abc import Iterator
from typing import Any, Final

from quorate.models.offline import topics
from quorate.models.offline.remarks import Place, Remark
from quorate.protocol.findings import Severity

SUFFIXES: Final = (".py", ".pyi")
_RULES: Final = ("B", "C90", "E4", "E71", "E72", "E74", "E9", "F", "PLE", "S", "SIM", "UP")
# Asserts, and every use of a child process: true nearly everywhere, and so of use nowhere.
_UNWANTED: Final = ("S101", "S404", "S603", "S607", "SIM105")
_ERRORS: Final = ("E9", "F6", "F7", "F8", "PLE", "invalid-syntax")
_OWN_TITLES: Final = {"C901": topics.COMPLEX, "E722": topics.BARE_EXCEPT, "T100": topics.DEBUGGER}
_MODES: Final = ("--isolated", "--no-cache", "--quiet", "--select", ",".join(_RULES), "--ignore", ",".join(_UNWANTED))


def check_arguments() -> tuple[str, ...]:
    return ("check", *_MODES, "--exit-zero", "--output-format", "json", ".")


def fix_arguments() -> tuple[str, ...]:
    """Only the fixes that ruff itself calls safe."""
    return ("check", *_MODES, "--exit-zero", "--fix-only", ".")


def remarks(output: str) -> Iterator[Remark]:
    for found in json.loads(output):
        yield _remark(found)


def _remark(found: dict[str, Any]) -> Remark:
    code: str = found["code"] or "invalid-syntax"
    line, end = found["location"]["row"], found["end_location"]["row"]
    topic = _OWN_TITLES.get(code) or (topics.security_topic(code[1:]) if code.startswith("S") else None)
    fix = found["fix"]
    return Remark(
        # What spans a whole function is said at its head.
        place=Place(found["filename"], line, end if end - line < 5 else line),
        severity=topic.severity if topic else _severity(code),
        title=topic.title if topic else found["message"],
        rule=f"ruff {code}",
        detail=found["message"],
        suggestion=fix["message"] if fix is not None and fix["applicability"] == "safe" else None,
    )


def _severity(code: str) -> Severity:
    if code.startswith(_ERRORS):
        return "error"
    return "hint" if code.startswith(("SIM", "UP", "E4", "E7")) and code != "E722" else "warning"
