"""A message of the user, with what is attached to it."""

from dataclasses import dataclass
from typing import Final

from quorate.models.port import UserMessage
from quorate.protocol.ids import TurnId
from quorate.protocol.items import Attachment
from quorate.runtime.context.entry import NOTHING, Entry, Rendering, rendering

# What an attachment is taken to weigh: not what it turns out to, so that it does not matter when it is read.
ATTACHMENT_WEIGHT: Final = 16_000


@dataclass(frozen=True, slots=True)
class AttachmentTexts:
    """The attachments of a message in words, and how they are named when their text is no longer sent."""

    full: str
    brief: str


class Said(Entry):
    def __init__(self, seq: int, turn_id: TurnId | None, text: str, attachments: tuple[Attachment, ...]) -> None:
        super().__init__(seq, turn_id, len(text) + ATTACHMENT_WEIGHT * len(attachments))
        self.text = text
        self.attachments = attachments
        self.is_forgotten = False
        self._shown = AttachmentTexts("", "")
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

    def _rendered(self) -> Rendering:
        return self._with(self._shown.full)

    def _shortened(self) -> Rendering:
        return self._with(self._shown.brief)

    def _with(self, attached: str) -> Rendering:
        if self._is_taken_back:
            return NOTHING
        text = "\n\n".join(part for part in (self.text, attached) if part and not part.isspace())
        return rendering(UserMessage(text or "(an empty message)"))
