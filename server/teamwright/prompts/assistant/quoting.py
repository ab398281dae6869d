"""Text that others wrote, between tags that it cannot close and no longer than there is room for: material to judge."""

from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import Final, TypeAlias

_MARK_LENGTH: Final = 8


def quoted(tag: str, text: str, **attributes: str) -> str:
    """Its tags bear a mark that the text does not hold, and that nobody knows before the text is whole."""
    shown = "".join(f' {name}="{_attribute(value)}"' for name, value in attributes.items() if value)
    # Only whole lines are trimmed: the indentation of the first one may matter.
    within = text.strip("\r\n")
    marked = f"{tag}-{_mark_for(within)}"
    return f"<{marked}{shown}>\n{within}\n</{marked}>"


def _mark_for(text: str) -> str:
    """Of the text itself: what was sent stays as it was, so that providers know it again."""
    content = text.encode(errors="surrogatepass")
    marks = (sha256(b"%d " % attempt + content).hexdigest()[:_MARK_LENGTH] for attempt in count())
    return next(mark for mark in marks if mark not in text.lower())


def _attribute(value: str) -> str:
    return " ".join(value.replace('"', "'").replace("<", "(").replace(">", ")").split())


_WHITESPACE_SLACK = 4


def excerpt(text: str, limit: int, how_to_get_the_rest: str = "") -> str:
    """The whole text, or its beginning and end with a word on what is missing: never more than `limit` characters."""
    if len(text) <= limit:
        return text
    hint = f"; {how_to_get_the_rest}" if how_to_get_the_rest else ""
    room = limit - len(_left_out(len(text), hint))
    if room <= 0:
        return text[: limit - 1] + "…" if limit > 0 else ""
    tail = room // 3
    return f"{text[: room - tail]}{_left_out(len(text) - room, hint)}{text[len(text) - tail :]}"


def _left_out(characters: int, hint: str) -> str:
    return f"\n[… {characters} characters left out{hint} …]\n"


def one_line(text: str, limit: int) -> str:
    """The beginning of a text, for where it is only named."""
    beginning = text[: limit * _WHITESPACE_SLACK]
    # A word and the space after it are two characters at least; with more words there would be no more of them shown.
    line = " ".join(beginning.split(None, limit // 2 + 1))
    if len(line) <= limit and len(beginning) == len(text):
        return line
    return line[: max(0, limit - 1)].rstrip() + "…"


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
