"""Texts as files hold them, and an editor that applies edits as LSP says."""

import re

from hypothesis import strategies as st

from teamwright.workspace.changes.text_edits import TextEdit
from teamwright.workspace.files.positions import PositionUnit

# Few letters, so that lines repeat and differ in small ways; every kind of line ending, and characters of every width.
_line = st.text(alphabet="ab ü😀\u2028", max_size=3)
_ending = st.sampled_from(["\n", "\r\n", "\r"])
texts = st.tuples(st.lists(st.builds(str.__add__, _line, _ending), max_size=12), _line).map(
    lambda lines_and_last: "".join(lines_and_last[0]) + lines_and_last[1]
)
plain_texts = st.text(alphabet="abc\n", max_size=40)


def apply_as_editor(text: str, edits: tuple[TextEdit, ...], unit: PositionUnit) -> str:
    for edit in reversed(edits):
        start, end = (
            _offset(text, position.line, position.character, unit) for position in (edit.range.start, edit.range.end)
        )
        assert start <= end
        text = text[:start] + edit.new_text + text[end:]
    return text


def _offset(text: str, line: int, character: int, unit: PositionUnit) -> int:
    starts = [0, *(found.end() for found in re.finditer("\r\n|\r|\n", text))]
    content = re.match("[^\r\n]*", text[starts[line] :])
    assert content is not None
    for length in range(len(content[0]) + 1):
        prefix = content[0][:length]
        width = {
            "utf-8": len(prefix.encode("utf-8")),
            "utf-16": len(prefix.encode("utf-16-le")) // 2,
            "utf-32": len(prefix),
        }
        if width[unit] == character:
            return starts[line] + length
    raise AssertionError(f"{line}:{character} is no position in {text!r}")
