"""What a model is sent of a told session."""

from collections.abc import Iterable

from teamwright.models.port import Message, ModelRequest
from teamwright.protocol.records import EventRecord
from teamwright.runtime.context.conversation import SessionConversation
from teamwright.runtime.context.layout import HistoryBudget
from teamwright.runtime.context.request import Outlook, build
from tests.context.telling import Told

SPACIOUS = HistoryBudget(2_000_000)


def folded(records: Iterable[EventRecord]) -> SessionConversation:
    conversation = SessionConversation()
    for record in records:
        conversation.fold(record)
    return conversation


def outlook(room: HistoryBudget = SPACIOUS) -> Outlook:
    return Outlook("You are the assistant.", (), room)


def request(told: Told, room: HistoryBudget = SPACIOUS) -> ModelRequest:
    return build(folded(told.records), outlook(room))


def messages(told: Told, room: HistoryBudget = SPACIOUS) -> list[Message]:
    return list(request(told, room).messages)
