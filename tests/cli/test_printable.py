"""Text made fit for a terminal."""

import pytest

from teamwright.cli.terminal.printable import wrapped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("short", "short"),
        ("two words more", "two words\n  more"),
        ("  a b c d e f", "  a b c d\n    e f"),
        ("first line here\nok", "first line\n  here\nok"),
        ("at /a/path/too/long", "at\n  /a/path/too/long"),
        ("", ""),
    ],
)
def test_prose_is_broken_between_words_and_paths_are_left_whole(text: str, shown: str) -> None:
    assert wrapped(text, 10) == shown
