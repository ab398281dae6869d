"""The turns of a session: one at a time, in the order they were asked for."""

from collections import deque
from dataclasses import dataclass
from typing import Literal

import anyio

from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.models.errors import ModelError
from quorate.models.port import UsageReported
from quorate.protocol.events import ItemFinished, ItemStarted, TurnFinished, TurnQueued, TurnStarted
from quorate.protocol.events import UsageReported as UsageNews
from quorate.protocol.ids import ItemId, TurnId
from quorate.protocol.items import Attachment, UserMessage
from quorate.protocol.usage import Usage
from quorate.runtime.answer_stream import AnswerStream
from quorate.runtime.conversation import request_from
from quorate.runtime.house import House
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.shielding import shielded
from quorate.runtime.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Asked:
    turn_id: TurnId
    text: str
    attachments: tuple[Attachment, ...] = ()


class Turns:
    def __init__(self, house: House, journal: Journal, transcript: Transcript) -> None:
        self._house = house
        self._journal = journal
        self._transcript = transcript
        self._waiting: deque[Asked] = deque()
        self._under_way: tuple[TurnId, anyio.CancelScope] | None = None

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
        self._house.tasks.start_soon(self._turn, asked, scope)

    async def _turn(self, asked: Asked, cancel_scope: anyio.CancelScope) -> None:
        turn = _Turn(self._house, self._journal, self._transcript, asked)
        outcome: Literal["completed", "cancelled", "failed"] = "cancelled"
        error: str | None = None
        try:
            with cancel_scope:
                await turn.answer()
                outcome = "completed"
        except ModelError as fault:
            outcome, error = "failed", fault.message
        finished = TurnFinished(outcome=outcome, error=error, usage=turn.spending.usage)
        await shielded(self._journal.append(finished, turn.scope))
        self._under_way = None
        if self._waiting:
            self._begin(self._waiting.popleft())


class _Turn:
    def __init__(self, house: House, journal: Journal, transcript: Transcript, asked: Asked) -> None:
        self.scope = Scope(turn_id=asked.turn_id)
        self.spending = NOTHING_SPENT
        self._house = house
        self._journal = journal
        self._transcript = transcript
        self._asked = asked

    async def answer(self) -> None:
        asked = self._asked
        await self._journal.append(TurnStarted(text=asked.text), self.scope)
        message = UserMessage(item_id=ItemId(fresh_id("item")), text=asked.text, attachments=asked.attachments)
        await self._journal.append(ItemStarted(item=message), self.scope)
        await self._journal.append(ItemFinished(item=message), self.scope)
        stream = AnswerStream(self._journal, self.scope, self._spent)
        await stream.follow(self._house.team.assistant_model(), request_from(self._transcript))

    def _spent(self, report: UsageReported) -> None:
        self.spending += Spending(report.usage, report.cost_usd)
        self._journal.announce(UsageNews(usage=report.usage, cost_usd=report.cost_usd), self.scope)
