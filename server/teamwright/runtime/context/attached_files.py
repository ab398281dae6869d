"""The text of what users attach, as the editor shows it at the moment. Blocks on the disk."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from teamwright.permissions.paths import WorkspacePath, render_path
from teamwright.permissions.protection import protection_of
from teamwright.prompts.assistant.quoting import (
    LONGEST_ATTACHMENT,
    Lines,
    NotShown,
    ShownAttachment,
    ShownFile,
    attachment_stub,
    attachment_text,
)
from teamwright.protocol.errors import UserError
from teamwright.protocol.items import Attachment, Position, Range
from teamwright.runtime.context.entry import AttachmentTexts, UserEntry
from teamwright.workspace.files.lines import split_lines
from teamwright.workspace.files.live_files import LiveFiles

_LONGEST_SELECTED: Final = 200
_MOST_ATTACHMENTS: Final = 20


def attachment_texts(said: UserEntry, live: LiveFiles) -> AttachmentTexts:
    shown = said.attachments[:_MOST_ATTACHMENTS]
    more = len(said.attachments) - len(shown)
    rest = [f"[The user attached {more} more files; they are not shown.]"] if more else []
    brief = "\n".join([*(_stub(attachment, live) for attachment in shown), *rest])
    if said.is_forgotten:
        return AttachmentTexts(brief, brief)
    return AttachmentTexts("\n".join([*_texts(shown, live), *rest]), brief)


def _texts(attachments: Sequence[Attachment], live: LiveFiles) -> list[str]:
    """Many attachments share the room that one may have twice over."""
    limit = min(LONGEST_ATTACHMENT, 2 * LONGEST_ATTACHMENT // len(attachments))
    return [attachment_text(shown_attachment(attachment, live), limit) for attachment in attachments]


def _stub(attachment: Attachment, live: LiveFiles) -> str:
    lines = _lines(attachment.range) if attachment.range is not None else None
    return attachment_stub(_named(attachment, live.folders.locate(attachment.uri), live), lines)


def shown_attachment(attachment: Attachment, live: LiveFiles) -> ShownAttachment:
    path = live.folders.locate(attachment.uri)
    name = _named(attachment, path, live)
    if path is None:
        return NotShown(name, "it is in no folder of the workspace.")
    if protection_of(path.parts) == "secret":
        return NotShown(name, "it may hold secrets.")
    try:
        text = live.read(path).text
    except UserError as fault:
        return NotShown(name, fault.message)
    language = PurePosixPath(path.parts[-1]).suffix.removeprefix(".") if path.parts else ""
    if attachment.range is None:
        return ShownFile(name, text, language=language)
    return _selection(name, text, attachment.range, language)


def _named(attachment: Attachment, path: WorkspacePath | None, live: LiveFiles) -> str:
    return attachment.uri if path is None else render_path(path, live.folders.places)


def _selection(name: str, text: str, chosen: Range, language: str) -> ShownAttachment:
    every = split_lines(text)
    lines = _lines(chosen)
    if lines.first > len(every):
        return NotShown(name, f"it has no line {lines.first}, it ends with line {len(every)}.")
    shown = every[lines.first - 1 : lines.last]
    last = min(lines.last, len(every))
    selected = _marked(shown[0], chosen) if chosen.start.line == chosen.end.line else ""
    return ShownFile(name, "".join(shown), Lines(lines.first, last), language, selected)


def _lines(chosen: Range) -> Lines:
    """Whole lines: a selection that ends at the beginning of a line does not mean that line."""
    last = chosen.end.line - 1 if chosen.end.character == 0 and chosen.end.line > chosen.start.line else chosen.end.line
    return Lines(chosen.start.line + 1, max(chosen.start.line, last) + 1)


def _marked(line: str, chosen: Range) -> str:
    """What is marked within one line; nothing where it is the whole line, or only a cursor."""
    bare = line.rstrip("\r\n")
    marked = bare[_offset(bare, chosen.start) : _offset(bare, chosen.end)]
    return marked if 0 < len(marked) < len(bare) and len(marked) <= _LONGEST_SELECTED else ""


def _offset(line: str, position: Position) -> int:
    """Columns count UTF-16 units, as LSP has it."""
    before = line.encode("utf-16-le", "surrogatepass")[: 2 * position.character]
    return len(before.decode("utf-16-le", "ignore"))
