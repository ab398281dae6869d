"""The turns that a log leaves unfinished: what each had said and done, and what it had open when the log ended."""

from dataclasses import dataclass, field, replace

from quorate.protocol.decisions import InputDecision, RunDecision
from quorate.protocol.events import (
    DecisionRequested,
    ItemFinished,
    ItemStarted,
    RunStarted,
    TurnFinished,
    TurnQueued,
    TurnStarted,
)
from quorate.protocol.ids import DecisionId, ItemId, RunId, TurnId
from quorate.protocol.items import Item, Presentation, ToolCall, UserMessage
from quorate.protocol.records import EventRecord
from quorate.runtime.turn import Asked


@dataclass(slots=True)
class OpenTurn:
    asked: Asked
    has_started: bool = False
    has_message: bool = False
    items: dict[ItemId, Item] = field(default_factory=dict[ItemId, Item])
    # What the latest call of its kind came to.
    run_id: RunId | None = None
    question_id: DecisionId | None = None
    calls_done: int = 0
    steps: int = 0
    is_presented: bool = False
    # Only its end is missing: nobody is asked for it, neither a person nor a model.
    is_answered: bool = False
    _has_words_since: bool = False

    @property
    def done(self) -> str:
        """For the person who is asked whether to go on."""
        return "nothing so far" if not self.calls_done else f"{self.calls_done} tool calls so far"

    @property
    def open_calls(self) -> list[str]:
        """What was called and has not come back."""
        return [item.name for item in self.items.values() if isinstance(item, ToolCall)]

    def fold(self, record: EventRecord) -> None:
        match record.event:
            case TurnStarted():
                self.has_started = True
            case DecisionRequested(decision=RunDecision()) | RunStarted(parent_run_id=None):
                self.run_id = record.run_id
            case DecisionRequested(decision=InputDecision() as question) if record.run_id is None:
                self.question_id = question.decision_id
            case ItemStarted() as started if record.run_id is None:
                self._begin(started)
            case ItemFinished() as finished if record.run_id is None:
                self._finish(finished)
            case _:
                pass

    def _begin(self, started: ItemStarted) -> None:
        item = self.items[started.item.item_id] = started.item
        self.steps = max(self.steps, started.step or 0)
        # Words that come while an answer is under way are not answered by it.
        self._has_words_since = isinstance(item, UserMessage)
        if isinstance(item, ToolCall):
            self.run_id = self.question_id = None

    def _finish(self, finished: ItemFinished) -> None:
        item = finished.item
        self.items.pop(item.item_id, None)
        self.calls_done += isinstance(item, ToolCall)
        self.is_presented |= isinstance(item, Presentation)
        is_last_word = bool(finished.ends_turn) or isinstance(item, Presentation)
        self.is_answered = is_last_word and not self._has_words_since
        if isinstance(item, UserMessage) and not self.has_message:
            self.has_message = True
            self.asked = replace(self.asked, attachments=item.attachments)


class OpenTurns:
    """In the order in which they were asked for."""

    def __init__(self) -> None:
        self._turns: dict[TurnId, OpenTurn] = {}

    def fold(self, record: EventRecord) -> None:
        turn_id = record.turn_id
        if turn_id is None:
            return
        match record.event:
            case TurnQueued(text=text, attachments=attachments):
                self._turns[turn_id] = OpenTurn(Asked(turn_id, text, attachments))
            case TurnStarted(text=text):
                self._turns.setdefault(turn_id, OpenTurn(Asked(turn_id, text))).fold(record)
            case TurnFinished():
                self._turns.pop(turn_id, None)
            case _:
                if (turn := self._turns.get(turn_id)) is not None:
                    turn.fold(record)

    @property
    def interrupted(self) -> OpenTurn | None:
        """The one that had started: there is only ever one."""
        return next((turn for turn in self._turns.values() if turn.has_started), None)

    @property
    def waiting(self) -> list[Asked]:
        return [turn.asked for turn in self._turns.values() if not turn.has_started]
