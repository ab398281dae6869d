"""What was typed, put where it was typed: in every unit, across every line ending."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.protocol.items import Position, Range
from teamwright.workspace.changes.text_edits import text_edits
from teamwright.workspace.files.content_changes import whole_characters, with_change
from teamwright.workspace.files.positions import PositionUnit

UNITS: tuple[PositionUnit, ...] = ("utf-8", "utf-16", "utf-32")
PIECES = st.sampled_from(["a", "b", "é", "😀", "\r\n", "\n", "\r", "\u2028", "x\n"])
TEXTS = st.lists(PIECES, max_size=30).map("".join)


def at(line: int, character: int, end_line: int | None = None, end_character: int | None = None) -> Range:
    start = Position(line=line, character=character)
    end = start if end_line is None or end_character is None else Position(line=end_line, character=end_character)
    return Range(start=start, end=end)


@given(TEXTS, TEXTS, st.sampled_from(UNITS))
def test_an_editor_that_takes_our_edits_one_by_one_from_the_end_comes_to_our_text(
    old: str, new: str, unit: PositionUnit
) -> None:
    text = old
    for edit in reversed(text_edits(old, new, unit)):
        text = with_change(text, edit.range, edit.new_text, unit)
    assert text == new


@pytest.mark.parametrize(("unit", "character"), [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)])
def test_a_column_counts_in_the_agreed_unit(unit: PositionUnit, character: int) -> None:
    assert with_change("é😀x\n", at(0, character, 0, character + 1), "y", unit) == "é😀y\n"


@pytest.mark.parametrize("unit", UNITS)
def test_every_line_ending_ends_a_line_and_nothing_else_does(unit: PositionUnit) -> None:
    text = "a\r\nb\rc\n\u2028d"
    assert [with_change(text, at(line, 0), "|", unit) for line in range(4)] == [
        "|a\r\nb\rc\n\u2028d",
        "a\r\n|b\rc\n\u2028d",
        "a\r\nb\r|c\n\u2028d",
        "a\r\nb\rc\n|\u2028d",
    ]


@pytest.mark.parametrize("unit", UNITS)
def test_a_place_beyond_the_end_means_the_end(unit: PositionUnit) -> None:
    assert with_change("ab\r\ncd", at(0, 99), "!", unit) == "ab!\r\ncd"
    assert with_change("ab\r\ncd", at(99, 0), "!", unit) == "ab\r\ncd!"
    assert with_change("ab\r\ncd", at(0, 1, 99, 0), "", unit) == "a"
    assert with_change("ab", at(0, 2, 0, 1), "!", unit) == "ab!", "an end before the start replaces nothing"


def test_a_character_that_is_typed_in_two_halves_is_one_in_the_end() -> None:
    half = with_change("ab", at(0, 1), "\ud83d", "utf-16")
    assert half == "a\ud83db"
    whole = with_change(half, at(0, 2), "\ude00", "utf-16")
    assert whole == "a😀b"
    assert with_change(whole, at(0, 2, 0, 3), "\ude01", "utf-16") == "a😁b", "half of it can be replaced"
    assert whole_characters("\ud83d\ude00") == "😀"


def test_a_place_within_a_character_of_several_bytes_means_its_start() -> None:
    assert with_change("😀x", at(0, 2), "|", "utf-8") == "|😀x"
