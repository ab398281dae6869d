"""Text of models and files, made fit for a terminal: it can neither steer the terminal nor upset its columns."""

import textwrap
from typing import Final, TextIO

from teamwright.protocol.visible_text import visible

_TAB: Final = "    "
_FURTHER_IN: Final = 2


def printable(text: str, stream: TextIO | None) -> str:
    """What would steer it is named; what the stream's encoding lacks is escaped, so that its width is known already."""
    calm = visible(text).replace("\t", _TAB)
    encoding = (stream.encoding if stream is not None else None) or "ascii"
    return calm.encode(encoding, "backslashreplace").decode(encoding)


def wrapped(text: str, width: int) -> str:
    """Broken between words, each line's rest a little further in than its beginning."""
    return "\n".join(_broken(line, width) for line in text.split("\n"))


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def _broken(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    indent = " " * min(len(line) - len(line.lstrip(" ")) + _FURTHER_IN, width // 2)
    # A path that is too long is left to the terminal, so that it can be copied.
    return textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)
