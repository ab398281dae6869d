"""Files that make other programs act are written by no policy: a person looks at them first."""

from pathlib import Path

import pytest

from tests.lsp.changing import by_name
from tests.support.doors import Serve, team_config
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio

AUTO = "orchestrator: {interactive_mode: {require_approval: false, apply_changes: auto, override: 'off'}}\n"
NEVER_ASK = "orchestrator: {interactive_mode: {require_approval: false, override: 'off'}}\n"
STEERING = (
    "package.json", "sub/Package.JSON", "Cargo.toml", "build.rs", "mise.toml", ".cargo/config.toml", "setup.py",
    "pyproject.toml", "conftest.py", "GNUmakefile", "CMakeLists.txt", "app/build.gradle.kts", "pom.xml", "Gemfile",
    "tox.ini", "noxfile.py", "Dockerfile.dev", "docker-compose.override.yml", ".github/dependabot.yml",
    "sitecustomize.py", "lib/evil.pth", "BUILD", "vite.config.mts", "hooks/post-merge", ".eslintrc.cjs", ".bashrc",
)  # fmt: skip


def files_in(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("by", ["setting", "autonomy"])
async def test_a_policy_leaves_files_that_steer_other_tools_proposed(
    serve: Serve, models: ModelServer, workspace: Path, by: str
) -> None:
    writes = [tool("write_file", path=path, content="hostile\n") for path in (*STEERING, "src/app.py")]
    models.model("alpha").replies(calls(*writes), text("Done."))
    config = team_config(models, "alpha", extra=AUTO if by == "setting" else NEVER_ASK)
    client = await serve(config=config, trusted=True)
    run = await client.command(
        "teamwright.launch_run",
        task="Change it.",
        agentMode="single",
        refinement=False,
        contextPaths=[{"path": ".", "permission": "write"}],
        approval="given",
        modes={"autonomy": "autonomous" if by == "autonomy" else "hitl"},
    )
    finished = (await client.event("run.finished"))["event"]

    assert (files_in(workspace), finished["written"]) == (["src/app.py"], ["src/app.py"])
    proposed = next(r["event"]["changes"] for r in client.events if r["event"]["type"] == "changes.proposed")
    assert {change["uri"] for change in proposed if "asks" not in change} == {(workspace / "src/app.py").as_uri()}
    settled = next(r["event"]["settled"] for r in client.events if r["event"]["type"] == "changes.settled")
    assert by_name(settled) == {"app.py": {"outcome": "applied"}}
    assert "a person looks at such files first" in finished["footer"]

    # A person may have what a policy may not.
    chosen = [{"uri": (workspace / "package.json").as_uri()}]
    await client.command("teamwright.changes.apply", runId=run["runId"], files=chosen)
    assert (workspace / "package.json").read_text(encoding="utf-8") == "hostile\n"


NEVER = (".git/hooks/x", ".GIT/config", "AGENTS.md", ".claude/settings.json", ".vscode/tasks.json",
         ".github/hooks/x.json", ".github/agents/a.md", ".hg/hgrc", "GIT~1/config", ".git./config", ".envrc",
         ".mcp.json")  # fmt: skip


async def test_what_is_never_written_is_not_even_proposed(serve: Serve, models: ModelServer, workspace: Path) -> None:
    writes = [tool("write_file", path=path, content="hostile\n") for path in NEVER]
    models.model("alpha").replies(calls(*writes), text("Done."))
    client = await serve(config=team_config(models, "alpha", extra=AUTO), trusted=True)
    await client.command(
        "teamwright.launch_run",
        task="Change it.",
        agentMode="single",
        refinement=False,
        contextPaths=[{"path": ".", "permission": "write"}],
        approval="given",
    )
    await client.event("run.finished")

    calls_made = [
        r["event"]["item"]
        for r in client.events
        if r["event"]["type"] == "item.finished" and r["event"]["item"]["kind"] == "tool_call"
    ]
    assert {call["arguments"]["path"]: call["status"] for call in calls_made} == dict.fromkeys(NEVER, "failed")
    assert files_in(workspace) == []
