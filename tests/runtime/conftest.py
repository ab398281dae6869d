"""The fixture for runs in this process: a crew in a house of its own, whose log is audited at the end."""

import threading
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import AsyncExitStack
from importlib import import_module
from pathlib import Path
from typing import Protocol

import pytest
import pytest_asyncio

from teamwright.protocol.ids import AgentId
from teamwright.runtime.runs.files import RunFiles
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore
from tests.runtime.audit import audit
from tests.runtime.crew import Crew
from tests.runtime.lines import TEAM
from tests.runtime.watched_journal import SESSION, WatchedJournal
from tests.store.facts import created
from tests.support.doors import team_config
from tests.support.model_server import ModelServer
from tests.support.patience import PATIENCE_SECONDS


class Hire(Protocol):
    """Three agents, unless others are named; `extra` is added to their configuration, `config` is all of it."""

    async def __call__(self, *names: str, extra: str = "", config: str | None = None) -> Crew: ...


@pytest.fixture(scope="session", autouse=True)
def loaded_sdk() -> None:
    """What is timed starts with everything imported: an SDK takes seconds."""
    for module in (
        "teamwright.models.http.chat",
        "teamwright.models.http.openai_client",
        "genai_prices",
        "jsonschema",
    ):
        import_module(module)


@pytest_asyncio.fixture
async def hire(
    tmp_path: Path, workspace: Path, models: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Hire]:
    monkeypatch.setenv("TEAMWRIGHT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("TEAMWRIGHT_CONFIG", str(tmp_path / "no-user-config.yaml"))
    monkeypatch.setenv("SCRIPTED_KEY", "sk-scripted")
    hired: list[Crew] = []
    async with AsyncExitStack() as stack:

        async def new(*names: str, extra: str = "", config: str | None = None) -> Crew:
            path = tmp_path / "config.yaml"
            path.write_text(config or team_config(models, *(names or TEAM), extra=extra), encoding="utf-8")
            crew = await stack.enter_async_context(Crew(models, workspace, path, tmp_path / "state"))
            hired.append(crew)
            return crew

        yield new
    for crew in hired:
        audit(crew.events)


@pytest.fixture
def setting_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Runs are being set up until this is set."""
    goes_on, opened = threading.Event(), RunFiles.open

    def held(files: RunFiles, agents: Sequence[AgentId]) -> None:
        goes_on.wait(PATIENCE_SECONDS)
        opened(files, agents)

    monkeypatch.setattr(RunFiles, "open", held)
    yield goes_on
    goes_on.set()


@pytest_asyncio.fixture
async def watched(tmp_path: Path) -> AsyncGenerator[WatchedJournal]:
    store = await SqliteStore.open(tmp_path, Owner.this_process("a test"))
    await store.append(SESSION, [created(SESSION)])
    yield WatchedJournal(store)
    await store.close()
