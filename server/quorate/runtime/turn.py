"""One turn: the user's message, and the assistant's way to an answer, with tools on it."""

from dataclasses import dataclass, replace

from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.models.port import Model, ToolCall, ToolCallInvalid, UsageReported
from quorate.permissions.actions import Action, LaunchRun
from quorate.permissions.rules import Rules
from quorate.protocol.errors import LimitReached
from quorate.protocol.events import ItemFinished, ItemStarted, TurnStarted
from quorate.protocol.events import UsageReported as UsageNews
from quorate.protocol.ids import ItemId, TurnId
from quorate.protocol.items import Attachment, UserMessage
from quorate.runtime.agents.conversation import Conversation
from quorate.runtime.agents.tool_calls import CallRecorder, carry_out
from quorate.runtime.answer_stream import AnswerStream
from quorate.runtime.conversation import request_from
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.transcript import Transcript
from quorate.tools.dispatcher import Dispatcher
from quorate.tools.port import AnyTool, Outcome


@dataclass(frozen=True, slots=True)
class Asked:
    turn_id: TurnId
    text: str
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Assistant:
    """Who answers: its model, what it may do, and how many model calls a turn may take."""

    model: Model
    rules: Rules
    tools: tuple[AnyTool, ...]
    most_steps: int


class Turn:
    def __init__(self, asked: Asked, journal: Journal, transcript: Transcript) -> None:
        self.scope = Scope(turn_id=asked.turn_id)
        self.spending = NOTHING_SPENT
        self._asked = asked
        self._journal = journal
        self._transcript = transcript

    async def begin(self) -> None:
        """The message is on disk when this returns."""
        asked = self._asked
        await self._journal.append(TurnStarted(text=asked.text), self.scope)
        message = UserMessage(item_id=ItemId(fresh_id("item")), text=asked.text, attachments=asked.attachments)
        await self._journal.append(ItemStarted(item=message), self.scope)
        await self._journal.append(ItemFinished(item=message), self.scope)

    async def answer(self, assistant: Assistant) -> None:
        """Raises ModelError, and LimitReached when it does not come to an end by itself."""
        request = request_from(self._transcript)
        conversation = Conversation(request.messages)
        dispatcher = Dispatcher(assistant.rules, assistant.tools, self._ask)
        for _ in range(assistant.most_steps):
            request = replace(request, messages=conversation.to_send(), tools=dispatcher.specs)
            reply = await AnswerStream(self._journal, self.scope, self._spent).follow(assistant.model, request)
            if not reply.calls:
                return
            await carry_out(reply, conversation, lambda call: self._outcome(call, dispatcher))
        raise LimitReached(
            f"The turn was stopped after {assistant.most_steps} steps; say how to go on.", assistant.most_steps
        )

    async def _outcome(self, call: ToolCall | ToolCallInvalid, dispatcher: Dispatcher) -> Outcome:
        recorder = CallRecorder(self._journal, self.scope)
        if isinstance(call, ToolCallInvalid):
            return await recorder.refused(call, call.problem)
        return await recorder.carried_out(call, dispatcher)

    async def _ask(self, action: Action, question: str) -> bool:
        """A run asks for its own approval, with all that there is to see; nothing else is left to a person here."""
        del question
        return isinstance(action, LaunchRun)

    def _spent(self, report: UsageReported) -> None:
        self.spending += Spending(report.usage, report.cost_usd)
        self._journal.announce(UsageNews(usage=report.usage, cost_usd=report.cost_usd), self.scope)
