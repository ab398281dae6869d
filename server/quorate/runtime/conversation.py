"""What the model is sent: rebuilt from the session's log for each call."""

from collections.abc import Iterable

from quorate.models.port import AssistantMessage, Message, ModelRequest, UserMessage
from quorate.prompts.assistant import assistant_prompt
from quorate.protocol.events import ItemFinished
from quorate.protocol.items import AssistantMessage as AssistantItem
from quorate.protocol.items import Item
from quorate.protocol.items import UserMessage as UserItem
from quorate.protocol.records import EventRecord


def request_from(records: Iterable[EventRecord]) -> ModelRequest:
    items = (record.event.item for record in records if isinstance(record.event, ItemFinished))
    messages = (message for item in items if (message := _message(item)) is not None)
    return ModelRequest(messages=tuple(messages), system=assistant_prompt())


def _message(item: Item) -> Message | None:
    match item:
        case UserItem(text=text):
            return UserMessage(text)
        case AssistantItem(text=text, discarded=None):
            return AssistantMessage(text)
        case _:
            return None
