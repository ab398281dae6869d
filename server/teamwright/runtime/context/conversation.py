"""What was said in a session, folded from its log. Folding it as it grows and folding it anew come to the same."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from teamwright.models.port import Replay
from teamwright.prompts.assistant.notes import cancelled_note, failed_note
from teamwright.protocol.events import TurnFinished
from teamwright.protocol.ids import ItemId, TurnId
from teamwright.protocol.items import Item
from teamwright.protocol.records import EventRecord
from teamwright.runtime.context.entry import ContextEntry, Noted, UserEntry
from teamwright.runtime.context.reply_entry import ProposedCall, ReplyEntry
from teamwright.runtime.context.session_runs import PathOf, SessionRuns

# More than the largest model reads: what is older is kept in brief, so that no session can fill the memory.
MOST_KEPT: Final = 6_000_000
_KEPT_AFTERWARDS: Final = MOST_KEPT * 3 // 4
_NEVER_FORGOTTEN: Final = 20


class SessionConversation:
    def __init__(self, path_of: PathOf = str) -> None:
        self.entries: list[ContextEntry] = []
        self.summary = ""
        self.project: str | None = None
        self.runs = SessionRuns(path_of)
        # Whether the turn under way has had its compaction: one is all it gets.
        self.is_freshly_compacted = False
        # Messages whose attachments have not been shown yet.
        self.unread: list[UserEntry] = []
        self._said: dict[ItemId, UserEntry] = {}
        self._answers: dict[ItemId, ReplyEntry] = {}
        self._latest_answer: ReplyEntry | None = None
        self._turn_id: TurnId | None = None
        self.last_seq = 0
        self._kept = 0
        self._forgotten = 0

    def fold(self, record: EventRecord) -> None:
        self.last_seq = record.seq or self.last_seq
        event = record.event
        # By name: asking which class each of thousands of records is of takes several times as long.
        match event.type:
            case "item.started" | "item.finished":
                # Only of calls is anything known before they end.
                is_told = event.type == "item.finished" or event.item.kind == "tool_call"
                if is_told and record.run_id is None:
                    self._fold_item(event.item, record.turn_id)
            case "turn.started":
                self._turn_id = record.turn_id
                self.is_freshly_compacted = False
            case "turn.finished":
                self._finish_turn(event, record.turn_id)
            case "session.compacted":
                self._compact(event.summary, event.up_to_seq)
            case "session.created" | "session.updated":
                self.project = event.session.project
            case _:
                if (news := self.runs.fold(record)) is not None:
                    self._append(Noted(self.last_seq, None, news.text, news.stub))

    def recall(self, calls: Sequence[ProposedCall], replay: Replay) -> None:
        """Not a fact of the log: lost with the process, and only then is an answer told without it."""
        self._answer_in_progress(self._turn_id).recall(calls, replay)

    def _fold_item(self, item: Item, turn_id: TurnId | None) -> None:
        if item.discarded:
            self._take_back(item.item_id)
            return
        match item.kind:
            case "user_message":
                if item.item_id not in self._said:
                    said = self._said[item.item_id] = UserEntry(self.last_seq, turn_id, item.text, item.attachments)
                    if said.attachments:
                        self.unread.append(said)
                    self._append(said)
            case "assistant_message":
                answer = self._answers.get(item.item_id) or self._answer_in_progress(turn_id)
                self._answers[item.item_id] = answer
                before = answer.weight
                answer.say(item.item_id, item.text)
                self._keep(answer.weight - before)
            case "tool_call":
                answer = self._answers.get(item.item_id) or self._answer_of_call(turn_id)
                self._answers[item.item_id] = answer
                before = answer.weight
                answer.call(item)
                self._keep(answer.weight - before)
            case "reasoning" | "presentation":
                # The model's reasoning is its own; a provider that wants it back says so by `recall`.
                pass

    def _take_back(self, item_id: ItemId) -> None:
        if (said := self._said.get(item_id)) is not None:
            said.take_back()
        elif (answer := self._answers.get(item_id)) is not None:
            before = answer.weight
            answer.take_back(item_id)
            self._keep(answer.weight - before)

    def _answer_in_progress(self, turn_id: TurnId | None) -> ReplyEntry:
        """The last entry, as long as the model has only talked; else a new one."""
        latest = self._latest_answer
        if latest is not None and latest.turn_id == turn_id and not latest.has_calls and self.entries[-1:] == [latest]:
            return latest
        answer = self._latest_answer = ReplyEntry(self.last_seq, turn_id)
        self._append(answer)
        return answer

    def _answer_of_call(self, turn_id: TurnId | None) -> ReplyEntry:
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
        self._said = {item_id: said for item_id, said in self._said.items() if said.seq > up_to_seq}
        self._answers = {item_id: answer for item_id, answer in self._answers.items() if answer.seq > up_to_seq}
        self.unread = [said for said in self.unread if said.seq > up_to_seq]
        self._kept = sum(entry.weight for entry in self.entries)
        self._forgotten = max(0, self._forgotten - replaced)

    def _append(self, entry: ContextEntry) -> None:
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
