"""The user's own work while the team talks: nothing moves the cursor, nothing slows the keys."""

import statistics
import time
from pathlib import Path

import pytest

from tests.support.doors import team_config
from tests.support.model_server import ModelServer, text
from tests.support.neovim.door import Nvim
from tests.support.neovim.editor import Neovim

pytestmark = pytest.mark.asyncio

# Two thousand tokens a second, in sentences and paragraphs.
TOKENS = tuple("word " if number % 15 else "end.\n\n" for number in range(1, 8001))
PACE = 1 / 2000
NOT_NOTICED_SECONDS = 0.05


async def typed(editor: Neovim, word: str) -> list[float]:
    """How long each letter took from the key to the screen."""
    took: list[float] = []
    for letter in word:
        row, column = editor.screen.cursor
        begun = time.perf_counter()
        await editor.keys(letter)
        await editor.moves_to(row, column + 1)
        took.append(time.perf_counter() - begun)
    return took


@pytest.mark.proves("E7", "E2")
async def test_two_thousand_tokens_a_second_leave_typing_in_another_window_alone(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    (workspace / "notes.txt").write_text("", encoding="utf-8")
    begin, end = models.gate("begin"), models.gate("end")
    reply = text(*TOKENS).paced(PACE).waits_for(begin, at=1).waits_for(end, at="end")
    models.model("alpha").replies(reply)
    editor = await nvim(config=team_config(models, "alpha"), opens="notes.txt")
    await editor.command("Teamwright ask Tell me everything.")
    await editor.shows("▎Assistant", "word")
    await editor.keys("i")
    await editor.shows("-- INSERT --")

    before = await typed(editor, "a" * 40)
    begin.release()
    lines = "vim.api.nvim_buf_line_count(vim.fn.bufnr('teamwright://transcript'))"
    grown = await editor.holds(lines, lambda count: count > 20)
    during = await typed(editor, "b" * 20)
    # It goes on streaming while letters are typed.
    await editor.holds(lines, lambda count: count > grown)
    during += await typed(editor, "b" * 20)

    print(f"before: {_summary(before)}; during: {_summary(during)}")
    assert statistics.median(during) < statistics.median(before) + NOT_NOTICED_SECONDS
    assert await editor.lua("return {vim.fn.bufname(), vim.fn.getline(1)}") == ["notes.txt", "a" * 40 + "b" * 40]
    end.release()
    # Long Markdown rests from being highlighted while it streams, and only then.
    highlighted = "vim.treesitter.highlighter.active[vim.fn.bufnr('teamwright://transcript')] ~= nil"
    await editor.holds(lines, lambda count: count > 1000)
    await editor.becomes(highlighted, True)


@pytest.mark.proves("E7")
async def test_a_reader_who_looks_back_stays_there_and_one_at_the_end_follows(nvim: Nvim, models: ModelServer) -> None:
    more, yet_more = models.gate("more"), models.gate("yet more")
    lines = [f"line {number}\n" for number in range(1, 101)]
    reply = text("".join(lines[:60]), "".join(lines[60:80]), "".join(lines[80:]))
    models.model("alpha").replies(reply.waits_for(more, at=1).waits_for(yet_more, at=2))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright ask Count.")
    await editor.shows("line 60")
    more.release()
    await editor.shows("line 80")
    await editor.command("wincmd l | normal! gg")
    await editor.shows("Count.")
    yet_more.release()
    last = "table.concat(vim.fn.getbufline('teamwright://transcript', '$'))"
    await editor.holds(last, lambda line: "100" in line or line == "")
    assert "Count." in editor.screen.text
    await editor.keys("G")
    await editor.shows("line 100")


def _summary(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return f"median {statistics.median(ordered) * 1000:.1f} ms, worst {ordered[-1] * 1000:.1f} ms"
