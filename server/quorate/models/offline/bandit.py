"""bandit as an analyst: how it is called, and what it says. Pure."""

import json
from collections.abc import Iterator
from typing import Any, Final

from quorate.models.offline.remarks import Place, Remark
from quorate.models.offline.topics import security_topic
from quorate.protocol.findings import Severity

SUFFIXES: Final = (".py", ".pyi")
_UNWANTED: Final = "B101,B404,B603,B607"
_SEVERITIES: Final[dict[str, Severity]] = {"HIGH": "error", "MEDIUM": "warning"}


def check_arguments() -> tuple[str, ...]:
    return ("-q", "-r", "-f", "json", "--exit-zero", "-s", _UNWANTED, ".")


def remarks(output: str) -> Iterator[Remark]:
    for found in json.loads(output)["results"]:
        yield _remark(found)


def _remark(found: dict[str, Any]) -> Remark:
    line, last = found["line_number"], max(found["line_range"])
    topic = security_topic(found["test_id"][1:])
    return Remark(
        place=Place(found["filename"], line, last if last - line < 5 else line),
        severity=topic.severity if topic else _SEVERITIES.get(found["issue_severity"], "info"),
        title=topic.title if topic else found["issue_text"].rstrip("."),
        rule=f"bandit {found['test_id']}",
        detail=f"{found['issue_text']} (CWE-{found['issue_cwe']['id']})" if found["issue_cwe"] else found["issue_text"],
    )
