"""From facts to entries: what a session's transcript and a run's have in common."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Final

from teamwright.engine.transcript.activity import SEEN_BY_THEIR_EFFECT, ActivitySubject
from teamwright.engine.transcript.analysis import AnalysisSubject
from teamwright.engine.transcript.decisions import DecisionSubject
from teamwright.engine.transcript.entries import EntryList, Origin, Subject
from teamwright.engine.transcript.evidence import ShownProblems
from teamwright.engine.transcript.findings import FindingsSubject
from teamwright.engine.transcript.outcomes import ChangesSubject, OutcomeSubject, PlanSubject
from teamwright.engine.transcript.run_card import RunOf, RunSubject
from teamwright.engine.transcript.texts import RemarkSubject, TextSubject
from teamwright.engine.transcript.words import PathOf
from teamwright.protocol.changes import Change, SettledFile
from teamwright.protocol.checks import CheckSubject
from teamwright.protocol.decisions import ChangesDecision, Decision, PlanDecision
from teamwright.protocol.events import (
    AgentCorrected,
    AgentInformed,
    AnswerSubmitted,
    ChangesProposed,
    ChangesSettled,
    CheckCompared,
    CheckFinished,
    CheckProblemsShown,
    CheckStarted,
    DecisionRequested,
    DecisionResolved,
    FindingDismissed,
    FindingReported,
    ItemDelta,
    ItemFinished,
    ItemStarted,
    PlanProposed,
    RunAnalyzed,
    RunFinished,
    RunUpdated,
    TimerElapsed,
    TransientEvent,
    VoteCast,
)
from teamwright.protocol.ids import DecisionId, EntryId, FindingId, RunId
from teamwright.protocol.items import Item, TextItem, ToolCall
from teamwright.protocol.records import EventRecord
from teamwright.protocol.transcript import Entry

# Facts that a run's card shows nothing of.
_UNSEEN: Final = ItemStarted | ItemFinished | AgentInformed | AgentCorrected | TimerElapsed | TransientEvent


@dataclass(frozen=True, slots=True)
class Sources:
    """What the entries are drawn from besides the records: names of files, and the runs as their own engine has them.

    `run_of` is looked at when an entry is drawn, so that it makes no difference which of the two was folded first.
    """

    path_of: PathOf
    run_of: RunOf
    dismissed: set[FindingId] = field(default_factory=set[FindingId])
    problems: ShownProblems = field(default_factory=set[tuple[RunId, CheckSubject]])


class TranscriptFold(ABC):
    def __init__(self, sources: Sources) -> None:
        self.entries = EntryList()
        self.sources = sources
        self._decisions: dict[DecisionId, EntryId] = {}
        # What stands there to be applied now.
        self._changes: dict[RunId, EntryId] = {}
        self._remarks = 0

    @abstractmethod
    def fold(self, record: EventRecord) -> None:
        """One record further. What streams and what is only of the moment belongs to it too."""

    def see(self, record: EventRecord) -> EventRecord:
        """What is only of the moment, as it passes by."""
        self.fold(record)
        return record

    def _fold_plan(self, record: EventRecord, run_id: RunId) -> None:
        entry_id = EntryId(f"{run_id}:plan")
        if isinstance(record.event, PlanProposed):
            self.entries.show(PlanSubject(entry_id, Origin.of_run(record), record.event))
        elif isinstance(record.event, RunFinished) and isinstance(plan := self.entries.get(entry_id), PlanSubject):
            plan.ended = record.event
            self.entries.show(plan)

    def fold_run(self, record: EventRecord, run_id: RunId) -> None:
        """What is shown of a run, here and there alike."""
        self.touch_card(record, run_id)
        self._fold_plan(record, run_id)
        match record.event:
            case ChangesProposed(changes=changes) if changes:
                self._propose(record, run_id, changes)
            case ChangesSettled(settled=settled):
                self._settle(run_id, settled)
            case CheckStarted(of="final") | CheckFinished(of="final") | CheckCompared(of="final"):
                self._show_again(self._changes_of(run_id))
            case CheckProblemsShown(of=of, problems=problems):
                before = {each for each, _ in self.sources.problems}
                self.sources.problems.clear()
                self.sources.problems.update({(run_id, of)} if problems else ())
                for each in (*before, run_id):
                    self._show_again(self.entries.get(EntryId(each)), self._changes_of(each))
            case FindingReported():
                self._show_findings(record, run_id)
            case RunAnalyzed() as event:
                self._show_analysis(record, run_id, event)
            case VoteCast() | AnswerSubmitted() | RunFinished():
                # Who disputes what, and whether more is to come.
                self._show_findings(record, run_id, only_if_there=True)
            case _:
                pass

    def _propose(self, record: EventRecord, run_id: RunId, changes: tuple[Change, ...]) -> None:
        """Once the run is over, another's changes come behind all else, and take the place of the earlier ones."""
        earlier, card = self._changes_of(run_id), self.entries.get(EntryId(run_id))
        is_late = isinstance(card, RunSubject) and card.finished is not None
        if is_late and earlier is not None:
            earlier.is_replaced = True
            self.entries.show(earlier)
        entry_id = EntryId(f"{run_id}:changes:{record.seq}" if is_late else f"{run_id}:changes")
        origin, path_of, run_of = Origin.of_run(record), self.sources.path_of, self.sources.run_of
        self._changes[run_id] = entry_id
        self.entries.show(
            ChangesSubject(entry_id, origin, changes, path_of, run_of, problems=self.sources.problems, is_late=is_late)
        )

    def _settle(self, run_id: RunId, settled: tuple[SettledFile, ...]) -> None:
        subject = self._changes_of(run_id)
        if subject is not None:
            subject.settled |= {file.uri: file for file in settled}
            subject.is_settled = True
            self.entries.show(subject)

    def _changes_of(self, run_id: RunId) -> ChangesSubject | None:
        subject = self.entries.get(self._changes.get(run_id, EntryId("")))
        return subject if isinstance(subject, ChangesSubject) else None

    def _show_again(self, *subjects: Subject | None) -> None:
        for subject in subjects:
            if subject is not None:
                self.entries.show(subject)

    def fold_decision(self, record: EventRecord, event: DecisionRequested | DecisionResolved) -> None:
        if isinstance(event, DecisionRequested):
            self._asked(record, event.decision)
            return
        subject = self.entries.get(self._decisions.pop(event.decision_id, EntryId("")))
        if isinstance(subject, DecisionSubject):
            subject.resolution = event
            self.entries.show(subject)
        elif isinstance(subject, OutcomeSubject):
            subject.resolve(event)
            self.entries.show(subject)

    def dismiss(self, event: FindingDismissed) -> None:
        self.sources.dismissed.update(event.finding_ids)
        for entry_id in tuple(self.entries.latest_first()):
            if isinstance(subject := self.entries.get(entry_id), FindingsSubject):
                self.entries.show(subject)

    def fold_item(self, record: EventRecord, item: Item, title: str, *, finished: bool) -> None:
        """All but the user's messages."""
        entry_id = EntryId(item.item_id)
        if item.discarded:
            self.entries.remove(entry_id)
        elif isinstance(item, ToolCall):
            self._activity(record, entry_id, item)
        elif isinstance(item, TextItem):
            subject = self.entries.get(entry_id)
            if not isinstance(subject, TextSubject):
                kind = "reasoning" if item.kind == "reasoning" else "answer"
                subject = TextSubject(entry_id, Origin.of(record), kind, title)
            if finished:
                subject.finish(item.text)
            self.show_text(subject)

    def grow(self, entry_id: EntryId, event: ItemDelta) -> None:
        subject = self.entries.get(entry_id)
        if not isinstance(subject, TextSubject) or subject.stream is None:
            return
        subject.stream.grow(event.offset, event.text)
        self.entries.grow(subject)

    def remark(self, record: EventRecord, entry: Entry, entry_id: str = "") -> None:
        self._remarks += 1
        called = entry_id or f"remark:{record.seq or record.at.isoformat()}:{self._remarks}"
        self.entries.show(RemarkSubject(EntryId(called), Origin.of(record), entry))

    def show_card(self, record: EventRecord, run_id: RunId) -> None:
        self.entries.show(RunSubject(Origin.of_run(record), run_id, self.sources.run_of, self.sources.problems))

    def show_text(self, subject: TextSubject) -> None:
        """A text that ended without a word, such as that of a call of tools alone, is nothing to show."""
        if subject.is_empty:
            self.entries.remove(subject.entry_id)
        else:
            self.entries.show(subject)

    def _activity(self, record: EventRecord, entry_id: EntryId, call: ToolCall) -> None:
        if call.name in SEEN_BY_THEIR_EFFECT and call.status != "failed":
            return
        subject = self.entries.get(entry_id)
        if isinstance(subject, ActivitySubject):
            subject.call = call
        else:
            subject = ActivitySubject(entry_id, Origin.of(record), call)
        self.entries.show(subject)

    def _asked(self, record: EventRecord, decision: Decision) -> None:
        origin = Origin.of(record)
        about = {"plan": PlanDecision, "changes": ChangesDecision}
        for name, kind in about.items():
            subject = self.entries.get(EntryId(f"{record.run_id}:{name}"))
            if isinstance(decision, kind) and isinstance(subject, OutcomeSubject):
                subject.ask(origin, decision)
                break
        else:
            subject = DecisionSubject(origin, decision)
        self._decisions[decision.decision_id] = subject.entry_id
        self.entries.show(subject)

    def touch_card(self, record: EventRecord, run_id: RunId, *, of_another: bool = False) -> None:
        """`of_another`: the record is of a run that concerns this one."""
        card = self.entries.get(EntryId(run_id))
        if not isinstance(card, RunSubject):
            return
        match record.event:
            case RunUpdated(run=view) if not of_another:
                card.live = view
            case RunFinished() as event if not of_another:
                card.finished = event
            case _ if isinstance(record.event, _UNSEEN):
                return
            case _:
                pass
        self.entries.show(card)

    def _show_analysis(self, record: EventRecord, run_id: RunId, event: RunAnalyzed) -> None:
        known = self.entries.get(EntryId(f"{run_id}:analysis"))
        subject = AnalysisSubject(Origin.of_run(record), run_id, event.analysis)
        if isinstance(known, AnalysisSubject):
            subject.origin, subject.opinion = known.origin, known.opinion
        subject.opinion = event.opinion or subject.opinion
        self.entries.show(subject)

    def _show_findings(self, record: EventRecord, run_id: RunId, *, only_if_there: bool = False) -> None:
        subject = self.entries.get(EntryId(f"{run_id}:findings"))
        if subject is None and not only_if_there:
            sources = self.sources
            subject = FindingsSubject(Origin.of_run(record), run_id, sources.run_of, sources.path_of, sources.dismissed)
        if subject is not None:
            self.entries.show(subject)
