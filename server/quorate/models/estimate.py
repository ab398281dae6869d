"""How many tokens a request will have, guessed from its characters; real counts correct the guess."""

from collections.abc import Mapping
from typing import Any, Final, assert_never

from quorate.models.port import AssistantMessage, Message, ModelRequest, ToolResultMessage, UserMessage

# Below what most tokenizers do with English or code, so that a first guess is too high rather than too low.
FIRST_CHARACTERS_PER_TOKEN: Final = 3.5
TOKENS_PER_IMAGE: Final = 1600
# Roles and separators.
CHARACTERS_PER_MESSAGE: Final = 16
# How far one real count moves the guess. A single odd request (all base64, all Chinese) should not turn it round.
WEIGHT: Final = 0.3
PLAUSIBLE: Final = (0.5, 10.0)


class TokenEstimate:
    """One model's characters per token."""

    def __init__(self) -> None:
        self.characters_per_token = FIRST_CHARACTERS_PER_TOKEN

    def tokens(self, request: ModelRequest) -> int:
        return round(characters(request) / self.characters_per_token) + TOKENS_PER_IMAGE * images(request)

    def tokens_of_text(self, length: int) -> int:
        return round(length / self.characters_per_token)

    def learn(self, request: ModelRequest, input_tokens: int) -> None:
        """Requests with images teach nothing about characters."""
        if input_tokens <= 0 or images(request):
            return
        low, high = PLAUSIBLE
        seen = min(max(characters(request) / input_tokens, low), high)
        self.characters_per_token += WEIGHT * (seen - self.characters_per_token)


def characters(request: ModelRequest) -> int:
    tools = sum(len(tool.description) + characters_of_call(tool.name, tool.schema) for tool in request.tools)
    return len(request.system) + tools + sum(map(characters_of_message, request.messages))


def characters_of_message(message: Message) -> int:
    match message:
        case UserMessage() | ToolResultMessage():
            return CHARACTERS_PER_MESSAGE + len(message.text)
        case AssistantMessage(text, calls):
            called = sum(characters_of_call(call.name, call.arguments) for call in calls)
            return CHARACTERS_PER_MESSAGE + len(text) + called
        case _:
            assert_never(message)


def characters_of_call(name: str, arguments: Mapping[str, Any]) -> int:
    # Python's own form is about as long as JSON, and made in a tenth of the time; a session can have thousands.
    return len(name) + len(repr(arguments))


def images(request: ModelRequest) -> int:
    return sum(len(message.images) for message in request.messages if isinstance(message, UserMessage))
