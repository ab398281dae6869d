"""The findings of reviews as diagnostics, which move with the text as it is edited."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from quorate.lsp.features.diagnostics import NAME, Diagnostics
from quorate.lsp.transport.messages import Json, mapping
from quorate.protocol.events import FindingsUpdated
from quorate.protocol.findings import AgreedFinding, Severity
from quorate.protocol.ids import FindingId, SessionId
from quorate.protocol.records import EventRecord
from quorate.workspace.documents import Documents
from quorate.workspace.line_shift import moved
from quorate.workspace.lines import line_edits, split_lines

_SEVERITIES: Final[dict[Severity, int]] = {"error": 1, "warning": 2, "info": 3, "hint": 4}


@dataclass(frozen=True, slots=True)
class Mark:
    """`lines` are where it stands now, both ends included; None when they were deleted."""

    session_id: SessionId
    finding: AgreedFinding
    lines: tuple[int, int] | None


class FindingMarks:
    def __init__(self, documents: Documents, diagnostics: Diagnostics) -> None:
        self._documents = documents
        self._diagnostics = diagnostics
        self._marks: dict[FindingId, Mark] = {}
        # What the marks of an open document were last placed in.
        self._lines: dict[str, list[str]] = {}

    def __call__(self, record: EventRecord) -> None:
        if isinstance(record.event, FindingsUpdated) and record.session_id is not None:
            self._update(record.session_id, record.event.findings)

    def follow_text(self, params: Json) -> None:
        """The document was opened, changed or closed."""
        uri = mapping(params.get("textDocument")).get("uri")
        if not isinstance(uri, str) or not any(self._of(uri)):
            return
        document = self._documents.get(uri)
        before, after = self._lines.pop(uri, None), None if document is None else split_lines(document.text)
        if after is None:
            return
        self._lines[uri] = after
        if before is not None:
            edits = line_edits(before, after)
            for mark in tuple(self._of(uri)):
                lines = None if mark.lines is None else moved(*mark.lines, edits)
                self._marks[mark.finding.finding_id] = replace(mark, lines=lines)
            self._publish(uri)

    def consensus_with(self, finding_ids: list[FindingId]) -> list[FindingId]:
        """What more than half of the agents stand behind, in the sessions of these findings."""
        sessions = {self._marks[each].session_id for each in finding_ids if each in self._marks}
        return [
            mark.finding.finding_id
            for mark in self._marks.values()
            if mark.session_id in sessions and mark.finding.is_consensus
        ]

    def _of(self, uri: str) -> Iterator[Mark]:
        return (mark for mark in self._marks.values() if mark.finding.uri == uri)

    def _update(self, session_id: SessionId, findings: tuple[AgreedFinding, ...]) -> None:
        before = {key: mark for key, mark in self._marks.items() if mark.session_id == session_id}
        kept = {key: mark for key, mark in self._marks.items() if mark.session_id != session_id}
        for finding in findings:
            if not finding.dismissed:
                known = before.get(finding.finding_id)
                lines = known.lines if known is not None else _lines_of(finding)
                kept[finding.finding_id] = Mark(session_id, finding, lines)
        self._marks = kept
        for uri in {mark.finding.uri for mark in (*before.values(), *kept.values()) if mark.session_id == session_id}:
            if uri not in self._lines and (document := self._documents.get(uri)) is not None:
                self._lines[uri] = split_lines(document.text)
            self._publish(uri)

    def _publish(self, uri: str) -> None:
        marks = [(mark.finding, mark.lines) for mark in self._of(uri)]
        shown = [_diagnostic(finding, lines) for finding, lines in marks if lines is not None]
        self._diagnostics.put("review", uri, shown)


def _lines_of(finding: AgreedFinding) -> tuple[int, int]:
    start, end = finding.range.start, finding.range.end
    return start.line, max(start.line, end.line - 1 if end.character == 0 else end.line)


def _diagnostic(finding: AgreedFinding, lines: tuple[int, int]) -> Json:
    first, last = lines
    details = [finding.title, finding.detail, f"Suggestion: {finding.suggestion}" if finding.suggestion else ""]
    told = "\n".join(part for part in details if part)
    return {
        "range": {"start": {"line": first, "character": 0}, "end": {"line": last + 1, "character": 0}},
        "severity": _SEVERITIES[finding.severity],
        "source": NAME,
        "code": finding.finding_id,
        "message": f"{told} ({len(finding.agents)} of {finding.of} agents)",
    }
