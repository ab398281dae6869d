"""What the client shows in its documents: one list for each, of all that our features have to say about it; and the
findings of reviews among it, which move with the text as it is edited."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from teamwright.lsp.transport.messages import Json, mapping
from teamwright.lsp.transport.peer import Peer
from teamwright.protocol.events import FindingsUpdated
from teamwright.protocol.findings import AgreedFinding, Severity
from teamwright.protocol.ids import FindingId, SessionId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.visible_text import spoken
from teamwright.workspace.files.documents import Documents
from teamwright.workspace.files.lines import line_edits, moved, split_lines

Source = Literal["review", "configuration", "checks"]
NAME: Final = "teamwright"
_SEVERITIES: Final[dict[Severity, int]] = {"error": 1, "warning": 2, "info": 3, "hint": 4}


class Diagnostics:
    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._by_uri: dict[str, dict[Source, list[Json]]] = {}

    def put(self, source: Source, uri: str, diagnostics: list[Json]) -> None:
        """In place of what this source has said of the document before."""
        of_document = self._by_uri.setdefault(uri, {})
        if of_document.get(source, []) == diagnostics:
            return
        of_document[source] = diagnostics
        every = [each for said in of_document.values() for each in said]
        if not every:
            del self._by_uri[uri]
        self._peer.notify("textDocument/publishDiagnostics", {"uri": uri, "diagnostics": every}, latest_of=uri)


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

    def called(self, uri: str, diagnostic: Json) -> FindingId | None:
        """The finding that a client shows as this diagnostic; not every client gives back what it was told besides."""
        told = mapping(diagnostic.get("data")).get("findingId")
        if isinstance(told, str):
            return FindingId(told)
        alike = (mark.finding for mark in self._of(uri) if _message(mark.finding) == diagnostic.get("message"))
        return next((finding.finding_id for finding in alike), None)

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


def _message(finding: AgreedFinding) -> str:
    suggestion = f"Suggestion: {finding.suggestion}" if finding.suggestion else ""
    details = (finding.title, finding.detail, suggestion, finding.unproven)
    told = "\n".join(part for part in details if part)
    return f"{spoken(told)} ({finding.standing})"


def _diagnostic(finding: AgreedFinding, lines: tuple[int, int]) -> Json:
    first, last = lines
    return {
        "range": {"start": {"line": first, "character": 0}, "end": {"line": last + 1, "character": 0}},
        "severity": _SEVERITIES[finding.severity],
        "source": NAME,
        "message": _message(finding),
        # For us alone: a code is for people, and would be a rule's name.
        "data": {"findingId": finding.finding_id},
    }
