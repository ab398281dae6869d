"""The configured team: settings in force for a workspace, and the models behind them."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

from anyio import to_thread

from quorate.config.backends import OfflineBackend, resolve_backend
from quorate.config.load import load
from quorate.config.settings import Settings
from quorate.config.sources import find_sources
from quorate.config.surroundings import Surroundings
from quorate.models.errors import ModelError
from quorate.models.factory import Models
from quorate.models.port import Model
from quorate.protocol.errors import BadParams, FieldError


@dataclass(frozen=True, slots=True)
class Premises:
    """Where the server works, and what its client said of it."""

    workspace: Path
    config_path: Path | None = None
    trusted: bool = False


class Team:
    """Configuration is read when it is first needed, beside the event loop."""

    def __init__(self, premises: Callable[[], Premises]) -> None:
        self._premises = premises
        self._models = Models(os.environ, open_offline=_no_offline_model)
        self._settings: Settings | None = None

    async def __aenter__(self) -> Self:
        await self._models.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._models.__aexit__(kind, error, trace)

    async def assistant(self) -> Model:
        settings = await self.settings()
        backend = settings.orchestrator.interactive_mode.backend or settings.agents[0].backend
        return self._models.open(resolve_backend(backend, os.environ))

    async def settings(self) -> Settings:
        if self._settings is None:
            self._settings = await to_thread.run_sync(_load, self._premises())
        return self._settings


def _load(premises: Premises) -> Settings:
    surroundings = Surroundings()
    sources = find_sources(
        explicit=premises.config_path,
        workspace=premises.workspace,
        trusted=premises.trusted,
        environ=surroundings.environ,
    )
    effective = load(sources.found, workspace=premises.workspace, findings=surroundings.findings())
    faults = (*sources.faults, *effective.faults)
    if effective.settings is None or faults:
        raise BadParams([FieldError(path="", message=str(fault)) for fault in faults])
    return effective.settings


def _no_offline_model(_backend: OfflineBackend) -> NoReturn:
    raise ModelError(
        "program_missing",
        "No language model is set up: set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model server in "
        "quorate.yaml; `quorate check` shows what was found.",
    )
