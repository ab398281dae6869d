"""Lines are found again after the text around them has changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.workspace.files.lines import line_edits, moved

TEXT = ["a\n", "b\n", "c\n", "d\n", "e\n"]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (TEXT, (1, 2)),
        (["x\n", *TEXT], (2, 3)),
        (TEXT[1:], (0, 1)),
        (["a\n", "b\n", "x\n", "c\n", "d\n"], (1, 3)),
        (["a\n", "b!\n", "c\n", "d\n", "e\n"], (1, 2)),
        (["a\n", "c\n", "d\n", "e\n"], (1, 1)),
        (["a\n", "d\n", "e\n"], None),
        ([*TEXT, "x\n"], (1, 2)),
    ],
)
def test_the_lines_b_and_c_are_found_again(new: list[str], expected: tuple[int, int] | None) -> None:
    assert moved(1, 2, line_edits(TEXT, new)) == expected


def lines_of(letters: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from([f"{letter}\n" for letter in letters]), max_size=8)


@given(
    lines_of("ab"), lines_of("cd"), st.lists(st.just("mark\n"), min_size=1, max_size=2), lines_of("pq"), lines_of("rs")
)
def test_lines_that_nobody_touched_are_found_wherever_they_are(
    before: list[str], after: list[str], marked: list[str], new_before: list[str], new_after: list[str]
) -> None:
    edits = line_edits([*before, *marked, *after], [*new_before, *marked, *new_after])
    first = len(before)
    assert moved(first, first + len(marked) - 1, edits) == (len(new_before), len(new_before) + len(marked) - 1)
