"""The calls of the assistant's model: what is sent fits, and what did not fit after all is sent once more with less."""

from collections.abc import Callable
from typing import TypeAlias

from teamwright.models.errors import ModelError
from teamwright.models.port import Model, ModelUsage, ToolSpec
from teamwright.protocol.events import ItemFinished, NoticeRaised
from teamwright.protocol.records import Scope
from teamwright.runtime.context.context import Context, Now
from teamwright.runtime.context.summarising import Summarising, compact
from teamwright.runtime.journal import Journal
from teamwright.runtime.sessions.answer_stream import AnswerStream, Reply

GetNow: TypeAlias = Callable[[], Now]
Spent: TypeAlias = Callable[[ModelUsage], None]


class AssistantCaller:
    """For one turn."""

    def __init__(
        self,
        context: Context,
        journal: Journal,
        scope: Scope,
        *,
        now: GetNow,
        spent: Spent,
        ends_turn: Callable[[], bool],
        as_told: Callable[[ItemFinished], ItemFinished],
    ) -> None:
        """`as_told`: the end of an answer's last item, with what only its turn knows."""
        self._context = context
        self._journal = journal
        self._scope = scope
        self._now = now
        self._spent = spent
        self._ends_turn = ends_turn
        self._as_told = as_told
        self._has_overflowed = False

    async def ask(self, model: Model, tools: tuple[ToolSpec, ...], step: int) -> Reply:
        """Raises ModelError. The calls of the answer are to be recorded next, in their order."""
        try:
            reply = await self._answer(model, tools, step)
        except ModelError as fault:
            if fault.kind != "context_length_exceeded" or self._has_overflowed:
                raise
            self._has_overflowed = True
            self._context.overflowed()
            reply = await self._answer(model, tools, step)
        self._context.recall(reply.calls, reply.replay)
        return reply

    async def _answer(self, model: Model, tools: tuple[ToolSpec, ...], step: int) -> Reply:
        outlook = await self._context.outlook(model, tools)
        for problem in outlook.problems:
            self._journal.announce(NoticeRaised(level="warning", text=problem), self._scope)
        for found in outlook.hidden:
            await self._journal.append(found, self._scope)
        if (due := self._context.compaction_due(outlook)) is not None:
            await carry_out(due, model, self._journal, self._spent)
        request = self._context.request(outlook, self._now())
        stream = AnswerStream(
            self._journal, self._scope, self._spent, step=step, ends_turn=self._ends_turn, as_told=self._as_told
        )
        return await stream.follow(model, request)


async def carry_out(due: Summarising, model: Model, journal: Journal, spent: Spent) -> None:
    """A compaction, on disk when this returns; also for when the user wants one."""
    compaction = await compact(model, due, spent)
    await journal.append(compaction.event, Scope())
    if compaction.notice is not None:
        journal.announce(NoticeRaised(level="warning", text=compaction.notice), Scope())
