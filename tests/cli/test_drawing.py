"""How entries are drawn: by their kinds and parts alone, for terminals of every width."""

import io
from collections.abc import Sequence
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic import TypeAdapter
from rich.cells import cell_len
from rich.text import Text

from teamwright.cli.terminal.blocks import as_lines
from teamwright.cli.terminal.display_state import DisplayState, OutOfStep
from teamwright.cli.terminal.entry_blocks import entry_blocks
from teamwright.cli.terminal.rich_text import RichText, finished_length
from teamwright.protocol.transcript import AnyPatchOp, Entry, PatchOp


def entry(entry_id: str, kind: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"entryId": entry_id, "kind": kind, "parts": list(parts), "actions": [], **more}


def patch(*ops: dict[str, Any]) -> list[AnyPatchOp]:
    return [TypeAdapter[AnyPatchOp](PatchOp).validate_python(op) for op in ops]


CARD = entry(
    "run_1",
    "run",
    {"part": "phase", "kind": "chips", "data": {"chips": [{"label": "Answering", "tone": "ok"}, {"label": "Voting"}]}},
    {
        "part": "agents",
        "kind": "table",
        "title": "Agents",
        "data": {
            "columns": [{"label": "Agent"}, {"label": "State"}, {"label": "Votes", "align": "right"}],
            "rows": [
                {"cells": [{"text": "alpha"}, {"text": "voted for beta", "tone": "ok"}, {"text": ""}]},
                {"cells": [{"text": "日本語の名前"}, {"text": "working: reads every file there is"}, {"text": "12"}]},
            ],
        },
    },
    {"part": "ans_1", "kind": "markdown", "title": "alpha's first answer", "text": "Hidden.", "folded": True},
    title="Say it.",
    state="running",
)
DIFF = entry(
    "changes",
    "changes",
    {
        "part": "file:///a.py",
        "kind": "diff",
        "text": "a.py",
        "data": {
            "uri": "file:///a.py",
            "change": "edit",
            "added": 1,
            "removed": 1,
            "hunks": [
                {"index": 0, "oldStart": 3, "oldLines": 2, "newStart": 3, "newLines": 2, "lines": [" a", "-b", "+c"]}
            ],
        },
    },
    title="Changes to 1 file",
)


def test_patches_keep_entries_in_their_order_and_let_text_grow() -> None:
    state = DisplayState()
    text = {"part": "text", "kind": "markdown", "text": "Two and"}
    assert state.apply(
        patch(
            {"op": "upsert", "entry": entry("a", "answer", text)},
            {"op": "upsert", "entry": entry("c", "notice")},
            {"op": "upsert", "entry": entry("b", "notice"), "after": "a"},
            {"op": "append", "entryId": "a", "part": "text", "offset": 7, "text": " two."},
        )
    ) == ["a", "c", "b"]
    assert [each.entry_id for each in state] == ["a", "b", "c"]
    assert as_lines(entry_blocks(next(iter(state)))) == ["Two and two."]
    state.apply(patch({"op": "remove", "entryId": "a"}))
    assert [each.entry_id for each in state] == ["b", "c"]


def test_text_that_does_not_follow_on_what_is_known_means_to_open_it_again() -> None:
    state = DisplayState([Entry.model_validate(entry("a", "answer", {"part": "t", "kind": "plain", "text": "x"}))])
    with pytest.raises(OutOfStep):
        state.apply(patch({"op": "append", "entryId": "a", "part": "t", "offset": 7, "text": "y"}))
    with pytest.raises(OutOfStep):
        state.apply(patch({"op": "append", "entryId": "b", "part": "t", "offset": 0, "text": "y"}))


def test_a_card_is_lines_where_nothing_can_be_redrawn() -> None:
    assert plain(CARD) == snapshot(
        [
            "Say it.",
            "  Answering  Voting",
            "  Agent   State                               Votes",
            "  alpha   voted for beta",
            "  日本語の名前  working: reads every file there is     12",
        ]
    )


def test_a_change_is_shown_with_its_lines() -> None:
    assert plain(DIFF) == snapshot(["Changes to 1 file", "edit a.py", "@@ -3,2 +3,2 @@", " a", "-b", "+c"])


def test_a_message_stands_out_and_says_when_it_waits() -> None:
    said = {"part": "text", "kind": "plain", "text": "One\ntwo"}
    assert plain(entry("m", "message", said, title="You", state="sent")) == ["> One", "  two"]
    assert plain(entry("m", "message", said, title="You", state="queued"))[-1] == "  (waits for its turn)"


@pytest.mark.parametrize("width", [20, 27, 40, 61, 100])
def test_no_line_is_wider_than_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    words = "A paragraph with **bold** words, `code` and a list:\n\n- one of many things to say\n- another\n"
    prose = entry("a", "answer", {"part": "text", "kind": "markdown", "text": words})
    lines = [line for each in (CARD, prose) for line in drawn(each)]
    assert max(cell_len(line) for line in lines) <= width
    assert "paragraph" in "\n".join(lines), "words are never broken"


def test_only_a_block_that_can_no_longer_change_is_said_for_good() -> None:
    text = "# Title\n\nOne paragraph\nof two lines.\n\n- a\n- b"
    assert text[: finished_length(text)] == "# Title\n\nOne paragraph\nof two lines.\n\n"
    assert finished_length("Just begun") == 0
    assert finished_length("```python\nx = 1\n\ny = 2") == 0


def plain(each: dict[str, Any]) -> list[str]:
    return as_lines(entry_blocks(Entry.model_validate(each)))


def drawn(each: dict[str, Any]) -> Sequence[str]:
    class Terminal(io.StringIO):
        encoding = "utf-8"

    rich = RichText(Terminal())
    return [Text.from_ansi(line).plain for line in rich.drawn(entry_blocks(Entry.model_validate(each)))]
