"""What was learned from a run, as an entry: a picture of it, what stands out and why, and what to do about it."""

from collections.abc import Iterator

from teamwright.engine.analysis.timeline import timeline_part
from teamwright.engine.transcript.entries import Origin, Subject
from teamwright.engine.transcript.words import counted, duration, money, tokens
from teamwright.protocol.ids import EntryId, RunId
from teamwright.protocol.transcript import (
    Action,
    AnyPart,
    Chip,
    ChipsData,
    ChipsPart,
    Entry,
    MarkdownPart,
    PlainPart,
    TableCell,
    TableColumn,
    TableData,
    TablePart,
    TableRow,
)
from teamwright.protocol.views import AnalysisFinding, RunAnalysis, StageUse


class AnalysisSubject(Subject):
    def __init__(self, origin: Origin, run_id: RunId, analysis: RunAnalysis) -> None:
        super().__init__(EntryId(f"{run_id}:analysis"), origin)
        self._run_id = run_id
        self.analysis = analysis
        self.opinion: str | None = None

    def draw(self) -> Entry:
        opinion = self.opinion
        second = () if opinion is None else (MarkdownPart(part="opinion", title="A second opinion", text=opinion),)
        return Entry(
            entry_id=self.entry_id,
            kind="analysis",
            title=analysis_title(self.analysis),
            parts=(*analysis_parts(self.analysis), *second),
            actions=tuple(self._actions()),
            state="done",
            **self.origin.fields(),
        )

    def _actions(self) -> Iterator[Action]:
        run_id = {"runId": self._run_id}
        if self.analysis.settings is not None:
            changes = {**run_id, "changes": self.analysis.settings.to_wire()}
            yield Action(
                label="Run again with these", command="teamwright.run.again", arguments=changes, key="r", primary=True
            )
        if self.opinion is None:
            asked = {**run_id, "opinion": True}
            yield Action(label="Ask for a second opinion", command="teamwright.run.analyze", arguments=asked, key="2")
        yield report_action(self._run_id)


def report_action(run_id: RunId) -> Action:
    return Action(label="Save a report", command="teamwright.run.report", arguments={"runId": run_id}, key="w")


def analysis_title(analysis: RunAnalysis) -> str:
    count = len(analysis.findings)
    return f"Analysis of the run: {counted(count, 'thing')} to know" if count else "Analysis of the run"


def analysis_parts(analysis: RunAnalysis) -> Iterator[AnyPart]:
    yield timeline_part(analysis.timeline)
    if not analysis.findings:
        yield PlainPart(part="findings", text="Nothing stands out: the run went as it should.")
    for number, finding in enumerate(analysis.findings, 1):
        yield from _finding(number, finding)
    yield from _stages(analysis.stages)
    if analysis.recommendations:
        lines = (f"{each.text}. {each.why}" for each in analysis.recommendations)
        yield PlainPart(part="recommended", title="Recommended for the next time", text="\n".join(lines))


def _finding(number: int, finding: AnalysisFinding) -> Iterator[AnyPart]:
    chips = ChipsData(chips=(Chip(label=finding.title, tone=finding.tone),))
    yield ChipsPart(part=f"finding {number}", data=chips)
    if finding.evidence:
        yield PlainPart(part=f"evidence {number}", text="\n".join(finding.evidence))


def _stages(stages: tuple[StageUse, ...]) -> Iterator[AnyPart]:
    whole = sum(tokens(stage.usage) for stage in stages)
    if not stages:
        return
    labels = ("Stage", "Tokens", "Share", "Cost", "Time")
    columns = tuple(TableColumn(label=label, align="right" if label != "Stage" else None) for label in labels)
    rows = tuple(
        TableRow(
            cells=(
                TableCell(text=stage.label),
                TableCell(text=f"{tokens(stage.usage):,}" if whole else ""),
                TableCell(text=f"{tokens(stage.usage) / whole:.0%}" if whole else ""),
                TableCell(text=money(stage.cost_usd) if stage.cost_usd else ""),
                TableCell(text=duration(stage.seconds)),
            )
        )
        for stage in stages
    )
    yield TablePart(part="stages", title="Where it went", data=TableData(columns=columns, rows=rows))
