"""A session as clients draw it: who said what, what the team did, what waits for a person."""

from teamwright.engine.transcript.entries import Origin
from teamwright.engine.transcript.fold import Sources, TranscriptFold
from teamwright.engine.transcript.outcomes import PlanSubject
from teamwright.engine.transcript.tasks import TasksSubject
from teamwright.engine.transcript.texts import (
    ASSISTANT,
    MessageSubject,
    TextSubject,
    compaction,
    notice,
    turn_ending,
    warning,
)
from teamwright.protocol.events import (
    AnyEvent,
    HiddenTextFound,
    ItemDelta,
    NoticeRaised,
    RunFinished,
    RunStarted,
    SessionCompacted,
    TurnFinished,
    TurnQueued,
    TurnStarted,
)
from teamwright.protocol.ids import EntryId, ItemId, RunId, TurnId
from teamwright.protocol.items import Item, Presentation, UserMessage
from teamwright.protocol.plans import TaskList
from teamwright.protocol.records import EventRecord


class SessionTranscript(TranscriptFold):
    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        # What a turn was asked, until it is over.
        self._asked_of: dict[TurnId, str] = {}
        # Which run's result a presenting agent's item is.
        self._presenting: dict[ItemId, RunId] = {}
        self._results: dict[TurnId, str] = {}
        self._parents: dict[RunId, RunId] = {}
        self._tasks = EntryId("")

    def fold(self, record: EventRecord) -> None:
        event = record.event
        # By name, and what there is most of first: a long log is folded when its session is opened.
        match event.type:
            case "item.started":
                self._item(record, event.item, finished=False)
                return
            case "item.finished":
                self._item(record, event.item, finished=True)
                return
            case "item.delta":
                self._streamed(event)
                return
            case _:
                pass
        if record.run_id is not None:
            self._fold_into_run(record, record.run_id)
        self._fold_of_session(record)

    def _fold_of_session(self, record: EventRecord) -> None:
        event = record.event
        match event.type:
            case "decision.requested" | "decision.resolved":
                self.fold_decision(record, event)
            case "finding.dismissed":
                self.dismiss(event)
            case "tasks.updated":
                self._list_tasks(record, event.tasks)
            case "session.compacted" | "hidden_text.found" | "notice.raised":
                self._remark(record, event)
            case "turn.queued" | "turn.started" | "turn.finished":
                self._turn(record)
            case _:
                pass

    def _remark(self, record: EventRecord, event: SessionCompacted | HiddenTextFound | NoticeRaised) -> None:
        match event:
            case SessionCompacted():
                self.remark(record, compaction(event), f"compaction:{record.seq}")
            case HiddenTextFound(text=text):
                self.remark(record, warning(text), f"hidden:{record.seq}")
            case NoticeRaised():
                self.remark(record, notice(event))

    def _streamed(self, event: ItemDelta) -> None:
        run_id = self._presenting.get(event.item_id)
        self.grow(EntryId(event.item_id) if run_id is None else _result_of(run_id), event)

    def _list_tasks(self, record: EventRecord, tasks: TaskList) -> None:
        """What the assistant writes in another turn stands below what was said there; else it changes in its place."""
        known = self.entries.get(self._tasks)
        if isinstance(known, TasksSubject) and tasks and record.turn_id in (None, known.origin.turn_id):
            known.tasks = tasks
            self.entries.show(known)
            return
        self.entries.remove(self._tasks)
        if tasks and record.session_id is not None:
            self._tasks = EntryId(f"tasks:{record.seq}")
            self.entries.show(TasksSubject(self._tasks, Origin.of(record), record.session_id, tasks))

    def _turn(self, record: EventRecord) -> None:
        turn_id = record.turn_id
        if turn_id is None:
            return
        message = self.entries.get(EntryId(turn_id))
        match record.event:
            case TurnQueued(text=text, attachments=attachments):
                self._asked_of[turn_id] = text
                path_of = self.sources.path_of
                origin = Origin.of(record)
                self.entries.show(MessageSubject(EntryId(turn_id), origin, text, attachments, path_of, state="queued"))
            case TurnStarted(text=text):
                self._asked_of[turn_id] = text
                if isinstance(message, MessageSubject):
                    message.state, message.waits, message.is_under_way = "sent", False, True
                    self.entries.show(message)
            case TurnFinished() as event:
                asked, _ = self._asked_of.pop(turn_id, ""), self._results.pop(turn_id, None)
                if isinstance(message, MessageSubject) and message.is_under_way:
                    message.is_under_way = False
                    self.entries.show(message)
                if isinstance(message, MessageSubject) and message.state == "queued":
                    message.state, message.waits = "cancelled", False
                    self.entries.show(message)
                    return
                attached = message.attachments if isinstance(message, MessageSubject) else ()
                ending = turn_ending(event, record.session_id, asked, attached)
                if ending is not None:
                    self.remark(record, ending, f"{turn_id}:end")
            case _:
                pass

    def _item(self, record: EventRecord, item: Item, *, finished: bool) -> None:
        if isinstance(item, UserMessage):
            self._message(record, item)
        elif record.agent_id is None:
            # A turn that went straight to the team repeats what stands above.
            if not (isinstance(item, Presentation) and record.turn_id in self._results):
                self.fold_item(record, item, ASSISTANT, finished=finished)
        elif isinstance(item, Presentation) and record.run_id is not None:
            self._presentation(record, item, record.run_id, finished=finished)

    def _message(self, record: EventRecord, item: UserMessage) -> None:
        """The first of its turn is what the turn was asked; a further one reached it on its way."""
        asked = EntryId(record.turn_id or item.item_id)
        known = self.entries.get(asked)
        if isinstance(known, MessageSubject) and known.item_id in (None, item.item_id):
            known.item_id, known.attachments = item.item_id, item.attachments
            self.entries.show(known)
            return
        entry_id = asked if known is None else EntryId(item.item_id)
        subject = MessageSubject(
            entry_id,
            Origin.of(record),
            item.text,
            item.attachments,
            self.sources.path_of,
            state="sent" if known is None else "steered",
        )
        subject.item_id = item.item_id
        subject.is_under_way = known is None and record.turn_id in self._asked_of
        self.entries.show(subject)

    def _presentation(self, record: EventRecord, item: Presentation, run_id: RunId, *, finished: bool) -> None:
        result = self._result(record, run_id, f"Result, presented by {record.agent_id}")
        if item.discarded:
            result.begin_anew()
        elif finished:
            self._presenting.pop(item.item_id, None)
            result.finish(item.text)
        else:
            self._presenting[item.item_id] = run_id
            result.begin_anew()
        self.entries.show(result)

    def _result(self, record: EventRecord, run_id: RunId, title: str) -> TextSubject:
        known = self.entries.get(_result_of(run_id))
        if isinstance(known, TextSubject):
            known.title = title
            return known
        return TextSubject(_result_of(run_id), Origin.of(record), "answer", title)

    def _fold_into_run(self, record: EventRecord, run_id: RunId) -> None:
        event = record.event
        if isinstance(event, RunStarted):
            if self.entries.get(EntryId(run_id)) is None:
                self.show_card(record, run_id)
            if event.parent_run_id is not None:
                self._parents[run_id] = event.parent_run_id
        self.fold_run(record, run_id)
        self._note_run(record, run_id)
        # A run that planned is drawn with the one that carries its plan out.
        if (parent := self._parents.get(run_id)) is not None:
            self.touch_card(record, parent, of_another=True)
            self._carry_out(event, run_id, parent)
        if isinstance(event, RunFinished):
            self._finished(record, run_id, event)

    def _note_run(self, record: EventRecord, run_id: RunId) -> None:
        """Who stops a turn is told what ends with it."""
        if record.turn_id is None or record.event.type not in {"decision.requested", "run.started", "run.finished"}:
            return
        message = self.entries.get(EntryId(record.turn_id))
        if not isinstance(message, MessageSubject):
            return
        before = len(message.runs)
        if record.event.type == "run.finished":
            message.runs.discard(run_id)
        else:
            message.runs.add(run_id)
        if len(message.runs) != before:
            self.entries.show(message)

    def _carry_out(self, event: AnyEvent, run_id: RunId, parent: RunId) -> None:
        plan = self.entries.get(EntryId(f"{parent}:plan"))
        if not isinstance(plan, PlanSubject):
            return
        match event:
            case RunStarted(plan_tasks=tasks):
                plan.started(run_id, tasks)
            case RunFinished(outcome=outcome):
                plan.finished(run_id, outcome)
            case _:
                return
        self.entries.show(plan)

    def _finished(self, record: EventRecord, run_id: RunId, event: RunFinished) -> None:
        if event.result is not None:
            if event.result.strategy == "plan" and self.entries.get(EntryId(f"{run_id}:plan")) is not None:
                # It stands there as a plan already, with what can be done about it.
                self.entries.remove(_result_of(run_id))
            else:
                result = self._result(record, run_id, f"Result, presented by {event.result.agent_id}")
                result.finish(event.result.text)
                self.entries.show(result)
            if record.turn_id is not None:
                self._results[record.turn_id] = event.result.text
        elif isinstance(partial := self.entries.get(_result_of(run_id)), TextSubject):
            partial.finish(partial.text)
            self.show_text(partial)


def _result_of(run_id: RunId) -> EntryId:
    return EntryId(f"{run_id}:result")
