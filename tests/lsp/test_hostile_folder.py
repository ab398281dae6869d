"""A folder whose files have the names of what the server imports and starts: none of them is ever run."""

import asyncio
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.calculator import OWN_TESTS, asked_about, launch_writing
from tests.support.doors import team_config
from tests.support.lsp_client import STREAM_LIMIT, LspClient
from tests.support.model_server import ModelServer, calls, text, tool
from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs import play, says
from tests.support.programs.installation import Programs

# All that a server loads on its way to its first answer, and its offline team.
_LOADED = """
import sys
import teamwright.application, teamwright.cli.dispatch, teamwright.lsp.serve, teamwright.models.offline
import teamwright.runtime.services, mcp.client.stdio, ruff, bandit, lizard, pydoc, argparse, runpy
print("\\n".join({name.partition(".")[0] for name in sys.modules}))
"""
# Programs that are looked for on the PATH, which many a shell's profile extends by where one stands.
STARTED = ("git", "bwrap", "claude", "codex", "gemini", "python3", "sh", "env", "node", "npx", "post")
STANDING = os.pathsep.join((".", "node_modules/.bin", ""))


@pytest.fixture(scope="module")
def names() -> frozenset[str]:
    loaded = subprocess.run(
        [sys.executable, "-P", "-c", _LOADED], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True
    )
    return frozenset(name for name in loaded.stdout.split() if name.isidentifier() and not name.startswith("__"))


@pytest.fixture
def hostile(tmp_path: Path, names: frozenset[str]) -> Path:
    folder = tmp_path / "hostile"
    folder.mkdir()
    trap = f"open({str(tmp_path / 'it ran')!r}, 'w').close()\n"
    for name in {*names, "sitecustomize", "usercustomize"}:
        (folder / f"{name}.py").write_text(trap, encoding="utf-8")
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(trap, encoding="utf-8")
    subprocess.run(["git", "init", "-q", folder], check=True, timeout=PATIENCE_SECONDS)
    (folder / "trap.pth").write_text(f"import os; {trap}", encoding="utf-8")
    for home in (folder, folder / "node_modules" / ".bin"):
        home.mkdir(parents=True, exist_ok=True)
        for name in STARTED:
            program = home / f"{name}"
            program.write_text(f"#!/bin/sh\n: > '{tmp_path / 'it ran'}'\n", encoding="utf-8")
            program.chmod(0o755)
    return folder


def started(argv: list[str], folder: Path) -> None:
    subprocess.run(argv, cwd=folder, input=b"", capture_output=True, timeout=PATIENCE_SECONDS, check=False)


def test_the_program_imports_nothing_from_the_folder_that_it_is_started_in(hostile: Path, tmp_path: Path) -> None:
    program = str(Path(sysconfig.get_path("scripts")) / "teamwright")
    for argv in ([program], [sys.executable, "-P", "-m", "teamwright"]):
        for command in (["--version"], ["serve"], ["check"], ["sessions", "list"]):
            started([*argv, *command], hostile)
            assert not (tmp_path / "it ran").exists(), (argv, command)


def test_the_trap_works(hostile: Path, tmp_path: Path) -> None:
    started([sys.executable, "-m", "teamwright", "--version"], hostile)
    assert (tmp_path / "it ran").exists(), "else the other test proves nothing"


async def opened(folder: Path, tmp_path: Path, config: str, path: str) -> LspClient:
    """As an editor starts it, in a folder that is the worst place to be started in."""
    (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
    own = {
        "TEAMWRIGHT_STATE_DIR": str(tmp_path / "state"),
        "TEAMWRIGHT_CONFIG": str(tmp_path / "config.yaml"),
        "SCRIPTED_KEY": "sk-scripted",
        "PATH": f"{STANDING}{os.pathsep}{path}",
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "teamwright", "serve"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | own,
        cwd=folder,
        limit=STREAM_LIMIT,
    )
    client = LspClient(process)
    await client.initialize(folder.as_uri(), trusted=True)
    return client


async def answered(client: LspClient, **spec: Any) -> str:
    """How a run of one agent ended."""
    run = await client.command("teamwright.launch_run", agentMode="single", refinement=False, approval="given", **spec)
    return (await client.event("run.finished", lambda r: r["runId"] == run["runId"]))["event"]["outcome"]


@pytest.mark.asyncio
async def test_nothing_that_the_server_starts_comes_from_the_folder(
    hostile: Path, tmp_path: Path, models: ModelServer, programs: Programs
) -> None:
    """Its searches, git, MCP servers, programs as agents, the offline team's analysers, commands and checks."""
    (tmp_path / "post").mkdir()
    (tmp_path / "post" / "said.json").write_text('{"description": "Send.", "annotations": {}}', encoding="utf-8")
    arguments = json.dumps([str(Path(__file__).with_name("asking_mcp_server.py")), str(tmp_path / "post")])
    agents = (
        "  - {id: claude, backend: {type: claude_code}}\n"
        "  - {id: lint, backend: {type: offline, model: lint}}\n"
        "  - {id: security, backend: {type: offline, model: security}}\n"
    )
    servers = f"mcp_servers: {{post: {{command: {json.dumps(sys.executable)}, args: {arguments}}}}}\n"
    config = team_config(models, "alpha", extra=f"{agents}{servers}{OWN_TESTS}")
    (hostile / "app.py").write_text("import os\n", encoding="utf-8")
    look = [tool("search_files", pattern="import"), tool("git_log"), tool("post__send", to="ann")]
    command = tool("run_command", argv=["python3", "-c", "1"])
    models.model("alpha").replies(calls(*look), text("Looked."), calls(command), text("Ran."))
    programs.install("claude").replies(play(says("Done.")))
    client = await opened(hostile, tmp_path, config, os.environ["PATH"])

    await client.command("teamwright.chat", text="Look.")
    asked = (await client.event("decision.requested"))["event"]["decision"]
    await client.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    await client.event("turn.finished")
    outcomes = [
        await answered(client, task="Say it.", agents=["claude"]),
        await answered(client, task="Review app.py.", agents=["lint"]),
        await answered(client, task="Review app.py.", agents=["security"]),
    ]
    run = await launch_writing(client, approval=None, agents=["alpha"], agentMode="single", refinement=False)
    card = await asked_about(client, "run", run["runId"])
    granted = {"allowCommands": True}
    await client.command("teamwright.approve", decisionId=card["decisionId"], choice="approve", edits=granted)
    await client.event("run.finished", lambda r: r["runId"] == run["runId"])
    await client.kill()

    assert outcomes == ["completed"] * 3
    assert (tmp_path / "post" / "calls.txt").read_text(encoding="utf-8") == "ann\n"
    assert any("exit code 0" in result.text for result in models.requests[-1].tool_results), "the command ran"
    assert not (tmp_path / "it ran").exists()
