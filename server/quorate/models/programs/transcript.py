"""A conversation as one prompt: the programs take no list of messages. Pure."""

from collections.abc import Sequence
from typing import Final, assert_never

from quorate.models.port import AssistantMessage, Message, ToolResultMessage, UserMessage

_FOREWORD: Final = "This is the conversation so far. Answer its last message; do not repeat the tags.\n\n"


def prompt_of(messages: Sequence[Message]) -> str:
    if len(messages) == 1 and isinstance(messages[0], UserMessage):
        return messages[0].text
    return _FOREWORD + "\n\n".join(map(_turn, messages))


def _turn(message: Message) -> str:
    match message:
        case UserMessage(text) | ToolResultMessage(text=text):
            return f"<user>\n{text}\n</user>"
        case AssistantMessage(text):
            return f"<assistant>\n{text}\n</assistant>"
        case _:
            assert_never(message)
