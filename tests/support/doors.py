"""The public doors of the product, as fixtures: `serve` is the real language server in a process of its own."""

import tempfile
from collections.abc import AsyncGenerator, Awaitable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
import pytest_asyncio

from tests.support.cradle import Cradle
from tests.support.lsp_client import LspClient


class Serve(Protocol):
    """Starts a server on the test's workspace, and greets it; see `LspClient.initialize` for what can be said."""

    async def __call__(
        self, *, config: str = "", env: Mapping[str, str] | None = None, **options: Any
    ) -> LspClient: ...


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    path = tmp_path / "workspace"
    path.mkdir()
    return path


@pytest_asyncio.fixture
async def serve(tmp_path: Path, workspace: Path) -> AsyncGenerator[Serve]:
    async with _serving(tmp_path, workspace, LspClient.spawn) as start:
        yield start


@pytest.fixture(scope="session")
def cradle() -> Iterator[Cradle]:
    # Not below pytest's own directories: the path of a socket must be short.
    with tempfile.TemporaryDirectory() as directory, Cradle(Path(directory, "cradle")) as cradle:
        yield cradle


@pytest_asyncio.fixture
async def serve_forked(tmp_path: Path, workspace: Path, cradle: Cradle) -> AsyncGenerator[Serve]:
    """As `serve`, for tests that start very many servers."""
    async with _serving(tmp_path, workspace, cradle.spawn) as start:
        yield start


class _Spawn(Protocol):
    def __call__(self, *, env: Mapping[str, str], cwd: str) -> Awaitable[LspClient]: ...


@asynccontextmanager
async def _serving(tmp_path: Path, workspace: Path, spawn: _Spawn) -> AsyncGenerator[Serve]:
    clients: list[LspClient] = []

    async def start(*, config: str = "", env: Mapping[str, str] | None = None, **options: Any) -> LspClient:
        config_path = tmp_path / "config.yaml"
        if config:
            config_path.write_text(config, encoding="utf-8")
            options["configPath"] = str(config_path)
        usual = {
            "TEAMWRIGHT_STATE_DIR": str(tmp_path / "state"),
            "TEAMWRIGHT_CONFIG": str(tmp_path / "no-user-config.yaml"),
            "SCRIPTED_KEY": "sk-scripted",
        }
        client = await spawn(env={**usual, **(env or {})}, cwd=str(workspace))
        clients.append(client)
        await client.initialize(workspace.as_uri(), **options)
        return client

    yield start
    for client in clients:
        await client.kill()
    assert [fault for client in clients for fault in client.misshapen] == []


class Addressed(Protocol):
    """Models to be asked at an address, in whichever process they are."""

    @property
    def openai_url(self) -> str: ...


def team_config(models: Addressed, *names: str, extra: str = "") -> str:
    """A team of scripted models: each agent has its model's name."""
    agents = "".join(
        f"  - id: {name}\n"
        f"    backend: {{type: chatcompletion, model: {name}, base_url: '{models.openai_url}', "
        "api_key: '${SCRIPTED_KEY}'}\n"
        for name in names
    )
    return f"agents:\n{agents}{extra}"
