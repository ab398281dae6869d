"""What the user attaches is shown as the editor shows it."""

import pytest

from teamwright.protocol.ids import TurnId
from teamwright.protocol.items import Attachment
from teamwright.runtime.context.attached_files import attachment_texts
from teamwright.runtime.context.entry import UserEntry
from tests.context.place import Place
from tests.support.marks import unmarked

CODE = "import os\n\n\ndef go(😀, b):\n    return b\n"


def shown(place: Place, *attachments: Attachment) -> str:
    return unmarked(attachment_texts(UserEntry(1, TurnId("turn_1"), "?", attachments), place.live).full)


def test_a_whole_file_is_shown_with_its_live_text_and_language(place: Place) -> None:
    place.put(place.app, "src/a.py", "saved")
    place.edit("src/a.py", "typed")
    assert shown(place, place.attachment("src/a.py")) == (
        '<attachment path="src/a.py" language="py">\ntyped\n</attachment>'
    )


@pytest.mark.parametrize(
    ("places", "tag", "text"),
    [
        ((3, 0, 5, 0), 'lines="4-5" language="py"', "def go(😀, b):\n    return b"),
        ((3, 4, 4, 3), 'lines="4-5" language="py"', "def go(😀, b):\n    return b"),
        ((3, 11, 3, 12), 'lines="4" language="py" selected="b"', "def go(😀, b):"),
        ((3, 0, 3, 14), 'lines="4" language="py"', "def go(😀, b):"),
        ((4, 2, 4, 2), 'lines="5" language="py"', "    return b"),
        ((3, 0, 99, 0), 'lines="4-5" language="py"', "def go(😀, b):\n    return b"),
    ],
)
def test_a_selection_is_shown_by_whole_lines(place: Place, places: tuple[int, ...], tag: str, text: str) -> None:
    place.put(place.app, "a.py", CODE)
    assert shown(place, place.attachment("a.py", *places)) == f'<attachment path="a.py" {tag}>\n{text}\n</attachment>'


def test_what_cannot_be_shown_is_named_with_the_reason(place: Place) -> None:
    place.put(place.app, ".env", "TOKEN=sk-secret")
    place.put(place.app, "a.bin", b"\0\1")
    place.put(place.app, "short.py", "x\n")
    texts = shown(
        place,
        place.attachment(".env"),
        place.attachment("a.bin"),
        place.attachment("gone.py"),
        place.attachment("short.py", 7, 0, 8, 0),
        Attachment(uri="untitled:Untitled-1"),
        Attachment(uri=place.uri("")),
    )
    lines = texts.split("\n")
    assert lines.pop(1).startswith("[The user attached `a.bin`; it is not shown: `a.bin` is binary")
    assert lines[:4] == [
        "[The user attached `.env`; it is not shown: it may hold secrets.]",
        "[The user attached `gone.py`; it is not shown: `gone.py` does not exist.]",
        "[The user attached `short.py`; it is not shown: it has no line 8, it ends with line 1.]",
        "[The user attached `untitled:Untitled-1`; it is not shown: it is in no folder of the workspace.]",
    ]
    assert "sk-secret" not in texts


def test_many_and_large_attachments_are_bounded(place: Place) -> None:
    place.put(place.app, "big.txt", "x" * 1_000_000)
    many = shown(place, *[place.attachment("big.txt")] * 30)
    assert len(many) < 70_000
    assert many.endswith("[The user attached 10 more files; they are not shown.]")
    assert len(shown(place, place.attachment("big.txt"))) < 33_000


def test_of_an_old_message_attachments_are_only_named(place: Place) -> None:
    place.put(place.app, "a.py", CODE)
    said = UserEntry(1, TurnId("turn_1"), "?", (place.attachment("a.py", 3, 0, 5, 0), place.attachment("a.py")))
    said.forget()
    said.show(attachment_texts(said, place.live))
    (message,) = said.full().messages
    assert message.text == (
        "?\n\n"
        "[The user attached `a.py`, lines 4-5; its text is left out here to save room, `read_file` has it.]\n"
        "[The user attached `a.py`; its text is left out here to save room, `read_file` has it.]"
    )
    assert said.brief() == said.full()
