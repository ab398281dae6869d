"""The entries of a conversation, each in two forms: as it was, and without its old output. None is ever sent in part,
so that a call and its result cannot be separated."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from quorate.models.estimate import characters
from quorate.models.port import (
    AssistantMessage,
    Message,
    ModelRequest,
    Replay,
    ToolCall,
    ToolCallInvalid,
    ToolResultMessage,
    UserMessage,
)
from quorate.prompts.assistant.excerpts import excerpt
from quorate.prompts.assistant.notes import INTERRUPTED, NO_OUTPUT, NOT_CARRIED_OUT, cancelled_call, output_stub
from quorate.protocol.ids import ItemId, TurnId
from quorate.protocol.items import Attachment
from quorate.protocol.items import ToolCall as CallItem

# Below this a stub would hardly be shorter than what it stands for.
SHORT_OUTPUT: Final = 600
_SHORT_ARGUMENT: Final = 600
# What an attachment is taken to weigh before it is read.
ATTACHMENT_WEIGHT: Final = 16_000

ProposedCall: TypeAlias = ToolCall | ToolCallInvalid


@dataclass(frozen=True, slots=True)
class Rendering:
    messages: tuple[Message, ...]
    size: int


def rendering(*messages: Message) -> Rendering:
    return Rendering(messages, characters(ModelRequest(messages)))


@dataclass(frozen=True, slots=True)
class AttachmentTexts:
    """The attachments of a message in words, and how they are named when their text is no longer sent."""

    full: str
    brief: str


_NO_ATTACHMENTS: Final = AttachmentTexts("", "")


class Entry(Protocol):
    # The first record of the log that it comes from, and its turn; what happens between turns has none.
    seq: int
    turn_id: TurnId | None
    # About how many characters it holds on to.
    weight: int

    def full(self) -> Rendering: ...

    def brief(self) -> Rendering:
        """Never longer than the full form."""
        ...

    def forget(self) -> None:
        """From now on only the brief form is left."""
        ...


class Said:
    """A message of the user."""

    def __init__(self, seq: int, turn_id: TurnId | None, text: str, attachments: tuple[Attachment, ...]) -> None:
        self.seq = seq
        self.turn_id = turn_id
        self.text = text
        self.attachments = attachments
        # Not what is shown in the end, so that it does not matter when the attachments are read.
        self.weight = len(text) + ATTACHMENT_WEIGHT * len(attachments)
        self._shown: AttachmentTexts | None = None
        self._forms: dict[bool, Rendering] = {}
        self.is_forgotten = False
        self._is_taken_back = False

    def show(self, texts: AttachmentTexts) -> None:
        """Once for good: what was sent stays as it was, whatever becomes of the files."""
        self._shown = texts
        self._forms.clear()

    def take_back(self) -> None:
        self._is_taken_back = True
        self._forms.clear()

    def full(self) -> Rendering:
        return self._form(is_brief=self.is_forgotten)

    def brief(self) -> Rendering:
        return self._form(is_brief=True)

    def forget(self) -> None:
        self.is_forgotten = True
        self.weight = len(self.text)
        if self._shown is not None:
            self._shown = AttachmentTexts(self._shown.brief, self._shown.brief)
        self._forms.clear()

    def _form(self, *, is_brief: bool) -> Rendering:
        if is_brief not in self._forms:
            self._forms[is_brief] = Rendering((), 0) if self._is_taken_back else self._rendered(is_brief=is_brief)
        return self._forms[is_brief]

    def _rendered(self, *, is_brief: bool) -> Rendering:
        shown = self._shown or _NO_ATTACHMENTS
        attached = shown.brief if is_brief and len(shown.brief) < len(shown.full) else shown.full
        text = "\n\n".join(part for part in (self.text, attached) if part.strip())
        return rendering(UserMessage(text or "(an empty message)"))


class Noted:
    """What Quorate itself has to say: between two entries, never inside one."""

    def __init__(self, seq: int, turn_id: TurnId | None, text: str, stub: str = "") -> None:
        self.seq = seq
        self.turn_id = turn_id
        self.weight = len(text)
        self._full: Rendering = rendering(UserMessage(text))
        self._brief = rendering(UserMessage(stub)) if 0 < len(stub) < len(text) else self._full

    def full(self) -> Rendering:
        return self._full

    def brief(self) -> Rendering:
        return self._brief

    def forget(self) -> None:
        self._full = self._brief
        self.weight = self._brief.size


class Answered:
    """One answer of the model: its text, its calls, and what came of each of them."""

    def __init__(self, seq: int, turn_id: TurnId | None) -> None:
        self.seq = seq
        self.turn_id = turn_id
        self._texts: dict[ItemId, str] = {}
        self._calls: dict[ItemId, CallItem] = {}
        self._running: set[ItemId] = set()
        # What the provider called the calls, and those of them that have not begun; only where it wants its own back.
        self._names: dict[ItemId, str] = {}
        self._due: list[ProposedCall] = []
        self._replay: Replay | None = None
        self._forms: dict[bool, Rendering] = {}
        self.weight = 0

    @property
    def text(self) -> str:
        return "".join(self._texts.values())

    @property
    def has_calls(self) -> bool:
        return bool(self._calls or self._due)

    @property
    def awaits_calls(self) -> bool:
        """Whether a call that begins now belongs to this answer."""
        return bool(self._running or self._due)

    def say(self, item_id: ItemId, text: str) -> None:
        self._changed(len(text) - len(self._texts.get(item_id, "")))
        self._texts[item_id] = text

    def call(self, item: CallItem) -> None:
        """It has begun, or ended; the last word on it counts."""
        known = self._calls.get(item.item_id)
        if known is None and self._due:
            self._names[item.item_id] = self._due.pop(0).call_id
        self._changed(_weight(item) - (0 if known is None else _weight(known)))
        self._calls[item.item_id] = item
        if item.status == "running":
            self._running.add(item.item_id)
        else:
            self._running.discard(item.item_id)

    def take_back(self, item_id: ItemId) -> None:
        text, call = self._texts.pop(item_id, ""), self._calls.pop(item_id, None)
        self._running.discard(item_id)
        self._changed(-len(text) - (0 if call is None else _weight(call)))

    def recall(self, calls: Sequence[ProposedCall], replay: Replay) -> None:
        """What the provider wants back with this answer. It names all calls of it, so all must have a result."""
        self._due = list(calls)
        self._replay = replay
        self._changed(0)

    def full(self) -> Rendering:
        return self._form(is_brief=False)

    def brief(self) -> Rendering:
        return self._form(is_brief=True)

    def forget(self) -> None:
        self._replay = None
        self._calls = {item_id: _without_output(call) for item_id, call in self._calls.items()}
        self._changed(len(self.text) + sum(map(_weight, self._calls.values())) - self.weight)

    def _changed(self, weight_gained: int) -> None:
        self.weight += weight_gained
        self._forms.clear()

    def _form(self, *, is_brief: bool) -> Rendering:
        if is_brief not in self._forms:
            self._forms[is_brief] = self._rendered(is_brief=is_brief)
        return self._forms[is_brief]

    def _rendered(self, *, is_brief: bool) -> Rendering:
        items = self._calls.values()
        shown = [_without_output(item) for item in items] if is_brief else list(items)
        calls = [ToolCall(self._name(item), item.name, item.arguments) for item in shown]
        results = [_result(self._name(item), item) for item in shown]
        for call in self._due:
            calls.append(ToolCall(call.call_id, call.name, call.arguments if isinstance(call, ToolCall) else {}))
            results.append(ToolResultMessage(call.call_id, NOT_CARRIED_OUT, is_error=True))
        if not calls and not self.text.strip():
            return Rendering((), 0)
        return rendering(AssistantMessage(self.text, tuple(calls), None if is_brief else self._replay), *results)

    def _name(self, item: CallItem) -> str:
        return self._names.get(item.item_id, item.item_id)


def _result(call_id: str, item: CallItem) -> ToolResultMessage:
    match item.status:
        case "succeeded":
            return ToolResultMessage(call_id, item.result or NO_OUTPUT)
        case "failed":
            return ToolResultMessage(call_id, item.error or item.result or NO_OUTPUT, is_error=True)
        case "cancelled":
            return ToolResultMessage(call_id, cancelled_call(item.result or item.error or ""), is_error=True)
        case "running":
            return ToolResultMessage(call_id, INTERRUPTED, is_error=True)


def _weight(item: CallItem) -> int:
    return len(item.result or item.error or "") + sum(
        len(value) for value in item.arguments.values() if isinstance(value, str)
    )


def _without_output(item: CallItem) -> CallItem:
    changes: dict[str, Any] = {}
    for field in ("result", "error"):
        output = getattr(item, field)
        if output is not None and len(output) > SHORT_OUTPUT:
            changes[field] = output_stub(item.name, arguments_text(item.arguments), output)
    arguments = {name: _shortened(value) for name, value in item.arguments.items()}
    if arguments != item.arguments:
        changes["arguments"] = arguments
    return item.model_copy(update=changes) if changes else item


def arguments_text(arguments: Mapping[str, Any]) -> str:
    return json.dumps(dict(arguments), ensure_ascii=False)


def _shortened(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return value if len(text) <= _SHORT_ARGUMENT else excerpt(text, _SHORT_ARGUMENT)
