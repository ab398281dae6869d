"""Opening a session of ten thousand events through the real server, of few long runs and of many short ones.

Each event concerns one run, so the time must grow with the events and not with the runs beside them; the baseline is
the session of ten runs.
"""

import asyncio
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

from teamwright.protocol.ids import ItemId, RunId, SessionId
from teamwright.protocol.items import AssistantMessage
from teamwright.protocol.records import EventRecord
from teamwright.protocol.usage import Usage
from teamwright.store.directories import workspace_directory
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore
from tests.bench.process_figures import megabytes
from tests.store.facts import agent_stopped, begun, created, finished, run_finished, run_started
from tests.support.doors import team_config
from tests.support.lsp_client import LspClient
from tests.support.model_server import ModelServer

EVENTS: Final = 10_000
RUNS: Final = (10, 100, 1_000)
BASELINE: Final = 10
REPEATS: Final = 3
# A session of many runs also has more of them to draw.
MOST_GROWTH: Final = 2.0
WORDS: Final = "The bucket is filled before it is looked at. " * 3


def whole_run(run_id: RunId, session_id: SessionId, events: int) -> list[EventRecord]:
    """An agent that says many things, and its run."""
    said: list[EventRecord] = []
    for number in range((events - 3) // 2):
        item = AssistantMessage(item_id=ItemId(f"item_{run_id}_{number}"), text=WORDS)
        said += begun(item, session_id, run_id=run_id), finished(item, session_id, run_id=run_id)
    stopped = agent_stopped(Usage(calls=1), run_id, session_id)
    return [run_started(run_id, session_id), *said, stopped, run_finished(run_id, session_id)]


async def fill(state: Path, workspace: Path) -> None:
    store = await SqliteStore.open(workspace_directory(state, [workspace]), Owner.this_process("bench"))
    for runs in RUNS:
        for repeat in range(REPEATS):
            session_id = SessionId(f"ses_{runs}_{repeat}")
            await store.append(session_id, [created(session_id)])
            for run in range(runs):
                run_id = RunId(f"run_{session_id}_{run}")
                await store.append(session_id, whole_run(run_id, session_id, EVENTS // runs))
            await store.release(session_id)
    await store.close()


async def opened(client: LspClient, runs: int) -> tuple[float, float]:
    """Milliseconds of the fastest, and kilobytes of one."""
    before, took = megabytes(client.pid), list[float]()
    for repeat in range(REPEATS):
        begun_at = perf_counter()
        await client.command("teamwright.session.open", sessionId=f"ses_{runs}_{repeat}")
        took.append(perf_counter() - begun_at)
    return min(took) * 1_000, (megabytes(client.pid) - before) * 1_024 / REPEATS


async def measure() -> dict[int, tuple[float, float]]:
    with tempfile.TemporaryDirectory() as directory, ModelServer() as models:
        home = Path(directory)
        workspace = home / "workspace"
        workspace.mkdir()
        (home / "config.yaml").write_text(team_config(models, "alpha"), encoding="utf-8")
        await fill(home / "state", workspace)
        env = {
            "TEAMWRIGHT_STATE_DIR": str(home / "state"),
            "TEAMWRIGHT_CONFIG": str(home / "none.yaml"),
            "SCRIPTED_KEY": "sk-scripted",
        }
        client = await LspClient.spawn(env=env, cwd=str(workspace))
        await client.initialize(workspace.as_uri(), configPath=str(home / "config.yaml"))
        await client.command("teamwright.session.list")
        try:
            return {runs: await opened(client, runs) for runs in RUNS}
        finally:
            await client.kill()


def main() -> bool:
    figures = asyncio.run(measure())
    milliseconds, _ = figures[BASELINE]
    held = True
    for runs, (took, weight) in figures.items():
        growth = took / milliseconds
        print(
            f"a session of {EVENTS:,} events in {runs:,} runs: opened in {took:.0f} ms ({growth:.2f}), {weight:.0f} KB"
        )
        held = held and growth <= MOST_GROWTH
    return held


if __name__ == "__main__":
    main()
