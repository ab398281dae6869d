"""A real `teamwright serve` with scripted models, for the benchmarks of runs; what it uses is read from the system."""

import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.bench.process_figures import cpu_seconds, megabytes
from tests.support.doors import Addressed, team_config
from tests.support.lsp_client import Json, LspClient


class Stage:
    def __init__(self, client: LspClient) -> None:
        self.client = client

    async def run(self, **params: Any) -> tuple[Json, Json]:
        """The records of a run's start and end."""
        overrides = {"override": "off", **params.pop("coordinationOverrides", {})}
        launched = await self.client.command(
            "teamwright.launch_run", task="Say it.", approval="given", coordinationOverrides=overrides, **params
        )
        finished = await self.client.event("run.finished", lambda r: r["runId"] == launched["runId"])
        started = await self.client.event("run.started", lambda r: r["runId"] == launched["runId"])
        assert finished["event"]["outcome"] == "completed", finished["event"]
        return started, finished

    def cpu_seconds(self) -> float:
        """Of the server's process and its threads, so far."""
        return cpu_seconds(self.client.pid)

    def peak_megabytes(self) -> float:
        return megabytes(self.client.pid, "VmHWM")


@asynccontextmanager
async def on_stage(
    models: Addressed, names: Sequence[str], *, files: int = 0, extra: str = "", **options: Any
) -> AsyncGenerator[Stage]:
    """`files`: how many the workspace has, a hundred a folder. `extra` goes into the configuration."""
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        (home / "workspace").mkdir()
        for number in range(files):
            path = home / "workspace" / f"part{number // 100}" / f"module{number % 100}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"VALUE = {number}\n", encoding="utf-8")
        (home / "config.yaml").write_text(team_config(models, *names, extra=extra), encoding="utf-8")
        env = {
            "TEAMWRIGHT_STATE_DIR": str(home / "state"),
            "TEAMWRIGHT_CONFIG": str(home / "none.yaml"),
            "SCRIPTED_KEY": "sk-scripted",
        }
        client = await LspClient.spawn(env=env, cwd=str(home / "workspace"))
        config_path = str(home / "config.yaml")
        await client.initialize((home / "workspace").as_uri(), configPath=config_path, trusted=True, **options)
        try:
            yield Stage(client)
        finally:
            await client.kill()
