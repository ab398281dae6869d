"""The configured team: the settings in force, and the models behind them."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from teamwright.config.backend_settings import BackendSettings
from teamwright.config.backends import missing_parts, resolve_backend
from teamwright.config.load import load
from teamwright.config.problems import Problem
from teamwright.config.settings import AgentSettings, Settings
from teamwright.config.sources import find_sources, is_of_workspace, user_file
from teamwright.config.surroundings import Surroundings, find_program
from teamwright.models.factory import Models
from teamwright.models.port import Model
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.ids import AgentId
from teamwright.protocol.modes import Modes
from teamwright.runtime.client_context import ClientContext


class Team:
    def __init__(self, settings: Settings, models: Models) -> None:
        self.settings = settings
        self._models = models
        # Those of new sessions of this process.
        self.default_modes = Modes(autonomy=settings.orchestrator.interactive_mode.autonomy)

    def renewed(self, settings: Settings) -> "Team":
        """By other settings. What a person has switched stays switched, unless to an agent that is no longer there."""
        team = Team(settings, self._models)
        configured = dict(Team(self.settings, self._models).default_modes)
        switched = {name: value for name, value in self.default_modes if value != configured[name]}
        if self.default_modes.agent_id not in team.agent_ids:
            switched.pop("agent_id", None)
        team.default_modes = team.default_modes.model_copy(update=switched)
        return team

    @property
    def agent_ids(self) -> tuple[AgentId, ...]:
        return tuple(agent.id for agent in self.settings.agents)

    def check(self, modes: Modes, *, path: str = "agentId") -> None:
        """Raises BadParams where they name an agent that is not in the team; `path` is where in the params."""
        if modes.agent_id is not None and modes.agent_id not in self.agent_ids:
            message = f"there is no agent {modes.agent_id!r}; the team is {', '.join(self.agent_ids)}"
            raise BadParams([FieldError(path=path, message=message)])

    def agent(self, agent_id: AgentId) -> AgentSettings:
        return next(agent for agent in self.settings.agents if agent.id == agent_id)

    def assistant_model(self) -> Model:
        own = self.settings.orchestrator.interactive_mode.backend
        return self._open(own or self.settings.agents[0].backend)

    def model_of(self, agent_id: AgentId) -> Model:
        return self._open(self.agent(agent_id).backend)

    def lacking(self, agent_id: AgentId) -> Iterator[str]:
        """What keeps an agent from answering on this machine, each as a sentence."""
        backend = resolve_backend(self.agent(agent_id).backend, os.environ)
        return missing_parts(backend, os.environ, find_program)

    def _open(self, backend: BackendSettings) -> Model:
        return self._models.open(resolve_backend(backend, os.environ))


@dataclass(frozen=True, slots=True)
class Configured:
    settings: Settings
    # What the workspace asks for in vain, and why.
    warnings: tuple[Problem, ...]
    # The files that were believed without being narrowed.
    own_files: frozenset[Path] = frozenset()


def load_settings(client_context: ClientContext) -> Configured:
    """Reads files: call it in a worker thread. Raises BadParams with every fault at its place."""
    surroundings = Surroundings()
    sources = find_sources(
        explicit=client_context.config,
        folders=client_context.folders.paths,
        trusted=client_context.trusted,
        environ=surroundings.environ,
    )
    effective = load(sources.found, workspace=client_context.root, find=surroundings.findings)
    faults = (*sources.faults, *effective.faults)
    if effective.settings is None or faults:
        raise BadParams([FieldError(path="", message=str(fault)) for fault in faults])
    warnings = (*sources.warnings, *effective.warnings)
    folders = client_context.folders.paths
    return Configured(
        effective.settings,
        tuple(each for each in warnings if is_of_workspace(Path(each.place.file), folders)),
        frozenset(Path(source.file) for source in sources.found if source.role != "workspace"),
    )


def are_still_own(files: Iterable[Path], client_context: ClientContext) -> bool:
    """Whether no folder that is open now has a say in them. Looks at the disk."""
    typed = client_context.config.path if client_context.config is not None and client_context.config.is_typed else None
    folders = client_context.folders.paths
    usual = user_file(os.environ, folders)
    return all(file in {typed, usual} or not is_of_workspace(file, folders) for file in files)


def discovered_settings() -> Settings:
    """Where no file may be believed: the team of what this machine has. Looks for programs."""
    settings = load((), workspace=Path.cwd(), find=Surroundings().findings).settings
    return settings or Settings()
