"""One turn: the user's message, and the assistant's way to an answer, with tools on it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import anyio

from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.models.port import Model, ToolCall, ToolCallInvalid, ToolSpec, UsageReported
from quorate.permissions.actions import Action, LaunchRun
from quorate.permissions.rules import Rules
from quorate.protocol.errors import Conflict, LimitReached
from quorate.protocol.events import DurableEvent, ItemFinished, ItemStarted, TurnStarted
from quorate.protocol.events import UsageReported as UsageNews
from quorate.protocol.ids import ItemId, TurnId
from quorate.protocol.items import Attachment, UserMessage
from quorate.runtime.agents.tool_calls import CallRecorder
from quorate.runtime.characters import whole_text
from quorate.runtime.context.asking import Asking, GetNow
from quorate.runtime.context.context import Context
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal, Scope
from quorate.tools.dispatcher import Dispatcher
from quorate.tools.port import AnyTool
from quorate.tools.request_input import RequestInput

# How a turn ends that ends by itself.
Ending: TypeAlias = Literal["completed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Asked:
    turn_id: TurnId
    text: str
    attachments: tuple[Attachment, ...] = ()


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

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self.tools)


class Turn:
    def __init__(self, asked: Asked, journal: Journal, context: Context, *, is_called_off: Callable[[], bool]) -> None:
        """`is_called_off`: whether somebody wants it to end; a server that closes leaves it for the next one."""
        self.asked = asked
        self.scope = Scope(turn_id=asked.turn_id)
        self.spending = NOTHING_SPENT
        self.is_called_off = is_called_off
        self.recorder = CallRecorder(
            lambda event: journal.append(event, self.scope), is_left_open=lambda: not is_called_off()
        )
        self._journal = journal
        self._context = context
        self._ear = anyio.Lock()
        self._has_unanswered_words = False
        self._is_deaf = False

    async def begin(self, *at_once: DurableEvent) -> None:
        """The message is on disk when this returns, with whatever follows from it at once."""
        said = _said(self.asked.text, self.asked.attachments)
        await self._journal.append_together((TurnStarted(text=self.asked.text), *said, *at_once), self.scope)

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
        dispatcher = Dispatcher(assistant.rules, assistant.tools, self.ask)
        asking = Asking(
            self._context,
            self._journal,
            self.scope,
            now=assistant.now,
            spent=self._spent,
            ends_turn=lambda: not self._has_unanswered_words,
        )
        for step in range(steps_done + 1, assistant.most_steps + 1):
            if not await assistant.may_call(self.scope):
                return "cancelled"
            async with self._ear:
                self._has_unanswered_words = False
            reply = await asking.ask(assistant.model, dispatcher.specs, step)
            if not reply.calls and await self._is_answered():
                return "completed"
            for call in reply.calls:
                await self.recorder.carried_out(call, dispatcher, step)
                if assistant.rules.autonomy == "autonomous" and call.name == RequestInput.name:
                    raise _nobody_to_ask(call)
        raise LimitReached(
            f"The turn was stopped after {assistant.most_steps} steps; say how to go on.", assistant.most_steps
        )

    async def ask(self, action: Action, question: str) -> bool:
        """A run asks for its own approval, with all that there is to see; nothing else is left to a person here."""
        del question
        return isinstance(action, LaunchRun)

    async def _is_answered(self) -> bool:
        async with self._ear:
            self._is_deaf = not self._has_unanswered_words
            return self._is_deaf

    def _spent(self, report: UsageReported) -> None:
        self.spending += Spending(report.usage, report.cost_usd)
        self._journal.announce(UsageNews(usage=report.usage, cost_usd=report.cost_usd), self.scope)


def _said(text: str, attachments: tuple[Attachment, ...]) -> tuple[DurableEvent, ...]:
    message = UserMessage(item_id=ItemId(fresh_id("item")), text=text, attachments=attachments)
    return ItemStarted(item=message), ItemFinished(item=message)


def _nobody_to_ask(call: ToolCall | ToolCallInvalid) -> Conflict:
    question = whole_text(str(call.arguments.get("question") or "it did not say what."))
    return Conflict(
        f"The assistant cannot go on without an answer, and in autonomous mode nobody is asked: {question} "
        'Answer it with your next message, or set the autonomy to "hitl".'
    )
