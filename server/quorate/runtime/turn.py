"""One turn: the user's message, and the assistant's way to an answer, with tools on it."""

from dataclasses import dataclass

from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.models.port import Model, UsageReported
from quorate.permissions.actions import Action, LaunchRun
from quorate.permissions.rules import Rules
from quorate.protocol.errors import LimitReached
from quorate.protocol.events import ItemFinished, ItemStarted, TurnStarted
from quorate.protocol.events import UsageReported as UsageNews
from quorate.protocol.ids import ItemId, TurnId
from quorate.protocol.items import Attachment, UserMessage
from quorate.runtime.agents.tool_calls import CallRecorder
from quorate.runtime.context.asking import Asking, GetNow
from quorate.runtime.context.context import Context
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal, Scope
from quorate.tools.dispatcher import Dispatcher
from quorate.tools.port import AnyTool


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


class Turn:
    def __init__(self, asked: Asked, journal: Journal, context: Context) -> None:
        self.scope = Scope(turn_id=asked.turn_id)
        self.spending = NOTHING_SPENT
        self._asked = asked
        self._journal = journal
        self._context = context

    async def begin(self) -> None:
        """The message is on disk when this returns."""
        asked = self._asked
        await self._journal.append(TurnStarted(text=asked.text), self.scope)
        message = UserMessage(item_id=ItemId(fresh_id("item")), text=asked.text, attachments=asked.attachments)
        await self._journal.append(ItemStarted(item=message), self.scope)
        await self._journal.append(ItemFinished(item=message), self.scope)

    async def answer(self, assistant: Assistant) -> None:
        """Raises ModelError, and LimitReached when it does not come to an end by itself."""
        dispatcher = Dispatcher(assistant.rules, assistant.tools, self._ask)
        recorder = CallRecorder(self._journal, self.scope)
        asking = Asking(self._context, self._journal, self.scope, now=assistant.now, spent=self._spent)
        for _ in range(assistant.most_steps):
            reply = await asking.ask(assistant.model, dispatcher.specs)
            if not reply.calls:
                return
            for call in reply.calls:
                await recorder.carried_out(call, dispatcher)
        raise LimitReached(
            f"The turn was stopped after {assistant.most_steps} steps; say how to go on.", assistant.most_steps
        )

    async def _ask(self, action: Action, question: str) -> bool:
        """A run asks for its own approval, with all that there is to see; nothing else is left to a person here."""
        del question
        return isinstance(action, LaunchRun)

    def _spent(self, report: UsageReported) -> None:
        self.spending += Spending(report.usage, report.cost_usd)
        self._journal.announce(UsageNews(usage=report.usage, cost_usd=report.cost_usd), self.scope)
