"""The `nvim` door: the plugin in a real Neovim, talking to the real server."""

import subprocess
import sys
from collections.abc import AsyncGenerator
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest
import pytest_asyncio

from tests.support.neovim.editor import PLUGIN, Neovim
from tests.support.patience import PATIENCE_SECONDS

_GET_NVIM = Path(__file__).resolve().parents[3] / "scripts/get-nvim.sh"
SERVER = [sys.executable, "-m", "teamwright", "serve"]
WIRE_TYPES = Path(__file__).with_name("wire_types.lua")
TYPES = PLUGIN / "lua/teamwright/protocol.gen.lua"
_PATIENCE = dict.fromkeys(("start_timeout_ms", "request_timeout_ms"), str(int(PATIENCE_SECONDS * 1000)))


class Nvim(Protocol):
    """Starts an editor on the test's workspace. `options` are the plugin's, as Lua literals."""

    async def __call__(self, *, config: str = "", opens: str = "", **options: str) -> Neovim: ...


@cache
def _binary(version: str) -> str:
    found = subprocess.run([_GET_NVIM, version], check=True, stdout=subprocess.PIPE, text=True, timeout=600)
    return found.stdout.strip()


@pytest.fixture(params=["0.11", pytest.param("0.12", marks=pytest.mark.slow)])
def nvim_version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest_asyncio.fixture
async def nvim(nvim_version: str, tmp_path: Path, workspace: Path) -> AsyncGenerator[Nvim]:
    editors: list[Neovim] = []
    faults = tmp_path / "wire-faults"
    env = {
        **{f"XDG_{each}_HOME": str(tmp_path / "xdg" / each.lower()) for each in ("CONFIG", "DATA", "STATE", "CACHE")},
        "TEAMWRIGHT_STATE_DIR": str(tmp_path / "state"),
        "TEAMWRIGHT_CONFIG": str(tmp_path / "no-user-config.yaml"),
        "SCRIPTED_KEY": "sk-scripted",
    }

    async def start(*, config: str = "", opens: str = "", **options: str) -> Neovim:
        options = {"cmd": _lua(SERVER), "trusted": "true", **_PATIENCE, **options}
        if config:
            config_path = tmp_path / "config.yaml"
            config_path.write_text(config, encoding="utf-8")
            options["config_path"] = _lua(str(config_path))
        init = tmp_path / "init.lua"
        given = ", ".join(f"{key} = {value}" for key, value in options.items())
        edit = f"callback = function() vim.cmd.edit({_lua(opens)}) end"
        then_opens = f"vim.api.nvim_create_autocmd('VimEnter', {{ {edit} }})\n" if opens else ""
        typed = f"dofile({_lua(str(WIRE_TYPES))})({_lua(str(TYPES))}, {_lua(str(faults))})\n"
        init.write_text(f"{typed}vim.g.teamwright = {{ {given} }}\n{then_opens}", encoding="utf-8")
        editor = await Neovim.start(_binary(nvim_version), init, cwd=workspace, env=env)
        editors.append(editor)
        return editor

    yield start
    for editor in editors:
        await editor.kill()
    said = faults.read_text(encoding="utf-8").splitlines() if faults.exists() else []
    assert said == [], "what the plugin reads and sends is of the generated types"


def _lua(value: str | list[str]) -> str:
    if isinstance(value, list):
        return "{" + ", ".join(_lua(each) for each in value) + "}"
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
