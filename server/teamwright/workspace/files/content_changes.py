"""What an editor says was typed, put into the text that it was typed into. Pure."""

import re
from itertools import islice

from teamwright.protocol.items import Position, Range
from teamwright.workspace.files.positions import PositionUnit, split_at_column

_LINE_END = re.compile(r"\r\n|\r|\n")
_SURROGATE = re.compile("[\ud800-\udfff]")


def with_change(text: str, changed: Range, new_text: str, unit: PositionUnit) -> str:
    """Places beyond the end of a line or of the text mean that end, as LSP has it."""
    before, _ = _split_at(text, changed.start, unit)
    _, after = _split_at(text, max(changed.end, changed.start, key=_order), unit)
    return whole_characters(before + new_text + after)


def whole_characters(text: str) -> str:
    """An editor that counts in UTF-16 may type a character in two halves; together again they are one."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _order(position: Position) -> tuple[int, int]:
    return position.line, position.character


def _split_at(text: str, position: Position, unit: PositionUnit) -> tuple[str, str]:
    start = _line_start(text, position.line)
    if start is None:
        return text, ""
    ending = _LINE_END.search(text, start)
    end = len(text) if ending is None else ending.start()
    head, tail = split_at_column(text[start:end], position.character, unit)
    return text[:start] + head, tail + text[end:]


def _line_start(text: str, line: int) -> int | None:
    """None past the last line."""
    if line == 0:
        return 0
    ending = next(islice(_LINE_END.finditer(text), line - 1, None), None)
    return None if ending is None else ending.end()
