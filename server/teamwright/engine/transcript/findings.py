"""What a review has found: each remark that the team stands behind, how it stands, and what can be done about it."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from teamwright.engine.agreement import agreed_findings
from teamwright.engine.run.state import RunState
from teamwright.engine.transcript.entries import Origin, Subject
from teamwright.engine.transcript.run_card import RunOf
from teamwright.engine.transcript.words import PathOf, counted, on_one_line, place, without_gaps
from teamwright.protocol.findings import REPRODUCED, AgreedFinding, Reproduced, Severity
from teamwright.protocol.ids import EntryId, FindingId, RunId
from teamwright.protocol.transcript import (
    Action,
    AnyPart,
    Chip,
    ChipsData,
    ChipsPart,
    Entry,
    LinkData,
    LinkPart,
    PlainPart,
    Tone,
)

_SEVERITIES: Final[Mapping[Severity, tuple[str, Tone]]] = {
    "error": ("Error", "bad"),
    "warning": ("Warning", "warn"),
    "info": ("Info", "idle"),
    "hint": ("Hint", "idle"),
}
_PROOFS: Final[Mapping[Reproduced, Tone]] = {"yes": "accent", "no": "warn", "not_run": "idle"}


class FindingsSubject(Subject):
    """`dismissed` is the session's, and grows."""

    def __init__(
        self, origin: Origin, run_id: RunId, run_of: RunOf, path_of: PathOf, dismissed: Collection[FindingId]
    ) -> None:
        super().__init__(EntryId(f"{run_id}:findings"), origin)
        self._run_id = run_id
        self._run_of = run_of
        self._path_of = path_of
        self._dismissed = dismissed
        self._looked_at: tuple[object, ...] = ()
        self._found: tuple[AgreedFinding, ...] = ()

    def _agreed(self, run: RunState) -> tuple[AgreedFinding, ...]:
        """Remarks are compared each with each: not anew for every drawing."""
        disputes = tuple(agent.ballot and agent.ballot.disputed for agent in run.agents.values())
        looked_at = (run.findings, disputes, frozenset(self._dismissed))
        if looked_at != self._looked_at:
            self._looked_at, self._found = looked_at, agreed_findings(run, self._dismissed)
        return self._found

    def draw(self) -> Entry:
        run = self._run_of(self._run_id)
        found = self._agreed(run) if isinstance(run, RunState) else ()
        shown = [finding for finding in found if not finding.dismissed]
        count = counted(len(shown), "finding") if shown else "No findings left"
        return Entry(
            entry_id=self.entry_id,
            kind="findings",
            title=f"{count}, most agreed first" if len(shown) > 1 else count,
            parts=tuple(part for finding in shown for part in self._finding(finding)),
            actions=tuple(_finding_actions(shown)),
            state="done" if run is None or run.finished is not None else "running",
            **self.origin.fields(),
        )

    def _finding(self, finding: AgreedFinding) -> Iterator[AnyPart]:
        where = place(self._path_of(finding.uri), finding.range)
        data = LinkData(uri=finding.uri, range=finding.range)
        yield LinkPart(part=finding.finding_id, title=on_one_line(finding.title), text=where, data=data)
        label, tone = _SEVERITIES[finding.severity]
        chips = [Chip(label=label, tone=tone), Chip(label=f"{len(finding.agents)} of {counted(finding.of, 'agent')}")]
        if finding.disputed_by:
            chips.append(Chip(label=f"{len(finding.disputed_by)} against", tone="warn"))
        if finding.reproduced is not None:
            chips.append(Chip(label=REPRODUCED[finding.reproduced], tone=_PROOFS[finding.reproduced]))
        yield ChipsPart(part=f"{finding.finding_id} standing", data=ChipsData(chips=tuple(chips)))
        said = "" if finding.detail.strip() == finding.title.strip() else finding.detail.strip()
        if finding.suggestion:
            said = f"{said}\nSuggestion: {finding.suggestion}".lstrip()
        if finding.unproven:
            said = f"{said}\n{finding.unproven}".lstrip()
        if said:
            yield PlainPart(part=f"{finding.finding_id} detail", text=without_gaps(said), folded=True)


def _finding_actions(findings: list[AgreedFinding]) -> Iterator[Action]:
    agreed = [finding.finding_id for finding in findings if finding.is_consensus]
    if len(agreed) > 1:
        ids = {"findingIds": agreed}
        yield Action(label="Fix all that the team agrees on", command="teamwright.fix", arguments=ids, key="f")
    for finding in findings:
        ids = {"findingIds": [finding.finding_id]}
        yield Action(label="Fix", command="teamwright.fix", arguments=ids, part=finding.finding_id)
        yield Action(label="Dismiss", command="teamwright.finding.dismiss", arguments=ids, part=finding.finding_id)
