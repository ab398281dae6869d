"""What one agent was told and has said. It only ever grows at its end, so that the provider's cache of it holds."""

from collections.abc import Sequence
from dataclasses import replace

from teamwright.models.port import Message, ModelReply, ModelToolCall, ToolCallInvalid, ToolResultMessage, UserPrompt
from teamwright.runtime.sessions.answer_stream import Reply
from teamwright.tools.port import Failed, Outcome

# What became of a call that was neither carried out nor refused.
_INTERRUPTED = Failed("The call was not carried out.")


class AgentConversation:
    def __init__(self, said_before: Sequence[Message] = ()) -> None:
        self._sent: list[Message] = list(said_before)
        self._unsent: list[Message] = []

    @property
    def is_empty(self) -> bool:
        return not self._sent and not self._unsent

    def tell(self, text: str) -> None:
        """With the next tool result if one is due, else as a message of its own."""
        match self._unsent:
            case [*_, ToolResultMessage() as last]:
                self._unsent[-1] = replace(last, text=f"{last.text}\n\n{text}")
            case [*_, UserPrompt() as last]:
                self._unsent[-1] = replace(last, text=f"{last.text}\n\n{text}")
            case _:
                self._unsent.append(UserPrompt(text))

    def to_send(self) -> tuple[Message, ...]:
        """Everything, which from now on stays as it is."""
        self._sent += self._unsent
        self._unsent.clear()
        return tuple(self._sent)

    def so_far(self) -> tuple[Message, ...]:
        """All of it, for who only looks; it is valid at every moment, for a call comes with its result."""
        return (*self._sent, *self._unsent)

    def answered(self, reply: Reply, outcomes: Sequence[Outcome]) -> None:
        """The model's answer and what came of its calls, together: a call without its result is no conversation."""
        calls = tuple(_as_call(call) for call in reply.calls)
        missing = [_INTERRUPTED] * (len(calls) - len(outcomes))
        self._sent.append(ModelReply(reply.text, calls, reply.replay))
        self._unsent += [
            ToolResultMessage(call.call_id, outcome.text, is_error=isinstance(outcome, Failed))
            for call, outcome in zip(calls, [*outcomes, *missing], strict=True)
        ]


def _as_call(call: ModelToolCall | ToolCallInvalid) -> ModelToolCall:
    return call if isinstance(call, ModelToolCall) else ModelToolCall(call.call_id, call.name, {})
