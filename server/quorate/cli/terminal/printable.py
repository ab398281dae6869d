"""Text of models and files, made fit for a terminal: it can neither steer the terminal nor upset its columns."""

import re
import textwrap
from typing import Final, TextIO

# Controls (escape sequences begin with one) and what turns the direction of writing; newline and tab are no danger.
_STEERING: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TAB: Final = "    "
_FURTHER_IN: Final = 2


def printable(text: str, stream: TextIO | None) -> str:
    """What the stream's encoding lacks is escaped here already, so that its width is known before it is drawn."""
    calm = _STEERING.sub("", text.replace("\r\n", "\n")).replace("\t", _TAB)
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
