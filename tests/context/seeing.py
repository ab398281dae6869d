"""What a model is sent of a told session."""

from collections.abc import Iterable

from quorate.models.port import Message, ModelRequest
from quorate.protocol.records import EventRecord
from quorate.runtime.context.conversation import Conversation
from quorate.runtime.context.request import Outlook, build
from quorate.runtime.context.room import Room
from tests.context.telling import Told

SPACIOUS = Room(2_000_000)


def folded(records: Iterable[EventRecord]) -> Conversation:
    conversation = Conversation()
    for record in records:
        conversation.fold(record)
    return conversation


def outlook(room: Room = SPACIOUS) -> Outlook:
    return Outlook("You are the assistant.", (), room)


def request(told: Told, room: Room = SPACIOUS) -> ModelRequest:
    return build(folded(told.records), outlook(room))


def messages(told: Told, room: Room = SPACIOUS) -> list[Message]:
    return list(request(told, room).messages)
