"""What the help says is what there is."""

import re
from pathlib import Path

import pytest

from tests.support.neovim.door import Nvim
from tests.support.neovim.editor import PLUGIN

pytestmark = pytest.mark.asyncio

HELP = (PLUGIN / "doc/teamwright.txt").read_text(encoding="utf-8")


@pytest.mark.proves("E2")
async def test_the_help_knows_every_command_option_key_group_and_event_and_no_other(nvim: Nvim) -> None:
    editor = await nvim()
    commands = await editor.lua("return vim.tbl_keys(require('teamwright.commands').all())")
    assert set(re.findall(r"\*:Teamwright-(\w+)\*", HELP)) == set(commands)
    options = await editor.lua("return vim.tbl_keys(require('teamwright.config').defaults)")
    optional = {"cmd", "config_path", "state_dir", "install_from"}
    section = HELP.split("*teamwright-options*")[1].split("======")[0]
    assert set(re.findall(r"^`(\w+)`", section, flags=re.MULTILINE)) == {*options, *optional}
    groups = await editor.lua("return vim.tbl_keys(require('teamwright.ui.highlight').GROUPS)")
    events = re.findall(r'"(Teamwright\w+)"', (PLUGIN / "lua/teamwright/events.lua").read_text(encoding="utf-8"))
    assert set(re.findall(r"\bTeamwright[A-Z]\w+", HELP)) == {*groups, *events}
    plugs = await editor.lua("return vim.tbl_map(function(map) return map.lhs end, vim.api.nvim_get_keymap('n'))")
    assert set(re.findall(r"<Plug>\(teamwright-\w+\)", HELP)) == {each for each in plugs if "teamwright" in each}


async def test_the_help_is_found_by_its_tags(nvim: Nvim, tmp_path: Path) -> None:
    editor = await nvim()
    tags = tmp_path / "tags"
    await editor.lua(
        "local copy = ... vim.fn.mkdir(copy .. '/doc', 'p')"
        "vim.fn.writefile(vim.fn.readfile(vim.api.nvim_get_runtime_file('doc/teamwright.txt', false)[1]),"
        " copy .. '/doc/teamwright.txt') vim.cmd.helptags(copy .. '/doc') vim.opt.runtimepath:prepend(copy)",
        str(tags),
    )
    await editor.command("help :Teamwright-review")
    await editor.shows("Review the lines, or the file.")
    shown = set(re.findall(r"\|([:\w.()-]+)\|", HELP))
    missing = [tag for tag in shown if not await editor.lua("return #vim.fn.getcompletion(..., 'help')", tag)]
    assert missing == []


@pytest.mark.proves("E2")
async def test_subcommands_and_their_arguments_complete(nvim: Nvim) -> None:
    editor = await nvim()

    async def completes(line: str) -> list[str]:
        return await editor.lua("return vim.fn.getcompletion(..., 'cmdline')", line)

    assert await completes("Teamwright re") == ["respond", "review"]
    assert await completes("Teamwright modes aut") == ["autonomy"]
    assert await completes("Teamwright modes team ") == ["auto", "always", "never"]
    assert await completes("'<,'>Teamwright exp") == ["explain"]


@pytest.mark.proves("E2", "F3")
async def test_a_health_check_names_the_server_the_folder_and_the_team(nvim: Nvim) -> None:
    editor = await nvim()
    await editor.command("checkhealth teamwright")
    await editor.shows("OK command:", "workspace:", "OK server", "OK it is trusted")
