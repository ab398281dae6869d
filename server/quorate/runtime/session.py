"""A session: one log, and one turn at a time in the order they were asked for."""

from collections import deque
from dataclasses import dataclass
from typing import Literal

import anyio
from anyio.abc import TaskGroup

from quorate.models.errors import ModelError
from quorate.models.port import Model
from quorate.protocol.events import ItemFinished, ItemStarted, SessionCreated, TurnFinished, TurnQueued, TurnStarted
from quorate.protocol.ids import ItemId, SessionId, TurnId
from quorate.protocol.items import Attachment, UserMessage
from quorate.protocol.usage import Usage
from quorate.protocol.views import SessionSummary
from quorate.runtime.answer_stream import AnswerStream
from quorate.runtime.conversation import request_from
from quorate.runtime.identity import fresh_id, now
from quorate.runtime.journal import Journal, Scope

TITLE_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Asked:
    turn_id: TurnId
    text: str
    attachments: tuple[Attachment, ...] = ()


class Session:
    def __init__(self, journal: Journal, model: Model, tasks: TaskGroup) -> None:
        self._journal = journal
        self._model = model
        self._tasks = tasks
        self._waiting: deque[Asked] = deque()
        self._under_way: tuple[TurnId, anyio.CancelScope] | None = None

    @property
    def session_id(self) -> SessionId:
        return self._journal.session_id

    async def create(self, first_message: str) -> None:
        at = now()
        title = " ".join(first_message.split())[:TITLE_LENGTH]
        summary = SessionSummary(session_id=self.session_id, title=title, created_at=at, updated_at=at)
        await self._journal.append(SessionCreated(session=summary), Scope())

    async def ask(self, text: str, attachments: tuple[Attachment, ...] = ()) -> TurnId:
        """Takes a message: it starts a turn now, or when those before it are done."""
        asked = Asked(TurnId(fresh_id("turn")), text, attachments)
        if self._under_way is not None:
            self._waiting.append(asked)
            await self._journal.append(TurnQueued(text=text), Scope(turn_id=asked.turn_id))
        else:
            self._begin(asked)
        return asked.turn_id

    async def cancel(self, turn_id: TurnId) -> bool:
        """Whether there was such a turn to cancel."""
        if self._under_way is not None and self._under_way[0] == turn_id:
            self._under_way[1].cancel()
            return True
        for asked in self._waiting:
            if asked.turn_id == turn_id:
                self._waiting.remove(asked)
                finished = TurnFinished(outcome="cancelled", usage=Usage())
                await self._journal.append(finished, Scope(turn_id=turn_id))
                return True
        return False

    def _begin(self, asked: Asked) -> None:
        scope = anyio.CancelScope()
        self._under_way = (asked.turn_id, scope)
        self._tasks.start_soon(self._turn, asked, scope)

    async def _turn(self, asked: Asked, cancel_scope: anyio.CancelScope) -> None:
        scope = Scope(turn_id=asked.turn_id)
        answer = AnswerStream(self._journal, scope)
        outcome: Literal["completed", "cancelled", "failed"] = "cancelled"
        error: str | None = None
        try:
            with cancel_scope:
                await self._answer(asked, answer, scope)
                outcome = "completed"
        except ModelError as fault:
            outcome, error = "failed", fault.message
        with anyio.CancelScope(shield=True):
            await self._journal.append(TurnFinished(outcome=outcome, error=error, usage=answer.usage), scope)
        self._under_way = None
        if self._waiting:
            self._begin(self._waiting.popleft())

    async def _answer(self, asked: Asked, answer: AnswerStream, scope: Scope) -> None:
        await self._journal.append(TurnStarted(text=asked.text), scope)
        message = UserMessage(item_id=ItemId(fresh_id("item")), text=asked.text, attachments=asked.attachments)
        await self._journal.append(ItemStarted(item=message), scope)
        await self._journal.append(ItemFinished(item=message), scope)
        await answer.follow(self._model, request_from(self._journal.records))
