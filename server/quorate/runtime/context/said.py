"""A message of the user, with what is attached to it."""

from dataclasses import dataclass
from typing import Final

from quorate.models.estimate import CHARACTERS_PER_MESSAGE
from quorate.models.port import Message, UserMessage
from quorate.protocol.ids import TurnId
from quorate.protocol.items import Attachment
from quorate.runtime.context.entry import Entry

# What an attachment is taken to weigh: not what it turns out to, so that it does not matter when it is read.
ATTACHMENT_WEIGHT: Final = 16_000
_EMPTY: Final = "(an empty message)"


@dataclass(frozen=True, slots=True)
class AttachmentTexts:
    """The attachments of a message in words, and how they are named when their text is no longer sent."""

    full: str
    brief: str


_NOTHING_SHOWN: Final = AttachmentTexts("", "")


class Said(Entry):
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
        return self._size_with(self._shown.brief)

    def _with(self, attached: str) -> tuple[Message, ...]:
        return () if self._is_taken_back else (UserMessage(self._text_with(attached)),)

    def _size_with(self, attached: str) -> int:
        return 0 if self._is_taken_back else CHARACTERS_PER_MESSAGE + len(self._text_with(attached))

    def _text_with(self, attached: str) -> str:
        return "\n\n".join([part for part in (self.text, attached) if part and not part.isspace()]) or _EMPTY
