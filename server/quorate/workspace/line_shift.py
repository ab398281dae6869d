"""Where lines of a text are after it was edited. Pure."""

from collections.abc import Sequence

from quorate.workspace.lines import LineEdit


def moved(first: int, last: int, edits: Sequence[LineEdit]) -> tuple[int, int] | None:
    """The lines from `first` to `last`, counted from 0, both included; None where nothing is left of them."""
    if any(edit.old_start <= first and last < edit.old_end and edit.new_start == edit.new_end for edit in edits):
        return None
    return _moved(first, edits), max(_moved(first, edits), _moved(last, edits))


def _moved(line: int, edits: Sequence[LineEdit]) -> int:
    shift = 0
    for edit in edits:
        if edit.old_end <= line:
            shift = edit.new_end - edit.old_end
        elif edit.old_start <= line:
            return min(edit.new_start + line - edit.old_start, max(edit.new_start, edit.new_end - 1))
    return line + shift
