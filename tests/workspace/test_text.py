"""Encodings, line endings and final newlines survive."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from teamwright.workspace.files.lines import split_lines
from teamwright.workspace.files.text import Binary, Encoding, Text, decode, encode, in_style_of, replace_once
from tests.workspace.texts import plain_texts, texts

ENCODINGS: list[Encoding] = ["utf-8", "utf-8-bom", "utf-16-le", "utf-16-be"]


@given(st.binary() | texts.map(str.encode))
@example(b"\xef\xbb\xbf\xef\xbb\xbfx")
@example(b"\xff\xfe\x00\x00")
@example(b"\xff\xfea")
def test_whatever_decodes_is_encoded_to_the_same_bytes(data: bytes) -> None:
    match decode(data):
        case Text() as text:
            assert encode(text) == data
        case Binary():
            pass


@given(texts, st.sampled_from(ENCODINGS))
def test_every_text_is_read_back_with_its_encoding(text: str, encoding: Encoding) -> None:
    assert decode(encode(Text(text, encoding))) == Text(text, encoding)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", Text("")),
        ("naïve\r\n".encode(), Text("naïve\r\n")),
        (b"\xef\xbb\xbfx", Text("x", "utf-8-bom")),
        (b"\xff\xfex\x00", Text("x", "utf-16-le")),
        (b"\xfe\xff\x00x", Text("x", "utf-16-be")),
        ("naïve".encode("latin-1"), Binary()),
        (b"\x7fELF\x00\x01", Binary()),
        ("x".encode("utf-32"), Binary()),
        (b"\xff\xfex", Binary()),
        ("x".encode("utf-16-le"), Binary()),
    ],
)
def test_the_encoding_is_known_or_the_file_counts_as_binary(data: bytes, expected: Text | Binary) -> None:
    assert decode(data) == expected


@given(texts)
def test_lines_joined_are_the_text_and_end_only_where_editors_end_them(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert all(line.rstrip("\r\n").count("\n") + line.rstrip("\r\n").count("\r") == 0 for line in lines)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"),
        ("a\r\nb\r\n", "a\nc", "a\r\nc\r\n"),
        ("a\nb", "a\nc\n", "a\nc\n"),
        ("a\nb", "a\nc", "a\nc"),
        ("a\r\nb\nc\r\n", "a\nb\nx\nc\n", "a\r\nb\nx\r\nc\r\n"),
        ("a\r\nb\n", "a\r\nb\n", "a\r\nb\n"),
        ("", "a\n", "a\n"),
        ("a\n", "", ""),
        ("a\rb\r", "b\n", "b\r"),
    ],
)
def test_a_rewritten_text_keeps_the_style_of_the_old_one(old: str, new: str, expected: str) -> None:
    assert in_style_of(old, new) == expected


@given(texts)
def test_rewriting_a_text_as_a_model_sees_it_changes_nothing(text: str) -> None:
    seen_by_model = text.replace("\r\n", "\n").replace("\r", "\n")
    assert in_style_of(text, seen_by_model) == text


@given(texts, plain_texts)
def test_a_final_newline_is_never_lost(old: str, new: str) -> None:
    styled = in_style_of(old, new)
    assert styled.endswith(("\n", "\r")) or not styled or not old.endswith(("\n", "\r"))


def test_an_edit_finds_its_place_whatever_the_line_endings() -> None:
    assert replace_once("one\r\ntwo\r\nthree\r\n", "one\ntwo", "1\n2") == "1\r\n2\r\nthree\r\n"


@pytest.mark.parametrize(("old", "count"), [("x", 0), ("a", 2), ("", 0)])
def test_an_edit_without_exactly_one_place_tells_how_many_there_are(old: str, count: int) -> None:
    assert replace_once("a b a", old, "z") == count
