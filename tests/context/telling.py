"""A session told in facts: each verb appends the records that the runtime would."""

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import count
from typing import Any, Literal

from teamwright.protocol.changes import Change, SettledFile
from teamwright.protocol.events import (
    ChangesProposed,
    ChangesSettled,
    DurableEvent,
    ItemFinished,
    ItemStarted,
    RunFinished,
    RunStarted,
    SessionCompacted,
    SessionCreated,
    TurnFinished,
    TurnStarted,
)
from teamwright.protocol.ids import AgentId, ItemId, RunId, SessionId, TurnId
from teamwright.protocol.items import AssistantMessage, Attachment, Item, Reasoning, ToolCall, UserMessage
from teamwright.protocol.records import EventRecord
from teamwright.protocol.runs import ResolvedRunSpec
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import RunResult, SessionSummary

AT = datetime(2026, 11, 16, 8, 30, tzinfo=UTC)
SESSION = SessionId("ses_1")
Status = Literal["running", "succeeded", "failed", "cancelled"]


class Told:
    """The log so far. Items are numbered in the order in which they begin."""

    def __init__(self) -> None:
        self.records: list[EventRecord] = []
        self._items = count(1)
        self._turns = count(1)
        self._turn: TurnId | None = None

    def fact(self, event: DurableEvent, **envelope: Any) -> int:
        seq = len(self.records) + 1
        self.records.append(EventRecord(seq=seq, at=AT, session_id=SESSION, event=event, **envelope))
        return seq

    def created(self, **fields: Any) -> None:
        summary = SessionSummary(session_id=SESSION, title="T", created_at=AT, updated_at=AT, **fields)
        self.fact(SessionCreated(session=summary))

    def asks(self, text: str, *attachments: Attachment) -> None:
        """A new turn."""
        self._turn = TurnId(f"turn_{next(self._turns)}")
        self.fact(TurnStarted(text=text), turn_id=self._turn)
        self.adds(text, *attachments)

    def adds(self, text: str, *attachments: Attachment) -> None:
        """The user says something more in the turn under way."""
        self._item(UserMessage(item_id=self.next_item(), text=text, attachments=attachments))

    def thinks(self, text: str) -> None:
        self._item(Reasoning(item_id=self.next_item(), text=text))

    def says(self, text: str, *, discarded: bool = False) -> ItemId:
        item = AssistantMessage(item_id=self.next_item(), text=text)
        self._item(item)
        if discarded:
            self.discards(item)
        return item.item_id

    def discards(self, item: Item) -> None:
        self.in_turn(ItemFinished(item=item.model_copy(update={"discarded": True})))

    def begins(self, name: str, **arguments: Any) -> ToolCall:
        call = ToolCall(item_id=self.next_item(), name=name, arguments=arguments)
        self.in_turn(ItemStarted(item=call))
        return call

    def ends(self, call: ToolCall, result: str | None = None, *, status: Status = "succeeded") -> None:
        told = {"error" if status == "failed" else "result": result}
        self.in_turn(ItemFinished(item=call.model_copy(update={"status": status, **told})))

    def calls(self, name: str, result: str = "done", **arguments: Any) -> ItemId:
        call = self.begins(name, **arguments)
        self.ends(call, result)
        return call.item_id

    def finishes(self, outcome: Literal["completed", "cancelled", "failed"] = "completed", **fields: Any) -> None:
        self.in_turn(TurnFinished(outcome=outcome, usage=Usage(calls=1), **fields))

    def turn(self, asked: str, answered: str) -> None:
        self.asks(asked)
        self.says(answered)
        self.finishes()

    def compacts(self, summary: str, up_to_seq: int) -> None:
        self.fact(SessionCompacted(summary=summary, up_to_seq=up_to_seq))

    def runs(self, run: str, task: str, *, turn: bool = False) -> None:
        spec = ResolvedRunSpec(task=task, agent_mode="single", agents=(AgentId("a"),), refinement=False)
        self.of_run(run, RunStarted(spec=spec), turn=turn)

    def run_ends(self, run: str, text: str | None = "Done.", *, turn: bool = False, **fields: Any) -> None:
        result = RunResult(text=text, agent_id=AgentId("a"), strategy="winner_reuse") if text is not None else None
        told: dict[str, Any] = {"outcome": "completed", "usage": Usage(calls=1)}
        self.of_run(run, RunFinished(**{**told, **fields}, result=result), turn=turn)

    def proposes(self, run: str, uris: Iterable[str]) -> None:
        changes = (Change(uri=uri, kind="edit", diff="", hunks=(), agent_id=AgentId("a")) for uri in uris)
        self.of_run(run, ChangesProposed(changes=tuple(changes)))

    def settles(self, run: str, uris: Iterable[str]) -> None:
        settled = (SettledFile(uri=uri, outcome="applied") for uri in uris)
        self.of_run(run, ChangesSettled(settled=tuple(settled)))

    def of_run(self, run: str, event: DurableEvent, *, turn: bool = False, **envelope: Any) -> None:
        self.fact(event, run_id=RunId(run), turn_id=self._turn if turn else None, **envelope)

    def in_turn(self, event: DurableEvent) -> None:
        self.fact(event, turn_id=self._turn)

    def next_item(self) -> ItemId:
        return ItemId(f"item_{next(self._items)}")

    def _item(self, item: Item) -> None:
        self.in_turn(ItemStarted(item=item))
        self.in_turn(ItemFinished(item=item))
