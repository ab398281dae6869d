"""Bytes and text: a file's encoding, and edits that keep its encoding, line endings and final newline. Pure."""

import codecs
from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from teamwright.workspace.files.lines import line_edits, split_lines

Encoding = Literal["utf-8", "utf-8-bom", "utf-16-le", "utf-16-be"]

_MARKS: dict[Encoding, bytes] = {
    "utf-8": b"",
    "utf-8-bom": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}
# Some editors show the byte order mark as a character of the document.
_SHOWN_MARK = "\ufeff"
_CODECS: dict[Encoding, str] = {
    "utf-8": "utf-8",
    "utf-8-bom": "utf-8",
    "utf-16-le": "utf-16-le",
    "utf-16-be": "utf-16-be",
}


@dataclass(frozen=True, slots=True)
class Text:
    """The characters of a file without its byte order mark, line endings as they are."""

    text: str
    encoding: Encoding = "utf-8"


@dataclass(frozen=True, slots=True)
class Binary:
    """Not text that could be written back as it was. No encoding is guessed: a wrong guess would corrupt the file."""


def decode(data: bytes) -> Text | Binary:
    """What decodes is encoded back to the very same bytes."""
    encoding = _encoding_of(data)
    try:
        text = data[len(_MARKS[encoding]) :].decode(_CODECS[encoding])
    except UnicodeDecodeError:
        return Binary()
    return Binary() if "\0" in text else Text(text, encoding)


def encode(text: Text) -> bytes:
    """Raises UnicodeEncodeError for a lone surrogate, which no file can hold."""
    return _MARKS[text.encoding] + text.text.encode(_CODECS[text.encoding])


def equal_but_for_endings(one: str, other: str) -> bool:
    """Whether they differ at most in how lines end, and in whether the last one does."""
    return one == other or _plain(one).removesuffix("\n") == _plain(other).removesuffix("\n")


def in_style_of(old: str, new: str) -> str:
    """The new text with the line endings of the old one, and not without a final newline that the old one had.

    Models write \\n whatever the file has, and forget the last one. Lines that stay keep the ending they had; lines
    that are new get the one most used.
    """
    if old.startswith(_SHOWN_MARK) and not new.startswith(_SHOWN_MARK):
        new = _SHOWN_MARK + new
    old_lines = split_lines(old)
    endings = Counter(_ending(line) for line in old_lines if _ending(line))
    if not endings:
        return new
    usual = endings.most_common(1)[0][0]
    new_lines = [_bare(line) + "\n" if _ending(line) else line for line in split_lines(new)]
    if new_lines and _ending(old_lines[-1]) and not _ending(new_lines[-1]):
        new_lines[-1] += "\n"
    if len(endings) == 1:
        return "".join(new_lines).replace("\n", usual)
    return _with_mixed_endings(old_lines, new_lines, usual)


def replace_once(text: str, old: str, new: str) -> str | int:
    """`text` with the only place that reads `old` replaced, or how many such places there are.

    Line endings make no difference to what is found, because a model cannot see them.
    """
    plain, wanted = _plain(text), _plain(old)
    count = plain.count(wanted) if wanted else 0
    if count != 1:
        return count
    return in_style_of(text, plain.replace(wanted, _plain(new)))


def _with_mixed_endings(old_lines: list[str], new_lines: list[str], usual: str) -> str:
    plain_old = [_bare(line) + "\n" if _ending(line) else line for line in old_lines]
    pieces: list[str] = []
    kept_from = 0
    for edit in line_edits(plain_old, new_lines):
        pieces += old_lines[kept_from : edit.old_start]
        replaced, replacing = old_lines[edit.old_start : edit.old_end], new_lines[edit.new_start : edit.new_end]
        # A line that takes the place of another takes its ending, too.
        endings = [_ending(line) or usual for line in replaced] if len(replaced) == len(replacing) else []
        pieces += [line.replace("\n", ending) for line, ending in zip_longest(replacing, endings, fillvalue=usual)]
        kept_from = edit.old_end
    return "".join(pieces + old_lines[kept_from:])


def _encoding_of(data: bytes) -> Encoding:
    # UTF-32 little-endian starts like UTF-16; its zeros then make it binary, as they should.
    for encoding, mark in _MARKS.items():
        if mark and data.startswith(mark):
            return encoding
    return "utf-8"


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _bare(line: str) -> str:
    return line.rstrip("\r\n")


def _ending(line: str) -> str:
    return line[len(_bare(line)) :]
