"""The findings of a review, told once: when the team has voted on them, at the latest when it comes to changes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from quorate.cli.terminal.printable import on_one_line
from quorate.cli.terminal.talk import Line, Tone
from quorate.cli.terminal.wording import counted, shown_file
from quorate.protocol.events import ChangesProposed, FindingsUpdated, RunFinished, RunStarted, VoteCast, WinnerSelected
from quorate.protocol.findings import AgreedFinding, Severity
from quorate.protocol.ids import AgentId
from quorate.protocol.records import EventRecord

_TONES: Final[Mapping[Severity, Tone]] = {"error": "alarm", "warning": "warning", "info": "plain", "hint": "plain"}
_DETAIL_INDENT: Final = " " * 10


class FindingsReport:
    def __init__(self, *, with_votes: bool) -> None:
        """With the votes that chose among the answers, where these are not told as they are cast."""
        self._with_votes = with_votes
        self._votes: dict[AgentId | None, str] = {}
        self._findings: tuple[AgreedFinding, ...] = ()
        self._is_due = False

    def take(self, record: EventRecord) -> Iterator[Line]:
        match record.event:
            case RunStarted(spec=spec):
                self._is_due = spec.review
            case FindingsUpdated(findings=findings):
                self._findings = tuple(finding for finding in findings if not finding.dismissed)
            case VoteCast(target=target, reason=reason):
                self._votes[record.agent_id] = f"  {record.agent_id} for {target}: {on_one_line(reason)}"
            case WinnerSelected() | ChangesProposed() | RunFinished(outcome="completed") if self._is_due:
                self._is_due = False
                yield from _lines(self._findings)
                if self._with_votes and self._votes:
                    yield Line("Votes:", "strong")
                    yield from map(Line, (*self._votes.values(), ""))
            case _:
                pass


def _lines(findings: Sequence[AgreedFinding]) -> Iterator[Line]:
    if not findings:
        yield Line("No findings.", "strong")
        return
    yield Line(f"{counted(len(findings), 'finding')}, most agreed first:", "strong")
    for finding in findings:
        place = f"{shown_file(finding.uri)}:{finding.range.start.line + 1}"
        head = f"  {_agreement(finding)}  {place} {finding.severity}: {on_one_line(finding.title)}"
        yield Line(head, _TONES[finding.severity])
        if not finding.detail.startswith(finding.title):
            yield Line(f"{_DETAIL_INDENT}{on_one_line(finding.detail)}", "faint")
    yield Line("")


def _agreement(finding: AgreedFinding) -> str:
    disputes = f", {len(finding.disputed_by)} against" if finding.disputed_by else ""
    return f"{len(finding.agents)} of {finding.of}{disputes}"
