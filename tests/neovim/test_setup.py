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
    loaded = (
        "vim.tbl_filter(function(name) return vim.startswith(name, 'teamwright') end, vim.tbl_keys(package.loaded))"
    )
    assert await editor.lua(f"return {loaded}") == []


@pytest.mark.proves("E2")
async def test_the_default_keys_are_there_when_asked_for_and_wrong_options_are_named(nvim: Nvim) -> None:
    editor = await nvim()
    await editor.lua(
        "vim.g.mapleader = ' ' require('teamwright').setup({keymaps = true, decisions = 'maybe', kolour = 1})"
    )
    await editor.shows("""the option "decisions" cannot be "maybe"; there is no option "kolour".""")
    await editor.keys("<CR> qc")
    await editor.shows("<C-s> sends")


@pytest.mark.proves("E2", "E7")
async def test_a_folder_is_trusted_for_good(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(text("Hello."))
    config = team_config(models, "alpha")
    editor = await nvim(config=config, trusted="'remembered'")
    await editor.command("Teamwright ask Hello?")
    await editor.shows("untrusted", "Hello.")
    await editor.command("Teamwright trust")
    await editor.shows("is trusted")
    await editor.hides("untrusted")
    await editor.command("Teamwright status")
    screen = await editor.shows("alpha · ", "decisions waiting")
    assert "(untrusted)" not in screen
    await editor.quit()

    editor = await nvim(config=config, trusted="'remembered'")
    assert await editor.lua("return require('teamwright.workspace').is_trusted()") is True


def _program(folder: Path, name: str, *lines: str) -> Path:
    """A shell script of that name, alone in its folder."""
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


@pytest.mark.proves("E2")
async def test_the_server_is_installed_from_the_plugins_own_checkout_and_never_by_its_name(
    nvim: Nvim, tmp_path: Path
) -> None:
    """By a `uv` that only says what it was asked for: the real one is tried by the slow test."""
    asked = tmp_path / "asked"
    uv = _program(tmp_path / "programs", "uv", f'echo "$@" >> {asked}', 'case "$*" in *--no-deps*) exit 3 ;; esac')
    editor = await nvim(cmd="nil")
    await editor.lua("vim.env.PATH = ... .. ':' .. vim.env.PATH", str(uv.parent))
    await editor.command("Teamwright install")
    await editor.shows("the installation failed (code 3)")
    made, needed, server = (line.split() for line in asked.read_text(encoding="utf-8").splitlines())
    assert (made[0], made[-1]) == ("venv", str(tmp_path / "xdg/data/nvim/teamwright/server"))
    assert needed[-2:] == ["-r", str(ROOT / "requirements.lock")]
    assert server[-4:] == ["--no-deps", "--reinstall-package", "teamwright", str(ROOT)]


@pytest.mark.parametrize("source", ["teamwright", "/"], ids=["a bare name", "some folder"])
async def test_nothing_else_is_installed_in_the_servers_place(nvim: Nvim, source: str) -> None:
    editor = await nvim(cmd="nil", install_from=f"'{source}'")
    await editor.command("Teamwright install")
    await editor.shows("neither a wheel nor a checkout")


@pytest.mark.proves("E2")
async def test_a_strangers_program_of_the_same_name_is_not_started_and_said_to_be_one(
    nvim: Nvim, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    stranger = _program(
        tmp_path / "p", "teamwright", f'[ "$1" = --version ] || touch {started}', "echo teamwright 4.2.0"
    )
    editor = await nvim(cmd="nil")
    await editor.lua("vim.env.PATH = ...", str(stranger.parent))
    await editor.command("Teamwright ask Hello?")
    await editor.shows("is not Teamwright but another", "`:Teamwright install` sets up")
    await editor.command("checkhealth teamwright")
    await editor.shows("ERROR `", "is not Teamwright", "which would take it from")
    assert not started.exists()


@pytest.mark.slow
@pytest.mark.proves("E2", "F4")
async def test_an_installed_server_answers(nvim: Nvim, tmp_path: Path) -> None:
    editor = await nvim(cmd="nil")
    alone = tmp_path / "programs"
    alone.mkdir()
    (alone / "uv").symlink_to(ROOT / ".venv/bin/uv")
    await editor.lua("vim.env.PATH = ... .. ':/usr/bin:/bin'", str(alone))
    await editor.command("Teamwright install")
    await editor.shows("is installed; `:Teamwright chat` starts it", within=300)
    await editor.command("Teamwright ask What can you do?")
    await editor.shows("▎Assistant", within=60)
    await editor.command("checkhealth teamwright")
    await editor.shows("OK installed: Teamwright", f"from {ROOT}", "OK it is Teamwright")
