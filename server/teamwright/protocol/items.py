"""The entries of a transcript: what was said, thought, presented and called."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from teamwright.protocol.base import MAX_PLACE, MAX_URI, Maybe, Wire
from teamwright.protocol.ids import AgentId, ItemId, RunId, TurnId


class Position(Wire):
    line: int = Field(ge=0, le=MAX_PLACE)
    character: int = Field(ge=0, le=MAX_PLACE)


class Range(Wire):
    """As in LSP: zero-based, the end excluded."""

    start: Position
    end: Position


class Attachment(Wire):
    uri: str = Field(min_length=1, max_length=MAX_URI)
    range: Maybe[Range] = None


class _Item(Wire):
    item_id: ItemId
    discarded: Maybe[bool] = None
    truncated: Maybe[bool] = None
    # Where the item stands in its session's log, and what it belongs to; set in views only, where no envelope says it.
    seq: Maybe[int] = None
    turn_id: Maybe[TurnId] = None
    run_id: Maybe[RunId] = None
    agent_id: Maybe[AgentId] = None


class UserMessage(_Item):
    kind: Literal["user_message"] = "user_message"
    text: str
    attachments: tuple[Attachment, ...] = ()


class AssistantMessage(_Item):
    kind: Literal["assistant_message"] = "assistant_message"
    text: str = ""


class Reasoning(_Item):
    kind: Literal["reasoning"] = "reasoning"
    text: str = ""


class Presentation(_Item):
    kind: Literal["presentation"] = "presentation"
    text: str = ""


class ToolCall(_Item):
    kind: Literal["tool_call"] = "tool_call"
    name: str
    arguments: dict[str, Any] = {}
    status: Literal["running", "succeeded", "failed", "cancelled"] = "running"
    result: Maybe[str] = None
    error: Maybe[str] = None


TextItem = AssistantMessage | Reasoning | Presentation
Item = TypeAliasType(
    "Item", Annotated[UserMessage | AssistantMessage | Reasoning | Presentation | ToolCall, Field(discriminator="kind")]
)
