"""Who would answer: each agent with its model and what it still lacks on this machine."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from teamwright.cli.history.tables import aligned
from teamwright.config.backend_settings import BackendSettings
from teamwright.config.backends import ApiBackend, Backend, CliBackend, OfflineBackend, missing_parts, resolve_backend
from teamwright.config.settings import Settings
from teamwright.config.surroundings import Surroundings

KeyState: TypeAlias = Literal["set", "missing", "literal", "none"]


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    type: str
    model: str | None
    key: KeyState
    variables: tuple[str, ...]
    note: str
    ready: bool

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.name,
            "type": self.type,
            "model": self.model,
            "key": self.key,
            "variables": list(self.variables),
            "ready": self.ready,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class TeamReport:
    reason: str
    agents: tuple[Member, ...]
    assistant: Member | None
    """None where the assistant uses the first agent's model."""
    looked_for: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        assistant = self.assistant.to_json() if self.assistant else {"sameAs": self.agents[0].name}
        return {
            "reason": self.reason,
            "lookedFor": list(self.looked_for),
            "agents": [agent.to_json() for agent in self.agents],
            "assistant": assistant,
        }

    def lines(self) -> Iterator[str]:
        yield f"Team: {self.reason}"
        yield from aligned([_row(agent) for agent in self.agents])
        if self.assistant is None:
            yield f"Assistant: the same model as {self.agents[0].name}"
        else:
            yield "Assistant: a model of its own"
            yield from aligned([_row(self.assistant)])
        if self.looked_for:
            yield "Looked for:"
            yield from (f"  {line}" for line in self.looked_for)


def team_report(settings: Settings, reason: str, looked_for: tuple[str, ...], surroundings: Surroundings) -> TeamReport:
    agents = tuple(_member(agent.id, agent.backend, surroundings) for agent in settings.agents)
    backend = settings.orchestrator.interactive_mode.backend
    assistant = _member("assistant", backend, surroundings) if backend else None
    return TeamReport(reason, agents, assistant, looked_for)


def _row(member: Member) -> tuple[str, str, str, str]:
    return member.name, member.type, member.model or "default model", member.note


def _member(name: str, settings: BackendSettings, surroundings: Surroundings) -> Member:
    backend = resolve_backend(settings, surroundings.environ)
    lacking = tuple(missing_parts(backend, surroundings.environ, surroundings.find_program))
    key = _key_state(backend, surroundings)
    variables = backend.key.variables if isinstance(backend, ApiBackend) and backend.key else ()
    note = "; ".join(lacking) or _note_when_ready(backend, key, surroundings)
    return Member(name, settings.type, _model_of(backend), key, variables, note, ready=not lacking)


def _model_of(backend: Backend) -> str | None:
    return backend.analyser if isinstance(backend, OfflineBackend) else backend.model


def _key_state(backend: Backend, surroundings: Surroundings) -> KeyState:
    if not isinstance(backend, ApiBackend) or backend.key is None:
        return "none"
    if backend.key.is_literal:
        return "literal"
    if backend.key.resolve(surroundings.environ) is not None:
        return "set"
    return "missing" if backend.key_needed else "none"


def _note_when_ready(backend: Backend, key: KeyState, surroundings: Surroundings) -> str:
    match backend:
        case ApiBackend():
            if key == "set" and backend.key:
                names = [name for name in backend.key.variables if surroundings.environ.get(name)]
                return f"{names[0]} is set"
            return "key in the file" if key == "literal" else f"no key, {backend.base_url}"
        case CliBackend():
            return f"program {surroundings.find_program(backend.program)}"
        case OfflineBackend():
            return "rule-based, no language model: set a key for one"
