"""The team where no file names one: chosen from what was found on the machine, with the reason. Pure."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from teamwright.config.backend_settings import BackendSettings
from teamwright.config.presets import PRESETS
from teamwright.config.rules import OFFLINE_ANALYSERS
from teamwright.config.settings import AgentSettings
from teamwright.protocol.ids import AgentId

LARGEST_TEAM: Final = 3
_MOST_NAMED: Final = 6


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A model server that answered on this machine."""

    type: str
    base_url: str
    model: str


@dataclass(frozen=True, slots=True)
class Findings:
    variables: frozenset[str] = frozenset()
    """Names of the environment variables that are set and not empty."""
    programs: frozenset[str] = frozenset()
    """Names of the known programs that are on the PATH."""
    servers: tuple[ModelServer, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscoveredTeam:
    agents: tuple[AgentSettings, ...]
    reason: str


_OFFLINE_REASON: Final = (
    "no key, no program and no model server was found: the offline team answers "
    "(rule-based analysers, no language model)"
)


def choose_team(findings: Findings) -> DiscoveredTeam:
    """Up to three agents, each of another maker; with nothing found, the offline team."""
    chosen: dict[str, tuple[AgentSettings, str]] = {}
    for maker, agent, reason in _candidates(findings):
        if len(chosen) < LARGEST_TEAM:
            chosen.setdefault(maker, (agent, reason))
    if not chosen:
        return DiscoveredTeam(tuple(_agent(name, "offline", model=name) for name in OFFLINE_ANALYSERS), _OFFLINE_REASON)
    agents, reasons = zip(*chosen.values(), strict=True)
    return DiscoveredTeam(agents, "found on this machine: " + ", ".join(reasons))


def looked_for(findings: Findings) -> tuple[str, ...]:
    """What was found and what was not, a line each."""
    keys = {preset.key_variables[0]: preset.key_variables for preset in PRESETS.values() if preset.key_variables}
    set_keys = {first for first, names in keys.items() if findings.variables.intersection(names)}
    programs = {preset.program: None for preset in PRESETS.values() if preset.program}
    servers = {name: None for name, preset in PRESETS.items() if preset.maker == "local"}
    return (
        _line("keys", keys, set_keys),
        _line("programs", programs, findings.programs),
        _line("model servers on this machine", servers, {server.type for server in findings.servers}),
    )


def _line(what: str, known: Iterable[str], found: Collection[str]) -> str:
    there = [name for name in known if name in found]
    missing = [name for name in known if name not in found]
    more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
    return f"{what}: {', '.join(there) or 'none'}; not found: {', '.join(missing[:_MOST_NAMED])}{more}"


def _candidates(findings: Findings) -> Iterator[tuple[str, AgentSettings, str]]:
    """In the order of preference: keys, programs, servers; within each, the order of the presets."""
    # A preset without a default model is never guessed at: its variable may be set for another purpose.
    for name, preset in PRESETS.items():
        variable = next((each for each in preset.key_variables if each in findings.variables), None)
        if variable and preset.model:
            yield preset.maker, _agent(name, name, model=preset.model), f"{variable} for {name}"
    for name, preset in PRESETS.items():
        if preset.program in findings.programs:
            yield preset.maker, _agent(name, name), f"the program {preset.program} for {name}"
    for server in findings.servers:
        agent = _agent(server.type, server.type, model=server.model, base_url=server.base_url)
        yield server.type, agent, f"{server.type} at {server.base_url}"


def _agent(agent_id: str, backend_type: str, *, model: str | None = None, base_url: str | None = None) -> AgentSettings:
    backend = BackendSettings(type=backend_type, model=model, base_url=base_url)
    return AgentSettings(id=AgentId(agent_id), backend=backend)
