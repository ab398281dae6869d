"""What a user attaches to a message, as the assistant is shown it."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from quorate.prompts.assistant.excerpts import excerpt
from quorate.prompts.assistant.quoting import quoted

LONGEST_ATTACHMENT: Final = 32_000


@dataclass(frozen=True, slots=True)
class Lines:
    """From 1, both ends included."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file or the lines of a selection. `selected` is what was marked where that is only a part of these lines."""

    path: str
    text: str
    lines: Lines | None = None
    language: str = ""
    selected: str = ""


@dataclass(frozen=True, slots=True)
class NotShown:
    path: str
    reason: str


ShownAttachment: TypeAlias = ShownFile | NotShown


def attachment_text(attachment: ShownAttachment, limit: int = LONGEST_ATTACHMENT) -> str:
    match attachment:
        case NotShown(path, reason):
            return f"[The user attached `{path}`; it is not shown: {reason}]"
        case ShownFile(path, text, lines, language, selected):
            shown = excerpt(text, limit, f"`read_file` has all of `{path}`")
            where = str(lines) if lines is not None else ""
            return quoted("attachment", shown, path=path, lines=where, language=language, selected=selected)


def attachment_stub(path: str, lines: Lines | None = None) -> str:
    """For an old message, of which the text of the attachment is no longer sent."""
    where = f", lines {lines}" if lines is not None else ""
    return f"[The user attached `{path}`{where}; its text is left out here to save room, `read_file` has it.]"
