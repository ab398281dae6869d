"""write_file, edit_file and delete_file: what lands where, what stays as it was, and errors that a model can act on."""

import codecs

import pytest

from teamwright.permissions.paths import WorkspacePath
from teamwright.tools.port import Failed, Succeeded
from tests.tools.desk import Desk

pytestmark = pytest.mark.asyncio

WRITTEN = Succeeded("Written.")


async def test_what_an_agent_writes_lies_in_its_own_scratch_folder(desk: Desk) -> None:
    first, second = desk.agent(name="agent1"), desk.agent(name="agent2")
    assert await first("write_file", path="scratch/src/new.py", content="print()\n") == WRITTEN
    assert (desk.files("agent1").lend_scratch() / "src" / "new.py").read_bytes() == b"print()\n"
    assert await first("read_file", path="scratch/src/new.py") == Succeeded("1\tprint()")
    assert await second("read_file", path="scratch/src/new.py") == Failed("`src/new.py` does not exist.")
    assert await first("delete_file", path="scratch/src/new.py") == Succeeded("Deleted.")
    assert await first("list_files", path="scratch") == Succeeded("[no files]")


async def test_what_the_presenter_writes_is_staged_and_the_users_files_stay(desk: Desk) -> None:
    desk.put("kept.py", "old\n")
    desk.put("gone.py", "old\n")
    presenter = desk.presenter()
    assert await presenter("write_file", path="kept.py", content="new\n") == WRITTEN
    assert await presenter("write_file", path="lib/created.py", content="new\n") == Failed(
        "`lib/created.py` is not among the write paths of this run"
    )
    assert await presenter("write_file", path="created.py", content="new\n") == WRITTEN
    assert await presenter("delete_file", path="gone.py") == Succeeded("Deleted.")
    assert await presenter("read_file", path="gone.py") == Failed(
        "`gone.py` does not exist: it is deleted in this run."
    )
    assert await presenter("read_file", path="kept.py") == Succeeded("1\tnew")
    assert {file.name: file.read_text(encoding="utf-8") for file in desk.app.iterdir()} == {
        "kept.py": "old\n",
        "gone.py": "old\n",
    }
    assert {(file.path.parts, file.text) for file in desk.files().staged.all()} == {
        (("kept.py",), "new\n"),
        (("created.py",), "new\n"),
        (("gone.py",), None),
    }


@pytest.mark.parametrize(
    ("before", "arguments", "after"),
    [
        ("a\nb\nc\n", {"old": "b", "new": "B"}, "a\nB\nc\n"),
        ("a\nb\nc\n", {"old": "b\n", "new": ""}, "a\nc\n"),
        ("a\r\nb\r\nc\r\n", {"old": "a\nb", "new": "a\nx\nb"}, "a\r\nx\r\nb\r\nc\r\n"),
        ("a\r\nb\nc\n", {"old": "c", "new": "C"}, "a\r\nb\nC\n"),
        ("no newline", {"old": "no newline", "new": "none"}, "none"),
    ],
)
async def test_an_edit_keeps_line_endings_and_everything_else(
    desk: Desk, before: str, arguments: dict[str, str], after: str
) -> None:
    desk.put("file", before)
    presenter = desk.presenter()
    outcome = await presenter("edit_file", path="file", **arguments)
    assert isinstance(outcome, Succeeded), outcome
    staged = desk.files().staged.get(WorkspacePath("app", ("file",)))
    assert staged is not None
    assert (staged.base, staged.text) == (before, after)


async def test_an_edit_in_scratch_keeps_the_byte_order_mark_and_the_line_endings(desk: Desk) -> None:
    scratch = desk.files().lend_scratch()
    (scratch / "bom.txt").write_bytes(codecs.BOM_UTF8 + b"one\r\ntwo\r\n")
    (scratch / "wide.txt").write_bytes(codecs.BOM_UTF16_LE + "one\n".encode("utf-16-le"))
    agent = desk.agent()
    assert await agent("edit_file", path="scratch/bom.txt", old="two", new="2\n3") == Succeeded("Edited at line 2.")
    assert await agent("write_file", path="scratch/wide.txt", content="größer\n") == WRITTEN
    assert (scratch / "bom.txt").read_bytes() == codecs.BOM_UTF8 + b"one\r\n2\r\n3\r\n"
    assert (scratch / "wide.txt").read_bytes() == codecs.BOM_UTF16_LE + "größer\n".encode("utf-16-le")


NEAREST = "`old` is not in `code.py`. The nearest lines are these; copy them exactly:\n"
CODE = """def area(width, height):
    # multiply
    return width * height


def volume(width, height, depth):
    # multiply
    return area(width, height) * depth
"""


@pytest.mark.parametrize(
    ("old", "told"),
    [
        (
            "    # multiply",
            "`old` stands 2 times, at lines 2, 7: add lines around the one you mean.",
        ),
        (
            "2\t    # multiply\n3\t    return width * height",
            "`old` is not in `code.py`. Leave out the line numbers and tabs that read_file shows.",
        ),
        (
            "# multiply\nreturn width * height",
            NEAREST + "1\tdef area(width, height):\n2\t    # multiply\n3\t    return width * height\n4\t\n5\t",
        ),
        (
            "    return area(width, heigth) * depth",
            NEAREST
            + "6\tdef volume(width, height, depth):\n7\t    # multiply\n8\t    return area(width, height) * depth",
        ),
        (
            "class Elsewhere: ...",
            "`old` is not in `code.py`. Nothing in it is similar: read the file again.",
        ),
    ],
)
async def test_an_edit_that_cannot_be_made_says_what_to_do(desk: Desk, old: str, told: str) -> None:
    desk.put("code.py", CODE)
    assert await desk.presenter()("edit_file", path="code.py", old=old, new="x") == Failed(told)
    assert desk.files().staged.all() == ()


async def test_an_edit_is_made_in_what_the_editor_shows(desk: Desk) -> None:
    desk.put("open.py", "saved\n")
    desk.show("open.py", "unsaved\n")
    presenter = desk.presenter()
    assert await presenter("edit_file", path="open.py", old="unsaved", new="edited") == Succeeded("Edited at line 1.")
    assert await presenter("edit_file", path="open.py", old="edited", new="twice") == Succeeded("Edited at line 1.")
    assert await presenter("read_file", path="open.py") == Succeeded("1\ttwice")


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        (
            "edit_file",
            {"path": "code.py", "old": "area", "new": "area"},
            "`old` stands 2 times, at lines 1, 8: add lines around the one you mean.",
        ),
        (
            "edit_file",
            {"path": "code.py", "old": "volume", "new": "volume"},
            "`old` and `new` are the same; nothing was changed.",
        ),
        ("edit_file", {"path": "cod.py", "old": "a", "new": "b"}, "`cod.py` does not exist. Did you mean `code.py`?"),
        ("delete_file", {"path": "none.py"}, "`none.py` does not exist."),
        ("delete_file", {"path": "folder"}, "`folder` is a folder; name a file in it."),
        ("write_file", {"path": "folder", "content": ""}, "`folder` is a folder; name a file in it."),
        (
            "write_file",
            {"path": "big.txt", "content": "x" * 2_000_001},
            "`big.txt` would be too large to be read again.",
        ),
        (
            "write_file",
            {"path": "image.png", "content": ""},
            "`image.png` is binary, or not in UTF-8 or UTF-16, and is not read as text.",
        ),
        (
            "write_file",
            {"path": "broken.txt", "content": "\ud800"},
            "The text for `broken.txt` holds characters that no file can store.",
        ),
    ],
)
async def test_a_write_that_cannot_be_made_changes_nothing(
    desk: Desk, tool: str, arguments: dict[str, str], told: str
) -> None:
    desk.put("code.py", CODE)
    desk.put("image.png", b"\x89PNG\x00")
    desk.put("folder/file")
    assert await desk.presenter()(tool, **arguments) == Failed(told)
    assert desk.files().staged.all() == ()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Setup.py", "looks like `setup.py`, which is there already"),
        ("s\u0435tup.py", "mixes letters of several scripts"),
        ("\uff53etup.py", "looks like `setup.py`"),
        ("\u0441\u043e\u0440.py", "looks like `cop.py`"),
        ("cafe\u0301.py", "is not written in Unicode's usual form"),
        ("a\u200b.py", "holds characters that nobody sees"),
        ("gpj.\u202efdp", "holds characters that nobody sees"),
        ("x\U000e0041.py", "holds characters that nobody sees"),
        ("setup.py ", "begins or ends in a blank"),
        ("setup.py.", "begins or ends in a blank or a dot"),
        ("nul.txt", "the name of a device"),
        ("SRC/new.py", "`SRC` looks like `src`"),
    ],
)
async def test_nothing_new_is_called_so_that_it_is_taken_for_something_else(desk: Desk, name: str, why: str) -> None:
    for path in ("setup.py", "cop.py", "src/a.py"):
        desk.put(path, "")
    refused = await desk.presenter()("write_file", path=name, content="new\n")
    assert isinstance(refused, Failed)
    assert why in refused.text


@pytest.mark.parametrize("name", ["datei-größe.py", "\u0444.py", "日本語.txt", "résumé.md", "src/b.py", "a[1].py"])
async def test_names_in_any_language_are_names(desk: Desk, name: str) -> None:
    desk.put("src/a.py", "")
    desk.put("resume.md", "")
    assert await desk.presenter()("write_file", path=name, content="new\n") == WRITTEN
