"""One turn: the user's message, and the assistant's way to an answer, with tools on it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeVar

import anyio

from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.models.port import Model, ModelToolCall, ModelUsage, ToolCallInvalid, ToolSpec
from teamwright.permissions.rules import Rules
from teamwright.protocol.errors import Conflict, LimitReached
from teamwright.protocol.events import DurableEvent, ItemFinished, ItemStarted, TurnStarted, UsageReported
from teamwright.protocol.ids import ItemId, TurnId
from teamwright.protocol.items import Attachment, Item, ToolCall, UserMessage
from teamwright.protocol.records import Scope
from teamwright.runtime.characters import whole_text
from teamwright.runtime.context.assistant_caller import AssistantCaller, GetNow
from teamwright.runtime.context.context import Context
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.journal import Journal
from teamwright.runtime.runs.agents.tool_calls import CallRecorder
from teamwright.tools.assistant import LaunchRunTool, RequestInputTool
from teamwright.tools.dispatcher import AskPerson, Dispatcher
from teamwright.tools.port import AnyTool

ProposedCall: TypeAlias = ModelToolCall | ToolCallInvalid
# Runs of one answer; further ones wait for their turn.
_MOST_AT_ONCE: Final = 5
E = TypeVar("E", bound=DurableEvent)
# How a turn ends that ends by itself.
Ending: TypeAlias = Literal["completed", "cancelled"]


@dataclass(frozen=True, slots=True)
class TurnRequest:
    turn_id: TurnId
    text: str
    attachments: tuple[Attachment, ...] = ()
    # Before a restart.
    spent: Spending = NOTHING_SPENT


@dataclass(frozen=True, slots=True)
class Assistant:
    """Who answers: its model, what it may do, how many model calls a turn may take, and how things stand."""

    model: Model
    rules: Rules
    tools: tuple[AnyTool, ...]
    most_steps: int
    now: GetNow
    # Before each model call: whether the session's budget allows it, or a person lets it go on.
    may_call: Callable[[Scope], Awaitable[bool]]

    # A person, where a call needs one's word.
    ask: AskPerson

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return self.dispatcher.specs

    @property
    def dispatcher(self) -> Dispatcher:
        return Dispatcher(self.rules, self.tools, self.ask)


class Turn:
    def __init__(
        self, asked: TurnRequest, journal: Journal, context: Context, *, is_called_off: Callable[[], bool]
    ) -> None:
        """`is_called_off`: whether somebody wants it to end; a server that closes leaves it for the next one."""
        self.asked = asked
        self.scope = Scope(turn_id=asked.turn_id)
        self.spending = asked.spent
        self._untold = NOTHING_SPENT
        self.recorder = CallRecorder(
            lambda event: journal.append(self._telling_spending(event), self.scope),
            is_left_open=lambda: not is_called_off(),
        )
        self._journal = journal
        self._context = context
        self._ear = anyio.Lock()
        self._has_unanswered_words = False
        self._is_deaf = False

    async def hear(self, text: str, attachments: tuple[Attachment, ...]) -> bool:
        """A further word of the user, which the next model call is shown; False where there will be none."""
        async with self._ear:
            if self._is_deaf:
                return False
            # Before they are on disk: an answer that ends meanwhile does not end the turn.
            self._has_unanswered_words = True
            await self._journal.append_together(_said(text, attachments), self.scope)
            return True

    async def close(self) -> None:
        """Whatever is said from now on belongs to another turn."""
        async with self._ear:
            self._is_deaf = True

    async def answer(self, assistant: Assistant, *, steps_done: int = 0) -> Ending:
        """`steps_done`: before a restart.

        Raises ModelError, LimitReached when it does not come to an end by itself, and Conflict where a person would
        have to be asked and nobody is.
        """
        dispatcher = assistant.dispatcher
        asking = AssistantCaller(
            self._context,
            self._journal,
            self.scope,
            now=assistant.now,
            spent=self._spent,
            ends_turn=lambda: not self._has_unanswered_words,
            as_told=self._telling_spending,
        )
        for step in range(steps_done + 1, assistant.most_steps + 1):
            if not await assistant.may_call(self.scope):
                return "cancelled"
            async with self._ear:
                self._has_unanswered_words = False
            reply = await asking.ask(assistant.model, dispatcher.specs, step)
            if not reply.calls and await self._is_answered():
                return "completed"
            for calls in _groups(reply.calls):
                await self._carry_out(calls, dispatcher, step)
                if assistant.rules.autonomy == "autonomous" and calls[0].name == RequestInputTool.name:
                    raise _nobody_to_ask(calls[0])
        raise LimitReached(
            f"The turn was stopped after {assistant.most_steps} steps; say how to go on.", assistant.most_steps
        )

    async def _carry_out(self, calls: Sequence[ProposedCall], dispatcher: Dispatcher, step: int) -> None:
        """Side by side, each with a result of its own. What fails by a fault of ours fails the turn, as alone."""
        if len(calls) == 1:
            await self.recorder.carried_out(calls[0], dispatcher, step)
            return
        at_once = anyio.CapacityLimiter(_MOST_AT_ONCE)

        async def carried_out(call: ProposedCall) -> None:
            async with at_once:
                await self.recorder.carried_out(call, dispatcher, step)

        try:
            async with anyio.create_task_group() as tasks:
                for call in calls:
                    tasks.start_soon(carried_out, call)
        except ExceptionGroup as faults:
            raise faults.exceptions[0] from None

    async def _is_answered(self) -> bool:
        async with self._ear:
            self._is_deaf = not self._has_unanswered_words
            return self._is_deaf

    def _telling_spending(self, event: E) -> E:
        """With what was spent since the last item: a restart must not make it forgotten."""
        if self._untold.usage.calls == 0 or not isinstance(event, ItemStarted | ItemFinished):
            return event
        told, self._untold = self._untold, NOTHING_SPENT
        return event.model_copy(update={"usage": told.usage, "cost_usd": told.cost_usd})

    def _spent(self, report: ModelUsage) -> None:
        self.spending += Spending(report.usage, report.cost_usd)
        self._untold += Spending(report.usage, report.cost_usd)
        self._journal.announce(UsageReported(usage=report.usage, cost_usd=report.cost_usd), self.scope)


def _groups(calls: Sequence[ProposedCall]) -> list[list[ProposedCall]]:
    """In their order; runs that are launched one right after the other go side by side."""
    groups: list[list[ProposedCall]] = []
    for call in calls:
        if groups and call.name == groups[-1][-1].name == LaunchRunTool.name:
            groups[-1].append(call)
        else:
            groups.append([call])
    return groups


def opening(
    scope: Scope, text: str, attachments: tuple[Attachment, ...]
) -> tuple[DurableEvent, Scope, DurableEvent, DurableEvent]:
    """What a turn begins with, in the order in which a journal takes it: the log has all of it or nothing."""
    begun, finished = _said(text, attachments)
    return TurnStarted(text=text), scope, begun, finished


def given_up(item: Item) -> Item:
    """A call that nobody waits for any more; words that were never finished."""
    if isinstance(item, ToolCall):
        return item.model_copy(update={"status": "cancelled"})
    return item.model_copy(update={"discarded": True})


def _said(text: str, attachments: tuple[Attachment, ...]) -> tuple[DurableEvent, DurableEvent]:
    message = UserMessage(item_id=ItemId(fresh_id("item")), text=text, attachments=attachments)
    return ItemStarted(item=message), ItemFinished(item=message)


def _nobody_to_ask(call: ProposedCall) -> Conflict:
    question = whole_text(str(call.arguments.get("question") or "it did not say what."))
    return Conflict(
        f"The assistant cannot go on without an answer, and in autonomous mode nobody is asked: {question} "
        'Answer it with your next message, or set the autonomy to "hitl".'
    )
