"""A run that is over as a report: what it was, what came of it, what can be learned from it, and all that led to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from teamwright.engine.analysis.analysis import analyse
from teamwright.engine.analysis.history import PastRun
from teamwright.engine.run.evidence import base_keys, keys_of_answer, views
from teamwright.engine.run.planning import title_of_run
from teamwright.engine.transcript.analysis import analysis_parts
from teamwright.engine.transcript.entries import Origin
from teamwright.engine.transcript.evidence import check_chips, final_parts
from teamwright.engine.transcript.findings import FindingsSubject
from teamwright.engine.transcript.outcomes import ChangesSubject
from teamwright.engine.transcript.run_card import RunSubject
from teamwright.engine.transcript.words import PathOf, on_one_line, ordinal
from teamwright.protocol.ids import AgentId, EntryId
from teamwright.protocol.transcript import AnyPart, MarkdownPart, PlainPart


@dataclass(frozen=True, slots=True)
class ReportSection:
    title: str
    parts: tuple[AnyPart, ...]


@dataclass(frozen=True, slots=True)
class RunReport:
    title: str
    about: str
    sections: tuple[ReportSection, ...]


# Of the run's card, what says how it went; answers and votes have sections of their own.
_SUMMARY: Final = frozenset({"task", "phase", "agents", "winner", "winner note", "spent", "error"})


def run_report(past: PastRun, path_of: PathOf, opinion: str | None = None) -> RunReport:
    run = past.run
    card = RunSubject(_origin(past), run.run_id, lambda _: run, set()).draw().parts
    listed = (
        ReportSection("Summary", tuple(part for part in card if part.part in _SUMMARY)),
        ReportSection("Result", tuple(_result(past))),
        ReportSection("What can be learned from it", (*analysis_parts(analyse(past)), *_opinion(opinion))),
        ReportSection("Findings", _findings(past, path_of)),
        ReportSection("Changes", tuple(_changes(past, path_of))),
        ReportSection("Checks", tuple(_checks(past))),
        ReportSection("Answers", tuple(_answers(past))),
        ReportSection("Votes", tuple(part for part in card if part.part == "votes")),
    )
    about = f"A run of {run.started_at:%Y-%m-%d %H:%M} UTC"
    return RunReport(on_one_line(title_of_run(run)), about, tuple(each for each in listed if each.parts))


def _origin(past: PastRun) -> Origin:
    return Origin(past.run.started_at, None, run_id=past.run.run_id)


def _result(past: PastRun) -> Iterator[AnyPart]:
    if (result := past.history.result) is not None:
        yield MarkdownPart(part="result", title=f"Presented by {result.agent_id}", text=result.text)


def _opinion(opinion: str | None) -> Iterator[AnyPart]:
    if opinion is not None:
        yield MarkdownPart(part="opinion", title="A second opinion", text=opinion)


def _findings(past: PastRun, path_of: PathOf) -> tuple[AnyPart, ...]:
    run = past.run
    if not run.findings:
        return ()
    return FindingsSubject(_origin(past), run.run_id, lambda _: run, path_of, ()).draw().parts


def _changes(past: PastRun, path_of: PathOf) -> Iterator[AnyPart]:
    run = past.run
    if not run.changes.proposed:
        return
    entry_id = EntryId(f"{run.run_id}:changes")
    subject = ChangesSubject(entry_id, _origin(past), run.changes.proposed, path_of, lambda _: None, problems=set())
    subject.settled = {file.uri: file for file in run.changes.settled or ()}
    subject.is_settled = run.changes.settled is not None
    yield from (part.model_copy(update={"folded": None}) for part in subject.draw().parts)


def _checks(past: PastRun) -> Iterator[AnyPart]:
    run = past.run
    for part in check_chips("base checks", views(run, base_keys(run)), None):
        yield part.model_copy(update={"title": "Without any change"})
    counts = dict[AgentId, int]()
    for answer in run.answers:
        number = counts[answer.agent_id] = counts.get(answer.agent_id, 0) + 1
        checks = views(run, keys_of_answer(run, answer))
        for part in check_chips(f"{answer.answer_id} checks", checks, answer.candidate):
            yield part.model_copy(update={"title": f"{answer.agent_id}'s {ordinal(number)} answer"})
    yield from final_parts(run)


def _answers(past: PastRun) -> Iterator[AnyPart]:
    counts = dict[AgentId, int]()
    for answer in past.run.answers:
        number = counts[answer.agent_id] = counts.get(answer.agent_id, 0) + 1
        title = f"{answer.agent_id}'s {ordinal(number)} answer"
        yield MarkdownPart(part=answer.answer_id, title=title, text=answer.content, folded=True)
        if answer.candidate is not None:
            files = ", ".join(answer.candidate.files)
            yield PlainPart(part=f"{answer.answer_id} files", text=f"It changes {files}.")
