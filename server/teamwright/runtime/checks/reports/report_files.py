"""Reports that commands write to files: JUnit XML and SARIF. Whatever stands in them, they are bounded and safe."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, cast
from urllib.parse import unquote, urlsplit
from xml.parsers import expat

from teamwright.runtime.checks.reports.report import (
    MOST_CASES,
    CaseBook,
    CaseOutcome,
    Failing,
    ToolReport,
    report_of_problems,
)

LARGEST_REPORT: Final = 20_000_000
_DEEPEST: Final = 40
_LONGEST_TEXT: Final = 4_000
_PLACE: Final = re.compile(r"(?P<path>[^\s:()\u276f]+\.[A-Za-z]{1,5}):(?P<line>\d+)\b")


class UnreadableReport(Exception):
    """With a sentence for people."""


def read_report(content: bytes, name: str) -> ToolReport:
    """By what it is, not by what it is called. Raises UnreadableReport."""
    if len(content) > LARGEST_REPORT:
        raise UnreadableReport(f"The report `{name}` is larger than {LARGEST_REPORT // 1_000_000} MB.")
    start = content[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"<":
        return _read_junit(content, name)
    if start == b"{":
        return _read_sarif(content, name)
    raise UnreadableReport(f"The report `{name}` is neither JUnit XML nor SARIF.")


class _JUnitReader:
    """Event by event, so that no tree is built of a file that is made to be large."""

    def __init__(self) -> None:
        self.book = CaseBook()
        self.counts: dict[CaseOutcome, int] = {"passed": 0, "failed": 0, "skipped": 0}
        self.suites = 0
        self._depth = 0
        self._case: dict[str, str] | None = None
        self._outcome: CaseOutcome = "passed"
        self._message = ""
        self._text = ""
        self._takes_text = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadableReport("it is nested too deep")
        tag = tag.rpartition(":")[2]
        self.suites += tag in {"testsuite", "testsuites"}
        if tag == "testcase":
            self._case, self._outcome, self._message, self._text = attributes, "passed", "", ""
        elif self._case is not None and tag in {"failure", "error"}:
            self._outcome, self._takes_text = "failed", True
            self._message = self._message or attributes.get("message", "")
        elif self._case is not None and tag == "skipped" and self._outcome == "passed":
            self._outcome = "skipped"

    def text(self, text: str) -> None:
        if self._takes_text and len(self._text) < _LONGEST_TEXT:
            self._text += text[:_LONGEST_TEXT]

    def end(self, tag: str) -> None:
        self._depth -= 1
        tag = tag.rpartition(":")[2]
        if tag in {"failure", "error"}:
            self._takes_text = False
        elif tag == "testcase" and self._case is not None:
            self._close(self._case)
            self._case = None

    def _close(self, case: dict[str, str]) -> None:
        name = "::".join(part for part in (case.get("classname", ""), case.get("name", "")) if part)
        self.counts[self._outcome] += 1
        if self._outcome == "failed":
            self.book.fail(Failing(name, self._message or self._text, *self._place(case)))
        else:
            self.book.add(name, self._outcome)
        if sum(self.counts.values()) > MOST_CASES:
            raise UnreadableReport(f"it has more than {MOST_CASES} tests")

    def _place(self, case: dict[str, str]) -> tuple[str | None, int | None]:
        places = list(_PLACE.finditer(self._text))
        if (file := case.get("file")) is not None:
            own = [place for place in places if place["path"].endswith(file)]
            line = own[-1]["line"] if own else case.get("line", "")
            return file, int(line[:9]) if line.isdecimal() else None
        return (places[-1]["path"], int(places[-1]["line"][:9])) if places else (None, None)


def _read_junit(content: bytes, name: str) -> ToolReport:
    reader = _JUnitReader()
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise UnreadableReport("it declares a document type, and such files are not read")

    # Without a document type there are no entities but XML's own five: nothing expands, nothing is fetched.
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(content, True)
    except expat.ExpatError as fault:
        raise UnreadableReport(f"The report `{name}` is not whole XML: {fault}.") from None
    except UnreadableReport as refusal:
        raise UnreadableReport(f"The report `{name}` cannot be used: {refusal}.") from None
    if not reader.suites:
        raise UnreadableReport(f"The report `{name}` is XML, but no JUnit report.")
    counts = reader.counts
    return replace(
        reader.book.report(passed=counts["passed"], failed=counts["failed"], skipped=counts["skipped"]),
        # Each is named; two of one name are one case.
        is_all_named=True,
    )


def _read_sarif(content: bytes, name: str) -> ToolReport:
    try:
        document = cast("object", json.loads(content))
    except (ValueError, RecursionError):
        raise UnreadableReport(f"The report `{name}` is not whole JSON.") from None
    if not isinstance(document, dict) or not isinstance(runs := cast("dict[str, Any]", document).get("runs"), list):
        raise UnreadableReport(f"The report `{name}` is JSON, but no SARIF report.")
    return report_of_problems(_sarif_problems(cast("list[Any]", runs)))


def _sarif_problems(runs: list[Any]) -> Iterator[Failing]:
    for result in (result for run in runs for result in _list(_get(run, "results"))):
        # Notes are remarks, and what was suppressed somebody has looked at.
        if _get(result, "level") in {"note", "none"} or _list(_get(result, "suppressions")):
            continue
        if _get(result, "kind") not in {None, "fail"}:
            continue
        message = _get(result, "message", "text")
        rule = _get(result, "ruleId")
        location = next(iter(_list(_get(result, "locations"))), None)
        uri = _get(location, "physicalLocation", "artifactLocation", "uri")
        line = _get(location, "physicalLocation", "region", "startLine")
        words = " ".join(str(part) for part in (rule, message) if part)
        yield Failing(
            str(rule or "problem"),
            words,
            unquote(urlsplit(uri).path) if isinstance(uri, str) and _is_uri(uri) else None,
            line if isinstance(line, int) else None,
        )


def _is_uri(text: str) -> bool:
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True


def _get(value: Any, *keys: str) -> Any:
    for key in keys:
        value = cast("dict[str, Any]", value).get(key) if isinstance(value, dict) else None
    return value


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
