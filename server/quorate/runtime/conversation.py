"""What the model is sent: rebuilt from the session's log for each call."""

from quorate.models.port import AssistantMessage, Message, ModelRequest, UserMessage
from quorate.prompts.assistant.system_prompt import AssistantBrief, assistant_prompt
from quorate.protocol.items import UserMessage as UserItem
from quorate.runtime.transcript import Said, Transcript


def request_from(transcript: Transcript) -> ModelRequest:
    return ModelRequest(
        messages=tuple(_message(item) for item in transcript.said), system=assistant_prompt(AssistantBrief(team=()))
    )


def _message(item: Said) -> Message:
    return UserMessage(item.text) if isinstance(item, UserItem) else AssistantMessage(item.text)
