"""What the agents of a run said and did, read back from its log, for a run that goes on with it."""

from collections.abc import Iterable, Mapping
from typing import Final

from teamwright.models.port import Message, ModelReply, ModelToolCall, ToolResultMessage, UserPrompt
from teamwright.prompts.assistant.quoting import excerpt
from teamwright.protocol.events import AgentStarted, ItemFinished
from teamwright.protocol.ids import AgentId
from teamwright.protocol.items import AssistantMessage, Presentation, ToolCall
from teamwright.protocol.records import EventRecord

# What was told between is not in the log; what matters of it comes again with what is new.
_NEXT_ROUND: Final = "[The next round of that work.]"
_LONGEST_RESULT: Final = 2_000
_LONGEST_TEXT: Final = 8_000
_MOST_REPLIES: Final = 60


def earlier_conversations(records: Iterable[EventRecord]) -> Mapping[AgentId, tuple[Message, ...]]:
    """Bounded: of long work its end."""
    told: dict[AgentId, list[Message]] = {}
    for record in records:
        if record.agent_id is None:
            continue
        said = told.setdefault(record.agent_id, [])
        match record.event:
            case AgentStarted(attempt=attempt) if attempt > 1 and said:
                said.append(UserPrompt(_NEXT_ROUND))
            case ItemFinished(item=AssistantMessage(text=text) | Presentation(text=text) as item) if (
                text.strip() and not item.discarded
            ):
                said.append(ModelReply(excerpt(text, _LONGEST_TEXT), ()))
            case ItemFinished(item=ToolCall() as call):
                said += _called(call)
            case _:
                pass
    return {agent_id: _bounded(said) for agent_id, said in told.items() if any(isinstance(m, ModelReply) for m in said)}


def _called(call: ToolCall) -> tuple[Message, Message]:
    result = call.error or call.result or "It was not carried out."
    made = ModelToolCall(call.item_id, call.name, call.arguments)
    told = ToolResultMessage(call.item_id, excerpt(result, _LONGEST_RESULT), is_error=call.status != "succeeded")
    return ModelReply("", (made,)), told


def _bounded(said: list[Message]) -> tuple[Message, ...]:
    """Beginning with a reply: what it answers stands before it."""
    kept = said[-_MOST_REPLIES:]
    first = next((at for at, message in enumerate(kept) if isinstance(message, ModelReply)), len(kept))
    return tuple(kept[first:])
