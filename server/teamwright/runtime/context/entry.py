"""An entry of a conversation, in two forms: as it was, and without its old output; and the user's messages among them.

None is ever sent in part, so that a call and its result cannot be separated.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, NamedTuple

from teamwright.models.metering import CHARACTERS_PER_MESSAGE, characters_of_message
from teamwright.models.port import Message, UserPrompt
from teamwright.protocol.ids import TurnId
from teamwright.protocol.items import Attachment

# What an attachment is taken to weigh: not what it turns out to, so that it does not matter when it is read.
ATTACHMENT_WEIGHT: Final = 16_000
_EMPTY: Final = "(an empty message)"


class Rendering(NamedTuple):
    messages: tuple[Message, ...]
    size: int


NOTHING: Final = Rendering((), 0)


def rendering(*messages: Message) -> Rendering:
    return Rendering(messages, sum(map(characters_of_message, messages)))


class ContextEntry(ABC):
    """How long its two forms are is known without making them; each is made when it is first sent, and kept.

    `seq` is the first record of the log that it comes from; what happens between turns has no `turn_id`; `weight` is
    about how many characters it holds on to.
    """

    __slots__ = ("_brief", "_brief_size", "_full", "_full_size", "seq", "turn_id", "weight")

    def __init__(self, seq: int, turn_id: TurnId | None, weight: int) -> None:
        self.seq = seq
        self.turn_id = turn_id
        self.weight = weight
        self._full_size: int | None = None
        self._brief_size: int | None = None
        self._full: Rendering | None = None
        self._brief: Rendering | None = None

    @property
    def full_size(self) -> int:
        if self._full_size is None:
            self._full_size = self._measured()
        return self._full_size

    @property
    def brief_size(self) -> int:
        """Never more than the full form's."""
        if self._brief_size is None:
            self._brief_size = min(self._measured_in_brief(), self.full_size)
        return self._brief_size

    def full(self) -> Rendering:
        if self._full is None:
            self._full = Rendering(self._messages(), self.full_size)
        return self._full

    def brief(self) -> Rendering:
        if self._brief is None:
            is_shorter = self.brief_size < self.full_size
            self._brief = Rendering(self._messages_in_brief(), self.brief_size) if is_shorter else self.full()
        return self._brief

    @abstractmethod
    def forget(self) -> None:
        """From now on only the brief form is left, and little weight."""

    @abstractmethod
    def _messages(self) -> tuple[Message, ...]: ...

    @abstractmethod
    def _measured(self) -> int:
        """What the messages come to, in characters."""

    @abstractmethod
    def _messages_in_brief(self) -> tuple[Message, ...]: ...

    @abstractmethod
    def _measured_in_brief(self) -> int: ...

    def _changed(self, weight_gained: int = 0) -> None:
        self.weight += weight_gained
        self._full_size = self._brief_size = self._full = self._brief = None


class Noted(ContextEntry):
    """What Teamwright itself has to say: between two entries, never inside one."""

    __slots__ = ("_stub", "_text")

    def __init__(self, seq: int, turn_id: TurnId | None, text: str, stub: str = "") -> None:
        super().__init__(seq, turn_id, len(text))
        self._text = text
        self._stub = stub or text

    def forget(self) -> None:
        self._text = self._stub
        self._changed(len(self._text) - self.weight)

    def _messages(self) -> tuple[Message, ...]:
        return (UserPrompt(self._text),)

    def _measured(self) -> int:
        return CHARACTERS_PER_MESSAGE + len(self._text)

    def _messages_in_brief(self) -> tuple[Message, ...]:
        return (UserPrompt(self._stub),)

    def _measured_in_brief(self) -> int:
        return CHARACTERS_PER_MESSAGE + len(self._stub)


@dataclass(frozen=True, slots=True)
class AttachmentTexts:
    """The attachments of a message in words, and how they are named when their text is no longer sent."""

    full: str
    brief: str


_NOTHING_SHOWN: Final = AttachmentTexts("", "")


class UserEntry(ContextEntry):
    __slots__ = ("_is_taken_back", "_shown", "attachments", "is_forgotten", "text")

    def __init__(self, seq: int, turn_id: TurnId | None, text: str, attachments: tuple[Attachment, ...]) -> None:
        super().__init__(seq, turn_id, len(text) + ATTACHMENT_WEIGHT * len(attachments))
        self.text = text
        self.attachments = attachments
        self.is_forgotten = False
        self._shown = _NOTHING_SHOWN
        self._is_taken_back = False

    def show(self, texts: AttachmentTexts) -> None:
        """Once for good: what was sent stays as it was, whatever becomes of the files."""
        self._shown = AttachmentTexts(texts.brief, texts.brief) if self.is_forgotten else texts
        self._changed()

    def take_back(self) -> None:
        self._is_taken_back = True
        self._changed()

    def forget(self) -> None:
        self.is_forgotten = True
        self._shown = AttachmentTexts(self._shown.brief, self._shown.brief)
        self._changed(len(self.text) - self.weight)

    def _messages(self) -> tuple[Message, ...]:
        return self._with(self._shown.full)

    def _measured(self) -> int:
        return self._size_with(self._shown.full)

    def _messages_in_brief(self) -> tuple[Message, ...]:
        return self._with(self._shown.brief)

    def _measured_in_brief(self) -> int:
        return self._size_with(self._shown.brief) if self.attachments else self.full_size

    def _with(self, attached: str) -> tuple[Message, ...]:
        return () if self._is_taken_back else (UserPrompt(self._text_with(attached)),)

    def _size_with(self, attached: str) -> int:
        return 0 if self._is_taken_back else CHARACTERS_PER_MESSAGE + len(self._text_with(attached))

    def _text_with(self, attached: str) -> str:
        return "\n\n".join([part for part in (self.text, attached) if part and not part.isspace()]) or _EMPTY
