"""Characters that nobody sees are named, and what people write stays as it is."""

import unicodedata

import pytest

from teamwright.protocol.visible_text import spoken, visible

_FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
_RAINBOW = "\U0001f3f3\ufe0f\u200d\U0001f308"
_RUNNER = "\U0001f3c3\U0001f3fd\u200d\u2640\ufe0f"
_SCOTLAND = "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbsct") + "\U000e007f"
_PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Plain words,\n\ttwo lines.",
        "größer, naïve, 日本語\u3000と, Ελληνικά, עברית, e\u0301, c\u00a0:",
        f"{_FAMILY} {_RAINBOW} {_RUNNER} {_SCOTLAND} \u2764\ufe0f 1\ufe0f\u20e3 \xa9\ufe0f",
        _PERSIAN,
        "\N{EN DASH}…“”→✓",
    ],
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rm\u202e-rf", "rm⟨U+202E⟩-rf"),
        ("a\u2066b\u2069c\u061c", "a⟨U+2066⟩b⟨U+2069⟩c⟨U+061C⟩"),
        ("ok\U000e0041\U000e0042", "ok⟨U+E0041⟩⟨U+E0042⟩"),
        ("\U0001f3f4\U000e0068\U000e0069\U000e007f", "\U0001f3f4⟨U+E0068⟩⟨U+E0069⟩⟨U+E007F⟩"),
        ("a\u200b\u200b\u200bb", "a⟨U+200B x3⟩b"),
        ("a\u200db \u200c", "a⟨U+200D⟩b ⟨U+200C⟩"),
        ("\x1b[2Jx\x00\x07\x9b", "⟨U+001B⟩[2Jx⟨U+0000⟩⟨U+0007⟩⟨U+009B⟩"),
        ("a\r\nb\rc", "a\nb⟨U+000D⟩c"),
        ("a\u2028b\u2029c\x85", "a⟨U+2028⟩b⟨U+2029⟩c⟨U+0085⟩"),
        ("\U0001f600\ufe0f\ufe0f\U000e0101", "\U0001f600\ufe0f⟨U+FE0F⟩⟨U+E0101⟩"),
        ("a\ufe0f", "a⟨U+FE0F⟩"),
        ("\u3164\u2800\xad\ufeff\u034f", "⟨U+3164⟩⟨U+2800⟩⟨U+00AD⟩⟨U+FEFF⟩⟨U+034F⟩"),
        ("\ud800x\udfff", "⟨U+D800⟩x⟨U+DFFF⟩"),
        ("\ue000\U0010fffd", "⟨U+E000⟩⟨U+10FFFD⟩"),
    ],
)
def test_what_nobody_sees_is_named(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_no_control_format_or_private_character_gets_through() -> None:
    unseen = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    every = (chr(number) for number in range(0x110000))
    got_through = [
        hex(ord(each))
        for each in every
        if unicodedata.category(each) in unseen and each not in "\n\t" and each in visible(f"a{each}b")
    ]
    assert got_through == []


def test_a_link_in_a_message_is_only_words() -> None:
    said = spoken("Done. [Show](command:workbench.action.terminal.new) [](command:x) [a]\u200b(command:y)")
    assert said == "Done. [Show] (command:workbench.action.terminal.new) [] (command:x) [a]⟨U+200B⟩(command:y)"
