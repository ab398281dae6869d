"""Hunks of a change, chosen in part; and three-way merging with what was typed meanwhile. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from teamwright.protocol.changes import Hunk
from teamwright.workspace.files.lines import LineEdit, line_edits, split_lines

_CONTEXT_LINES = 3
_NO_NEWLINE = "\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True)
class Diff:
    """All that the hunks of one file need; edits of one group are shown, and chosen, together."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    groups: tuple[tuple[LineEdit, ...], ...]


def diff_of(old: str, new: str) -> Diff:
    old_lines, new_lines = split_lines(old), split_lines(new)
    groups: list[list[LineEdit]] = []
    for edit in line_edits(old_lines, new_lines):
        if groups and edit.old_start - groups[-1][-1].old_end <= 2 * _CONTEXT_LINES:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return Diff(tuple(old_lines), tuple(new_lines), tuple(map(tuple, groups)))


def hunks_of(diff: Diff) -> tuple[Hunk, ...]:
    return tuple(_hunk(diff, index, group) for index, group in enumerate(diff.groups))


def unified(diff: Diff, old_name: str, new_name: str) -> str:
    """As git and patch write it. Empty when there is no difference."""
    if not diff.groups:
        return ""
    pieces = [f"--- {old_name}\n+++ {new_name}\n"]
    for hunk, group in zip(hunks_of(diff), diff.groups, strict=True):
        old_range, new_range = _range(hunk.old_start, hunk.old_lines), _range(hunk.new_start, hunk.new_lines)
        pieces.append(f"@@ -{old_range} +{new_range} @@\n")
        pieces += _body(diff, group)
    return "".join(pieces)


def with_hunks(diff: Diff, chosen: Collection[int]) -> str:
    """The old text with only the chosen hunks applied."""
    pieces: list[str] = []
    kept_from = 0
    for index, group in enumerate(diff.groups):
        if index not in chosen:
            continue
        for edit in group:
            pieces += diff.old[kept_from : edit.old_start]
            pieces += diff.new[edit.new_start : edit.new_end]
            kept_from = edit.old_end
    return "".join(pieces) + "".join(diff.old[kept_from:])


def _hunk(diff: Diff, index: int, group: tuple[LineEdit, ...]) -> Hunk:
    before, after = _context(diff, group)
    old_start, new_start = group[0].old_start - before, group[0].new_start - before
    old_lines = group[-1].old_end + after - old_start
    new_lines = group[-1].new_end + after - new_start
    # Lines are counted from 1, but a side without lines names the line before it.
    return Hunk(
        index=index,
        old_start=old_start + (1 if old_lines else 0),
        old_lines=old_lines,
        new_start=new_start + (1 if new_lines else 0),
        new_lines=new_lines,
    )


def _context(diff: Diff, group: tuple[LineEdit, ...]) -> tuple[int, int]:
    return min(_CONTEXT_LINES, group[0].old_start), min(_CONTEXT_LINES, len(diff.old) - group[-1].old_end)


def _body(diff: Diff, group: tuple[LineEdit, ...]) -> list[str]:
    before, after = _context(diff, group)
    pieces: list[str] = []
    shared_from = group[0].old_start - before
    for edit in group:
        pieces += _marked(" ", diff.old[shared_from : edit.old_start])
        pieces += _marked("-", diff.old[edit.old_start : edit.old_end])
        pieces += _marked("+", diff.new[edit.new_start : edit.new_end])
        shared_from = edit.old_end
    return pieces + _marked(" ", diff.old[shared_from : shared_from + after])


def _marked(sign: str, lines: Sequence[str]) -> list[str]:
    return [f"{sign}{line}{_closing(line)}" for line in lines]


def _closing(line: str) -> str:
    if line.endswith("\n"):
        return ""
    # A lone \r ends a line for editors, but not for whoever shows the diff.
    return "\n" if line.endswith("\r") else f"\n{_NO_NEWLINE}"


def _range(start: int, length: int) -> str:
    return str(start) if length == 1 else f"{start},{length}"


@dataclass(frozen=True, slots=True)
class Merged:
    text: str


@dataclass(frozen=True, slots=True)
class Conflicted:
    """Both changed the same place in different ways. Neither text is lost: nothing is mixed."""

    ours: str
    theirs: str


def merge(base: str, ours: str, theirs: str) -> Merged | Conflicted:
    """Changes to lines that touch each other count as changes to the same place: nobody saw them together."""
    base_lines, our_lines, their_lines = split_lines(base), split_lines(ours), split_lines(theirs)
    our_edits, their_edits = line_edits(base_lines, our_lines), line_edits(base_lines, their_lines)
    pieces: list[str] = []
    kept_from = 0
    for our_group, their_group in _groups(our_edits, their_edits):
        start = min(edit.old_start for edit in (*our_group, *their_group))
        end = max(edit.old_end for edit in (*our_group, *their_group))
        pieces += base_lines[kept_from:start]
        our_part = _part(base_lines, our_lines, our_group, start, end)
        their_part = _part(base_lines, their_lines, their_group, start, end)
        if our_group and their_group and our_part != their_part:
            return Conflicted(ours, theirs)
        pieces += our_part if our_group else their_part
        kept_from = end
    return Merged("".join(pieces + base_lines[kept_from:]))


def _groups(ours: Sequence[LineEdit], theirs: Sequence[LineEdit]) -> list[tuple[list[LineEdit], list[LineEdit]]]:
    """Edits of both sides, those that touch the same lines of the base together."""
    marked = sorted(
        [(edit, 0) for edit in ours] + [(edit, 1) for edit in theirs],
        key=lambda found: (found[0].old_start, found[0].old_end),
    )
    groups: list[tuple[list[LineEdit], list[LineEdit]]] = []
    reached = -1
    for edit, side in marked:
        if edit.old_start > reached:
            groups.append(([], []))
        groups[-1][side].append(edit)
        reached = max(reached, edit.old_end)
    return groups


def _part(base: Sequence[str], changed: Sequence[str], edits: Sequence[LineEdit], start: int, end: int) -> list[str]:
    """What one side makes of lines [start, end) of the base."""
    lines: list[str] = []
    kept_from = start
    for edit in edits:
        lines += base[kept_from : edit.old_start]
        lines += changed[edit.new_start : edit.new_end]
        kept_from = edit.old_end
    return lines + list(base[kept_from:end])
