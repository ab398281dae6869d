"""The providers' endpoints and the format that each speaks."""

from collections.abc import Mapping

from tests.support.model_server.formats.anthropic import Messages
from tests.support.model_server.formats.chat import ChatCompletions
from tests.support.model_server.formats.format import Format
from tests.support.model_server.formats.responses import Responses

CHAT: Format = ChatCompletions()
RESPONSES: Format = Responses()
MESSAGES: Format = Messages()

FORMATS: Mapping[str, Format] = {
    "/v1/chat/completions": CHAT,
    "/v1/responses": RESPONSES,
    "/v1/messages": MESSAGES,
}
