"""How it is set up: options, keys, trust, and the server's installation."""

import stat
from pathlib import Path

import pytest

from tests.support.doors import team_config
from tests.support.model_server import ModelServer, text
from tests.support.neovim.door import Nvim
from tests.support.neovim.editor import PLUGIN

pytestmark = pytest.mark.asyncio

ROOT = PLUGIN.parents[1]


async def test_nothing_is_loaded_before_it_is_used(nvim: Nvim) -> None:
    editor = await nvim()
    loaded = "vim.tbl_filter(function(name) return vim.startswith(name, 'quorate') end, vim.tbl_keys(package.loaded))"
    assert await editor.lua(f"return {loaded}") == []


@pytest.mark.proves("E2")
async def test_the_default_keys_are_there_when_asked_for_and_wrong_options_are_named(nvim: Nvim) -> None:
    editor = await nvim()
    await editor.lua(
        "vim.g.mapleader = ' ' require('quorate').setup({keymaps = true, decisions = 'maybe', kolour = 1})"
    )
    await editor.shows("""the option "decisions" cannot be "maybe"; there is no option "kolour".""")
    await editor.keys("<CR> qc")
    await editor.shows("<C-s> sends")


@pytest.mark.proves("E2", "E7")
async def test_a_folder_is_trusted_for_good(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(text("Hello."))
    config = team_config(models, "alpha")
    editor = await nvim(config=config, trusted="'remembered'")
    await editor.command("Quorate ask Hello?")
    await editor.shows("untrusted", "Hello.")
    await editor.command("Quorate trust")
    await editor.shows("is trusted")
    await editor.hides("untrusted")
    await editor.command("Quorate status")
    screen = await editor.shows("alpha · ", "decisions waiting")
    assert "(untrusted)" not in screen
    await editor.quit()

    editor = await nvim(config=config, trusted="'remembered'")
    assert await editor.lua("return require('quorate.workspace').is_trusted()") is True


@pytest.mark.proves("E2")
async def test_the_server_is_installed_in_the_background(nvim: Nvim, tmp_path: Path) -> None:
    """By a `uv` that only says what it was asked for: the real one is tried by the slow test."""
    programs = tmp_path / "programs"
    programs.mkdir()
    uv = programs / "uv"
    uv.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n[ "$1" = venv ] || exit 3\n', encoding="utf-8")
    uv.chmod(uv.stat().st_mode | stat.S_IXUSR)
    editor = await nvim(cmd="nil")
    await editor.lua("vim.env.PATH = ... .. ':' .. vim.env.PATH", str(programs))
    await editor.command("Quorate install")
    await editor.shows("the installation failed (code 3)")
    asked = (tmp_path / "asked").read_text(encoding="utf-8").splitlines()
    assert [line.split()[0] for line in asked] == ["venv", "pip"]
    assert asked[1].endswith(" quorate")


@pytest.mark.slow
@pytest.mark.proves("E2", "F4")
async def test_an_installed_server_answers(nvim: Nvim, tmp_path: Path) -> None:
    editor = await nvim(cmd="nil", package=f"'{ROOT}'")
    alone = tmp_path / "programs"
    alone.mkdir()
    (alone / "uv").symlink_to(ROOT / ".venv/bin/uv")
    await editor.lua("vim.env.PATH = ... .. ':/usr/bin:/bin'", str(alone))
    await editor.command("Quorate install")
    await editor.shows("the server is installed", within=300)
    await editor.command("Quorate ask What can you do?")
    await editor.shows("▎Assistant", within=60)
