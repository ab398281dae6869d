"""What was said in a session, folded from its log. Folding it as it grows and folding it anew come to the same."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from quorate.models.port import Replay
from quorate.prompts.assistant.notes import cancelled_note, failed_note
from quorate.protocol.events import (
    ItemFinished,
    ItemStarted,
    SessionCompacted,
    SessionCreated,
    SessionUpdated,
    TurnFinished,
    TurnStarted,
)
from quorate.protocol.ids import ItemId, TurnId
from quorate.protocol.items import AssistantMessage, Item, Presentation, Reasoning, ToolCall, UserMessage
from quorate.protocol.records import EventRecord
from quorate.runtime.context.answered import Answered, ProposedCall
from quorate.runtime.context.entry import Entry, Noted
from quorate.runtime.context.said import Said
from quorate.runtime.context.session_runs import PathOf, SessionRuns

# More than the largest model reads: what is older is kept in brief, so that no session can fill the memory.
MOST_KEPT: Final = 6_000_000
_KEPT_AFTERWARDS: Final = MOST_KEPT * 3 // 4
_NEVER_FORGOTTEN: Final = 20


class Conversation:
    def __init__(self, path_of: PathOf = str) -> None:
        self.entries: list[Entry] = []
        self.summary = ""
        self.project: str | None = None
        self.runs = SessionRuns(path_of)
        # Whether the turn under way has had its compaction: one is all it gets.
        self.is_freshly_compacted = False
        # Messages whose attachments have not been shown yet.
        self.unread: list[Said] = []
        self._by_item: dict[ItemId, Said | Answered] = {}
        self._latest_answer: Answered | None = None
        self._turn_id: TurnId | None = None
        self.last_seq = 0
        self._kept = 0
        self._forgotten = 0

    def fold(self, record: EventRecord) -> None:
        self.last_seq = record.seq or self.last_seq
        match record.event:
            case ItemStarted(item=ToolCall() as item) | ItemFinished(item=item):
                if record.run_id is None:
                    self._fold_item(item, record.turn_id)
            case ItemStarted():
                pass
            case TurnStarted():
                self._turn_id = record.turn_id
                self.is_freshly_compacted = False
            case TurnFinished() as finished:
                self._finish_turn(finished, record.turn_id)
            case SessionCompacted(summary=summary, up_to_seq=up_to_seq):
                self._compact(summary, up_to_seq)
            case SessionCreated(session=session) | SessionUpdated(session=session):
                self.project = session.project
            case _:
                if (news := self.runs.fold(record)) is not None:
                    self._append(Noted(self.last_seq, None, news.text, news.stub))

    def recall(self, calls: Sequence[ProposedCall], replay: Replay) -> None:
        """Not a fact of the log: lost with the process, and only then is an answer told without it."""
        self._answer_in_progress(self._turn_id).recall(calls, replay)

    def _fold_item(self, item: Item, turn_id: TurnId | None) -> None:
        known = self._by_item.get(item.item_id)
        if item.discarded:
            self._take_back(item.item_id, known)
            return
        match item:
            case UserMessage():
                if known is None:
                    said = Said(self.last_seq, turn_id, item.text, item.attachments)
                    self._by_item[item.item_id] = said
                    if said.attachments:
                        self.unread.append(said)
                    self._append(said)
            case AssistantMessage():
                answer = known if isinstance(known, Answered) else self._answer_in_progress(turn_id)
                self._by_item[item.item_id] = answer
                before = answer.weight
                answer.say(item.item_id, item.text)
                self._keep(answer.weight - before)
            case ToolCall():
                answer = known if isinstance(known, Answered) else self._answer_of_call(turn_id)
                self._by_item[item.item_id] = answer
                before = answer.weight
                answer.call(item)
                self._keep(answer.weight - before)
            case Reasoning() | Presentation():
                # The model's reasoning is its own; a provider that wants it back says so by `recall`.
                pass

    def _take_back(self, item_id: ItemId, known: Said | Answered | None) -> None:
        match known:
            case None:
                pass
            case Said():
                known.take_back()
            case Answered():
                before = known.weight
                known.take_back(item_id)
                self._keep(known.weight - before)

    def _answer_in_progress(self, turn_id: TurnId | None) -> Answered:
        """The last entry, as long as the model has only talked; else a new one."""
        last = self.entries[-1] if self.entries else None
        if isinstance(last, Answered) and last.turn_id == turn_id and not last.has_calls:
            return last
        answer = self._latest_answer = Answered(self.last_seq, turn_id)
        self._append(answer)
        return answer

    def _answer_of_call(self, turn_id: TurnId | None) -> Answered:
        """Calls that overlap were made in one answer."""
        latest = self._latest_answer
        if latest is not None and latest.turn_id == turn_id and latest.awaits_calls:
            return latest
        return self._answer_in_progress(turn_id)

    def _finish_turn(self, finished: TurnFinished, turn_id: TurnId | None) -> None:
        if turn_id != self._turn_id:
            # It was cancelled while it still waited for its turn: nothing of it was said.
            return
        match finished.outcome:
            case "completed":
                pass
            case "cancelled":
                self._append(Noted(self.last_seq, turn_id, cancelled_note()))
            case "failed":
                self._append(Noted(self.last_seq, turn_id, failed_note(finished.error)))

    def _compact(self, summary: str, up_to_seq: int) -> None:
        replaced = bisect_right(self.entries, up_to_seq, key=lambda entry: entry.seq)
        self.summary = summary
        self.is_freshly_compacted = True
        self.entries = self.entries[replaced:]
        self._by_item = {item_id: entry for item_id, entry in self._by_item.items() if entry.seq > up_to_seq}
        self.unread = [said for said in self.unread if said.seq > up_to_seq]
        self._kept = sum(entry.weight for entry in self.entries)
        self._forgotten = max(0, self._forgotten - replaced)

    def _append(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._keep(entry.weight)

    def _keep(self, characters: int) -> None:
        self._kept += characters
        if self._kept <= MOST_KEPT:
            return
        while self._kept > _KEPT_AFTERWARDS and self._forgotten < len(self.entries) - _NEVER_FORGOTTEN:
            entry = self.entries[self._forgotten]
            self._kept -= entry.weight
            entry.forget()
            self._kept += entry.weight
            self._forgotten += 1
