"""Parts of long texts."""

from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from teamwright.prompts.assistant.quoting import excerpt, one_line


def test_a_long_text_keeps_its_beginning_and_its_end() -> None:
    cut = excerpt("a" * 500 + "b" * 500, 200, "ask for it")
    assert cut == "a" * 104 + "\n[… 844 characters left out; ask for it …]\n" + "b" * 52


@given(st.text(max_size=400), st.integers(0, 300))
def test_an_excerpt_is_never_longer_than_its_limit_and_leaves_short_texts_alone(text: str, limit: int) -> None:
    cut = excerpt(text, limit)
    assert len(cut) <= limit
    if len(text) <= limit:
        assert cut == text


@given(st.text(max_size=200), st.integers(1, 50))
def test_one_line_is_one_line(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert line.splitlines() in ([], [line])


def test_what_is_short_is_told_whole_and_what_is_cut_says_so() -> None:
    assert one_line(" a\n b ", 10) == "a b"
    assert one_line("word " * 10, 12) == "word word w…"
    assert one_line("x" + " " * 100 + "y", 10) == "x…"


def test_the_length_of_the_text_does_not_matter() -> None:
    huge = "word " * 10_000_000
    begun = process_time()
    one_line(huge, 100)
    excerpt(huge, 1_000)
    assert process_time() - begun < 0.05
