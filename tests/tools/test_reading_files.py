"""read_file: what a model is shown of a file, and what it is told when there is nothing to show."""

import codecs
import os

import pytest

from teamwright.tools.port import Failed, Succeeded
from tests.tools.desk import Desk

pytestmark = pytest.mark.asyncio

FIVE = "one\ntwo\nthree\nfour\nfive\n"


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({}, Succeeded("1\tone\n2\ttwo\n3\tthree\n4\tfour\n5\tfive")),
        ({"line": 4}, Succeeded("4\tfour\n5\tfive\n[lines 4-5 of 5]")),
        ({"line": 2, "end_line": 3}, Succeeded("2\ttwo\n3\tthree\n[lines 2-3 of 5]")),
        ({"end_line": 1}, Succeeded("1\tone\n[lines 1-1 of 5]")),
        ({"line": 5, "end_line": 99}, Succeeded("5\tfive\n[lines 5-5 of 5]")),
        ({"line": 6}, Failed("`five.txt` has 5 lines only.")),
        ({"line": 3, "end_line": 2}, Failed("`end_line` is before `line`.")),
    ],
)
async def test_a_range_of_lines_is_shown_with_numbers_and_the_number_of_all(
    desk: Desk, arguments: dict[str, int], shown: Succeeded | Failed
) -> None:
    desk.put("five.txt", FIVE)
    assert await desk.agent()("read_file", path="five.txt", **arguments) == shown


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"", "[the file is empty]"),
        (b"no newline at the end", "1\tno newline at the end"),
        (b"a\r\nb\rc\n", "1\ta\n2\tb\n3\tc"),
        (codecs.BOM_UTF8 + "größer\n".encode(), "1\tgrößer"),
        (codecs.BOM_UTF16_LE + "wide\n".encode("utf-16-le"), "1\twide"),
        ("a\u2028b\x85c\n".encode(), "1\ta\u2028b\x85c"),
    ],
)
async def test_lines_are_those_of_the_editor_whatever_the_encoding_and_the_line_endings(
    desk: Desk, content: bytes, shown: str
) -> None:
    desk.put("file", content)
    assert await desk.agent()("read_file", path="file") == Succeeded(shown)


async def test_a_long_file_is_shown_in_pieces_that_join_without_a_gap(desk: Desk) -> None:
    lines = [f"line {number} of a file that is too long to be shown at once" for number in range(1, 3001)]
    desk.put("long.txt", "\n".join(lines))
    agent, seen, line = desk.agent(), list[str](), 1
    while line <= len(lines):
        shown = await agent("read_file", path="long.txt", line=line)
        assert isinstance(shown, Succeeded)
        *piece, note = shown.text.split("\n")
        assert len(shown.text) < 33_000
        seen += [text.partition("\t")[2] for text in piece]
        more = f"; go on with line={len(seen) + 1}]" if len(seen) < len(lines) else "]"
        assert note == f"[lines {line}-{len(seen)} of 3000{more}"
        line = len(seen) + 1
    assert seen == lines


async def test_a_line_without_end_is_cut(desk: Desk) -> None:
    desk.put("minified.js", "x" * 1_500_000 + "\nshort\n")
    cut = "1\t" + "x" * 1_000 + "[… 1499000 more characters]\n2\tshort"
    assert await desk.agent()("read_file", path="minified.js") == Succeeded(cut)


async def test_unsaved_text_is_what_is_read(desk: Desk) -> None:
    desk.put("open.py", "saved\n")
    desk.show("open.py", "not saved\n")
    desk.show("new.py", "not even created\n")
    assistant = desk.assistant()
    assert await assistant("read_file", path="open.py") == Succeeded("1\tnot saved")
    assert await assistant("read_file", path="new.py") == Succeeded("1\tnot even created")


@pytest.mark.parametrize("path", ["main.py", "./main.py", "{app}/main.py"])
async def test_a_path_may_be_relative_or_absolute_inside_a_folder(desk: Desk, path: str) -> None:
    desk.put("main.py", "first\n")
    desk.put("main.py", "second\n", below=desk.lib)
    assert await desk.agent()("read_file", path=path.format(app=desk.app)) == Succeeded("1\tfirst")
    assert await desk.agent()("read_file", path="lib/main.py") == Succeeded("1\tsecond")
    assert await desk.agent()("read_file", path=str(desk.lib / "main.py")) == Succeeded("1\tsecond")


async def test_a_file_that_is_not_there_is_answered_with_what_may_be_meant(desk: Desk) -> None:
    desk.put("src/main.py")
    desk.put("src/.env", "KEY=secret")
    agent = desk.agent()
    missing = Failed("`src/mian.py` does not exist. Did you mean `src/main.py`?")
    assert await agent("read_file", path="src/mian.py") == missing
    assert await agent("read_file", path="nothing like it") == Failed("`nothing like it` does not exist.")
    assert await agent("read_file", path="src/env") == Failed("`src/env` does not exist.")


async def test_what_is_no_text_file_is_refused_with_the_reason(desk: Desk) -> None:
    desk.put("image.png", b"\x89PNG\x00\x01")
    desk.put("latin1.txt", "größer".encode("latin-1"))
    desk.put("huge.log", b"x" * 2_000_001)
    desk.put("src/main.py")
    os.mkfifo(desk.app / "pipe")
    agent = desk.agent()
    binary = "is binary, or not in UTF-8 or UTF-16, and is not read as text."
    paths = ("image.png", "latin1.txt", "huge.log", "pipe", "src")
    assert {path: await agent("read_file", path=path) for path in paths} == {
        "image.png": Failed(f"`image.png` {binary}"),
        "latin1.txt": Failed(f"`latin1.txt` {binary}"),
        "huge.log": Failed("`huge.log` is larger than 2000000 bytes and is not read."),
        "pipe": Failed("`pipe` is not a regular file and is not read."),
        "src": Failed("`src` is a folder; name a file in it."),
    }
