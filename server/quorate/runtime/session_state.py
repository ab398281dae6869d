"""A session as its log tells it: what the browser lists, and what a client draws when it opens it."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime

from quorate.engine.agreement import agreed_findings, ids_of
from quorate.engine.reduce import reduce
from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.engine.state import Run, RunState
from quorate.engine.view import view
from quorate.protocol.decisions import Decision
from quorate.protocol.events import (
    DecisionRequested,
    DecisionResolved,
    FindingDismissed,
    ItemDelta,
    ItemFinished,
    ItemStarted,
    RunFinished,
    SessionCompacted,
    SessionCreated,
    SessionUpdated,
    TurnFinished,
    TurnQueued,
    TurnStarted,
)
from quorate.protocol.findings import AgreedFinding
from quorate.protocol.ids import DecisionId, FindingId, ItemId, RunId, SessionId, TurnId
from quorate.protocol.items import AssistantMessage, Item, Presentation, UserMessage
from quorate.protocol.modes import Modes
from quorate.protocol.records import EventRecord
from quorate.protocol.usage import Usage
from quorate.protocol.views import SessionSummary, SessionView

ITEMS_IN_VIEW = 200
_PREVIEW_LENGTH = 160


def in_view(item: Item, record: EventRecord) -> Item:
    """With what the envelope of its record says of it."""
    place = {"seq": record.seq, "turn_id": record.turn_id, "run_id": record.run_id, "agent_id": record.agent_id}
    return item.model_copy(update=place)


class SessionState:
    """Folded from the session's durable records, from its first one on; what streams is seen besides."""

    def __init__(self, session_id: SessionId) -> None:
        self.session_id = session_id
        self.last_seq = 0
        self.title = ""
        self.project: str | None = None
        self.modes = Modes()
        self.runs: dict[RunId, Run] = {}
        self.pending: dict[DecisionId, Decision] = {}
        self.turns_under_way: dict[TurnId, str] = {}
        self.turns_waiting: dict[TurnId, str] = {}
        self.turns = 0
        self.dismissed: set[FindingId] = set()
        self.spending = NOTHING_SPENT
        self._times: tuple[datetime, datetime] | None = None
        self._last_message = ""
        self._items: dict[ItemId, Item] = {}
        self._streamed: defaultdict[ItemId, list[str]] = defaultdict(list)

    @property
    def is_busy(self) -> bool:
        return bool(self.turns_under_way) or any(run.finished is None for run in self.runs.values())

    def fold(self, record: EventRecord) -> None:
        self.last_seq = record.seq or self.last_seq
        self._times = (self._times[0] if self._times else record.at, record.at)
        if record.run_id is not None:
            self._fold_into_runs(record, record.run_id)
        match record.event:
            case SessionCreated(session=summary) | SessionUpdated(session=summary):
                self._times = (summary.created_at, record.at)
                self.title, self.project, self.modes = summary.title, summary.project, summary.modes
            case DecisionRequested(decision=decision):
                self.pending[decision.decision_id] = decision
            case DecisionResolved(decision_id=decision_id):
                self.pending.pop(decision_id, None)
            case ItemStarted(item=item) | ItemFinished(item=item):
                self._streamed.pop(item.item_id, None)
                self._keep(in_view(item, record))
            case FindingDismissed(finding_ids=finding_ids):
                self.dismissed |= set(finding_ids)
            case RunFinished(usage=usage, cost_usd=cost_usd):
                self.spending += Spending(usage, cost_usd)
            case SessionCompacted(usage=Usage() as usage, cost_usd=cost_usd):
                self.spending += Spending(usage, cost_usd)
            case _:
                self._fold_into_turns(record)

    def see(self, record: EventRecord) -> EventRecord:
        """What streams is part of the view, so that whoever comes in the middle of it misses nothing."""
        if isinstance(record.event, ItemDelta):
            self._streamed[record.event.item_id].append(record.event.text)
        return record

    def summary(self) -> SessionSummary:
        if self._times is None:
            raise ValueError("a session without any record has no summary")
        created_at, updated_at = self._times
        return SessionSummary(
            session_id=self.session_id,
            title=self.title,
            project=self.project,
            created_at=created_at,
            updated_at=updated_at,
            last_message=self._last_message,
            turns=self.turns,
            runs=len(self.runs),
            pending_decisions=len(self.pending),
            cost_usd=self.spending.cost_usd,
            modes=self.modes,
            busy=self.is_busy,
        )

    def view(self) -> SessionView:
        return SessionView(
            **dict(self.summary()),
            items=tuple(self._so_far(item) for item in self._items.values()),
            run_views=tuple(view(run) for run in self.runs.values()),
            decisions=tuple(self.pending.values()),
            findings=self.findings(),
        )

    def findings(self) -> tuple[AgreedFinding, ...]:
        """Of all its reviews, most agreed first."""
        found = (finding for run_id in self.runs for finding in self.findings_of(run_id))
        return tuple(sorted(found, key=lambda finding: -finding.agreement))

    def findings_of(self, run_id: RunId) -> tuple[AgreedFinding, ...]:
        run = self.runs.get(run_id)
        return agreed_findings(run, self.dismissed) if isinstance(run, RunState) and run.findings else ()

    def ids_called(self, finding_ids: Collection[FindingId]) -> frozenset[FindingId]:
        """And those of all remarks that stand together with them."""
        reviews = [run for run in self.runs.values() if isinstance(run, RunState) and run.findings]
        return frozenset(each for run in reviews for finding_id in finding_ids for each in ids_of(run, finding_id))

    def findings_called(self, finding_ids: Collection[FindingId]) -> list[AgreedFinding]:
        called = self.ids_called(finding_ids)
        return [finding for finding in self.findings() if finding.finding_id in called]

    def unfinished_runs(self) -> Iterator[tuple[RunId, Run]]:
        return ((run_id, run) for run_id, run in self.runs.items() if run.finished is None)

    def _fold_into_runs(self, record: EventRecord, run_id: RunId) -> None:
        # A planning run also hears of the run that carries its plan out.
        for known in {run_id, *(key for key, run in self.runs.items() if run.finished is None)}:
            advanced = reduce(self.runs.get(known), record) if known == run_id or known in self.runs else None
            if advanced is not None:
                self.runs[known] = advanced

    def _fold_into_turns(self, record: EventRecord) -> None:
        turn_id = record.turn_id
        if turn_id is None:
            return
        match record.event:
            case TurnQueued(text=text):
                self.turns_waiting[turn_id] = text
            case TurnStarted(text=text):
                self.turns += 1
                self.turns_waiting.pop(turn_id, None)
                self.turns_under_way[turn_id] = text
            case TurnFinished(usage=usage, cost_usd=cost_usd):
                self.turns_waiting.pop(turn_id, None)
                self.turns_under_way.pop(turn_id, None)
                self.spending += Spending(usage, cost_usd)
            case _:
                pass

    def _so_far(self, item: Item) -> Item:
        streamed = self._streamed.get(item.item_id)
        return item if streamed is None else item.model_copy(update={"text": "".join(streamed)})

    def _keep(self, item: Item) -> None:
        self._items[item.item_id] = item
        if len(self._items) > ITEMS_IN_VIEW:
            del self._items[next(iter(self._items))]
        if isinstance(item, UserMessage | AssistantMessage | Presentation) and item.text:
            self._last_message = " ".join(item.text.split())[:_PREVIEW_LENGTH]
