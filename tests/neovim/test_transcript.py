"""What the plugin makes of a transcript: entries drawn by kind, parts by theirs, patches as small as they come."""

from typing import Any

import pytest

from tests.support.doors import team_config
from tests.support.model_server import ModelServer, text
from tests.support.neovim.door import Nvim
from tests.support.neovim.editor import Neovim

pytestmark = pytest.mark.asyncio

# A transcript in a window, told by the test; what the plugin would send is kept instead.
_SHOWN = """
local Transcript, View = require("teamwright.transcript"), require("teamwright.ui.transcript_view")
_G.transcript, _G.sent, _G.edits = Transcript.new(), {}, {}
require("teamwright.client").request = function(command, params) table.insert(_G.sent, { command, params }) end
local view = View.new("teamwright://test")
vim.api.nvim_win_set_buf(0, view.pane.bufnr)
require("teamwright.ui.pane").dress(0)
_G.transcript:open({ rev = 0, entries = ..., more = false })
view:show(_G.transcript)
vim.api.nvim_buf_attach(view.pane.bufnr, false, {
  on_lines = function(_, _, _, first, last, new) table.insert(_G.edits, { first, last, new }) end,
})
"""
Entry = dict[str, Any]


def entry(entry_id: str, kind: str, title: str, *parts: Entry, **more: Any) -> Entry:
    return {"entryId": entry_id, "kind": kind, "title": title, "parts": list(parts), "actions": [], **more}


def markdown(said: str, part: str = "text", **more: Any) -> Entry:
    return {"part": part, "kind": "markdown", "text": said, **more}


async def shown(nvim: Nvim, *entries: Entry, **options: str) -> Neovim:
    editor = await nvim(**options)
    await editor.lua(_SHOWN, list(entries))
    return editor


async def patched(editor: Neovim, rev: int, *ops: Entry) -> bool:
    return await editor.lua("return _G.transcript:patch(...)", {"type": "transcript.patched", "rev": rev, "patch": ops})


async def lines(editor: Neovim) -> list[str]:
    return await editor.lua("return vim.api.nvim_buf_get_lines(vim.fn.bufnr('teamwright://test'), 0, -1, false)")


def append(entry_id: str, offset: int, said: str) -> Entry:
    return {"op": "append", "entryId": entry_id, "part": "text", "offset": offset, "text": said}


@pytest.mark.proves("E2")
async def test_every_kind_of_part_is_drawn_and_what_is_folded_opens(nvim: Nvim) -> None:
    cells = [{"text": "alpha", "tone": "ok"}, {"text": "voted for beta"}, {"text": "3"}]
    hunk = {"index": 0, "oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-one", "+two"]}
    data = {"uri": "file:///a.txt", "change": "edit", "added": 1, "removed": 1, "hunks": [hunk]}
    columns = [{"label": "Agent"}, {"label": "State"}, {"label": "Votes", "align": "right"}]
    chips = [{"label": "Answering", "tone": "ok"}, {"label": "Voting", "tone": "busy"}]
    editor = await shown(
        nvim,
        entry("1", "message", "You", {"part": "text", "kind": "plain", "text": "Do it."}, state="queued"),
        entry(
            "2",
            "run",
            "Do it.",
            {"part": "phase", "kind": "chips", "data": {"chips": chips}},
            {"part": "agents", "kind": "table", "data": {"columns": columns, "rows": [{"cells": cells}]}},
            {"part": "spent", "kind": "meter", "text": "$1 of $2", "data": {"used": 1, "of": 2}},
            markdown("Because.", "why", title="alpha's answer", folded=True),
            state="running",
        ),
        entry("3", "changes", "Changes to 1 file", {"part": "a", "kind": "diff", "text": "a.txt", "data": data}),
        entry("4", "holiday", "Something new", {"part": "text", "kind": "smell", "text": "of roses"}, state="info"),
        entry(
            "5", "activity", "Read a.txt", {"part": "o", "kind": "code", "text": "one", "folded": True}, state="done"
        ),
    )
    screen = await editor.shows(
        "▎You ⧗",
        "▎… Do it.",
        "│ ✓ Answering · ● Voting",
        "│ ✓ alpha  voted for beta      3",
        "█████░░░░░ $1 of $2",
        "│ ▸ alpha's answer",
        "│ ▸ a.txt +1 -1",
        "· Something new",
        "of roses",
        "✓ Read a.txt",
    )
    assert [hidden for hidden in ("Because.", "+two", "  one") if hidden in screen] == []
    await editor.lua('vim.fn.search("alpha\'s")')
    await editor.keys("<CR>")
    await editor.shows("│ Because.")


async def test_names_are_shown_as_they_are_and_markdown_as_it_is_meant(nvim: Nvim) -> None:
    plain = {"part": "text", "kind": "plain", "text": "See __init__.py and *args."}
    editor = await shown(
        nvim,
        entry("1", "message", "You", plain, state="sent"),
        entry("2", "activity", "Read src/__init__.py", state="done"),
        entry("3", "answer", "Assistant", markdown("It is **bold**.")),
    )
    await editor.shows("See __init__.py and *args.", "✓ Read src/__init__.py", "It is bold.")


@pytest.mark.proves("E7")
async def test_a_patch_touches_only_the_lines_that_it_is_about(nvim: Nvim) -> None:
    editor = await shown(
        nvim, *(entry(str(number), "answer", "Assistant", markdown(f"Answer {number}.")) for number in range(50))
    )
    await patched(editor, 1, append("49", 10, " And\nmore"))
    assert (await lines(editor))[-2:] == ["Answer 49. And", "more"]
    new = {"op": "upsert", "entry": entry("new", "answer", "Assistant", markdown("In between.")), "after": "9"}
    changed = {"op": "upsert", "entry": entry("3", "answer", "Assistant", markdown("Another 3."))}
    await patched(editor, 2, new, changed, {"op": "remove", "entryId": "20"})
    drawn = await lines(editor)
    assert drawn.index("Answer 9.") < drawn.index("In between.") < drawn.index("Answer 10.")
    assert "Answer 20." not in drawn
    assert "Another 3." in drawn
    edits = await editor.lua("return _G.edits")
    assert [last - first for first, last, _ in edits] == [1, 0, 3, 3]


async def test_what_does_not_fit_means_that_something_was_missed(nvim: Nvim) -> None:
    editor = await shown(nvim, entry("1", "answer", "Assistant", markdown("Grüße")))
    assert await patched(editor, 1, append("1", 5, "!"))
    assert await patched(editor, 1, append("1", 5, "!")), "what is known already is no gap"
    assert not await patched(editor, 2, append("1", 7, "?")), "a text that has grown meanwhile"
    assert not await patched(editor, 4, append("1", 6, "?")), "a patch is missing"
    assert (await lines(editor))[-1] == "Grüße!"


@pytest.mark.proves("E2")
async def test_actions_are_keys_and_what_they_ask_for_is_gathered(nvim: Nvim) -> None:
    words = {"path": ["text"], "kind": "text", "label": "Your answer", "required": True}
    modes = [{"label": "One agent", "value": "single"}, {"label": "The team", "value": "multi"}]
    fields = [
        {"path": ["edits", "task"], "kind": "text", "label": "Task", "value": "Tidy."},
        {"path": ["edits", "agentMode"], "kind": "choice", "label": "Mode", "value": "multi", "options": modes},
        {"path": ["edits", "budget", "usd"], "kind": "number", "label": "US dollars", "group": "Budget"},
    ]
    approve = {"command": "teamwright.approve", "arguments": {"decisionId": "d", "choice": "approve"}}
    actions = [
        {**approve, "label": "Approve", "key": "a", "primary": True},
        {**approve, "label": "Edit", "key": "e", "input": fields},
        {
            "command": "teamwright.respond",
            "arguments": {"decisionId": "d"},
            "label": "Say",
            "key": "r",
            "input": [words],
        },
    ]
    decision = entry("d", "decision", "Run: Tidy.", markdown("All of it."), state="waiting", decisionId="d")
    editor = await shown(nvim, {**decision, "actions": actions})
    await editor.shows("▎⚑ Run: Tidy.", "╰ <CR> → Approve / Edit / Say")
    sent = "_G.sent"
    await editor.keys("G<CR>")
    await editor.shows("All of it.", "a  Approve", "e  Edit", "r  Say", "q  Not now")
    await editor.keys("a")
    await editor.becomes(sent, [["teamwright.approve", {"decisionId": "d", "choice": "approve"}]])
    await editor.keys("<CR>r")
    await editor.keys("Certainly.<CR>")
    await editor.becomes(f"{sent}[2]", ["teamwright.respond", {"decisionId": "d", "text": "Certainly."}])
    await editor.keys("<CR>e")
    await editor.shows('"Mode": "The team"', "One agent | The team", '"US dollars": null', ":w sends what stands here")
    await editor.keys(":%s/The team/One agent/<CR>:%s/null/0.5/<CR>:w<CR>")
    edits = {"agentMode": "single", "budget": {"usd": 0.5}}
    await editor.becomes(f"{sent}[3]", ["teamwright.approve", {"decisionId": "d", "choice": "approve", "edits": edits}])


@pytest.mark.proves("D7", "E2")
async def test_a_session_of_which_something_was_missed_is_read_again(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(text("Blue."))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright ask What colour has the sky?")
    await editor.shows("Blue.")
    await editor.rests()
    missed = """
    local session = require("teamwright.sessions").current()
    local last = session.transcript.order[#session.transcript.order]
    local op = { op = "remove", entryId = last }
    local event = { type = "transcript.patched", rev = session.transcript.rev + ..., patch = { op } }
    require("teamwright.events").take({ v = 1, sessionId = session.id, event = event })
    """
    await editor.lua(missed, 1)
    await editor.hides("Blue.")
    await editor.lua(missed, 2)
    await editor.shows("Blue.")


async def test_what_was_said_before_comes_by_page(nvim: Nvim) -> None:
    editor = await shown(nvim, entry("2", "answer", "Assistant", markdown("The latest.")))
    await editor.lua(
        """
        local sessions = require("teamwright.sessions")
        sessions.opened.s = { id = "s", summary = { title = "" }, transcript = _G.transcript }
        _G.transcript.more = true
        sessions.open("s")
        require("teamwright.client").request = function(command, params, done)
          _G.sent = { command, params }
          done({ transcript = { rev = 0, entries = ..., more = false } })
        end
        require("teamwright.ui.split").open()
        """.replace("...", "_G.earlier"),
    )
    await editor.lua("_G.earlier = ...", [entry("1", "answer", "Assistant", markdown("The first."))])
    await editor.shows("shows what was said before", "The latest.")
    await editor.command("wincmd l | normal! gg")
    await editor.keys("<CR>")
    await editor.shows("The first.", "The latest.")
    await editor.hides("shows what was said before")
    assert await editor.lua("return _G.sent") == ["teamwright.session.open", {"sessionId": "s", "itemsBefore": "2"}]
