"""Opening sessions of ten to ten thousand messages through the real server: how long it takes, and what it weighs.

Time and memory should grow with the messages and no faster; the baseline is the session of a thousand.
"""

import asyncio
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

from teamwright.protocol.ids import SessionId
from teamwright.store.directories import workspace_directory
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore
from tests.bench.process_figures import megabytes
from tests.store.facts import created, whole_turn
from tests.support.doors import team_config
from tests.support.lsp_client import LspClient
from tests.support.model_server import ModelServer

MESSAGES: Final = (10, 100, 1_000, 10_000)
# Small sessions are opened in numbers, so that they can be weighed at all.
COPIES: Final = {10: 200, 100: 50, 1_000: 10, 10_000: 2}
BASELINE: Final = 1_000
# Against the baseline per message: twice is noise, ten times would be a square.
MOST_GROWTH: Final = 3.0
ANSWER: Final = "A limiter keeps a bucket for each caller and takes a token for each request. " * 5


async def fill(state: Path, workspace: Path) -> None:
    store = await SqliteStore.open(workspace_directory(state, [workspace]), Owner.this_process("bench"))
    for messages in MESSAGES:
        for copy in range(COPIES[messages]):
            session_id = SessionId(f"ses_{messages}_{copy}")
            await store.append(session_id, [created(session_id)])
            for turn in range(messages // 2):
                await store.append(session_id, whole_turn(f"turn_{session_id}_{turn}", "Why?", ANSWER, session_id))
            await store.release(session_id)
    await store.close()


async def opened(client: LspClient, messages: int) -> tuple[float, float]:
    """Milliseconds and kilobytes for one session."""
    before, begun = megabytes(client.pid), perf_counter()
    for copy in range(COPIES[messages]):
        await client.command("teamwright.session.open", sessionId=f"ses_{messages}_{copy}")
    took = (perf_counter() - begun) / COPIES[messages]
    return took * 1_000, (megabytes(client.pid) - before) * 1_024 / COPIES[messages]


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
            return {messages: await opened(client, messages) for messages in MESSAGES}
        finally:
            await client.kill()


def main() -> bool:
    figures = asyncio.run(measure())
    milliseconds, kilobytes = figures[BASELINE]
    held = True
    for messages, (took, weight) in figures.items():
        share = messages / BASELINE
        slower, heavier = took / (milliseconds * share), weight / (kilobytes * share)
        print(
            f"a session of {messages:,} messages: opened in {took:.1f} ms, {weight:.0f} KB; "
            f"per message {slower:.2f} times the time and {heavier:.2f} times the memory at {BASELINE:,}"
        )
        if messages > BASELINE:
            held = held and slower <= MOST_GROWTH and heavier <= MOST_GROWTH
    return held


if __name__ == "__main__":
    main()
