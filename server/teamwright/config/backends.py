"""What a backend comes down to: which wire is spoken, to whom, with whose key. One closed union for the adapters."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from teamwright.config.backend_settings import BackendSettings
from teamwright.config.presets import PRESETS, ApiKind, Preset, provider_of
from teamwright.config.secrets import Secret
from teamwright.config.settings import Settings
from teamwright.protocol.ids import AgentId

ASSISTANT: Final = AgentId("assistant")
FindProgram: TypeAlias = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class ApiBackend:
    kind: ApiKind
    model: str
    base_url: str | None
    """None where it should come from an environment variable that is not set."""
    key: Secret | None
    key_needed: bool
    settings: BackendSettings


@dataclass(frozen=True, slots=True)
class CliBackend:
    program: str
    model: str | None
    settings: BackendSettings


@dataclass(frozen=True, slots=True)
class OfflineBackend:
    analyser: str | None


Backend: TypeAlias = ApiBackend | CliBackend | OfflineBackend


def resolve_backend(settings: BackendSettings, environ: Mapping[str, str]) -> Backend:
    preset = PRESETS[settings.type]
    model = settings.model or preset.model
    match preset.kind:
        case "offline":
            return OfflineBackend(analyser=model)
        case "cli":
            return CliBackend(settings.program or preset.program or settings.type, model, settings)
        case kind:
            if model is None:
                raise ValueError(f"{settings.type} needs a model; validated settings always name one")
            key, needed = key_of(settings)
            return ApiBackend(
                kind="openai_chat" if kind == "openai_responses" and settings.base_url else kind,
                model=model,
                base_url=settings.base_url or preset.base_url or _address_from_environment(preset, environ),
                key=key,
                key_needed=needed,
                settings=settings,
            )


def backends_of(settings: Settings, environ: Mapping[str, str]) -> tuple[tuple[AgentId, Backend], ...]:
    """Of everyone in the team, and of the assistant where it has a model of its own."""
    own = settings.orchestrator.interactive_mode.backend
    team = [(agent.id, agent.backend) for agent in settings.agents]
    everyone = [*team, (ASSISTANT, own)] if own else team
    return tuple((name, resolve_backend(backend, environ)) for name, backend in everyone)


def key_of(settings: BackendSettings) -> tuple[Secret | None, bool]:
    """The key, and whether the provider refuses to answer without it."""
    if settings.api_key is not None:
        return settings.api_key, True
    preset = PRESETS[settings.type]
    address = settings.base_url
    owner = preset if address is None else provider_of(address)
    variables = (owner or preset).key_variables
    return (Secret.of_variables(variables), owner is not None) if variables else (None, False)


def _address_from_environment(preset: Preset, environ: Mapping[str, str]) -> str | None:
    address = environ.get(preset.base_url_variable or "", "").rstrip("/")
    if not address:
        return None
    return address if urlsplit(address).path else f"{address}/openai/v1"


def missing_parts(backend: Backend, environ: Mapping[str, str], find_program: FindProgram) -> Iterator[str]:
    """What keeps a backend from working on this machine, each as a sentence."""
    match backend:
        case ApiBackend():
            if backend.key and backend.key_needed and backend.key.resolve(environ) is None:
                yield unset_variables(backend.key, environ)
            if backend.base_url is None:
                variable = PRESETS[backend.settings.type].base_url_variable
                yield f"{variable} is not set, set it or write base_url"
            for name, header in backend.settings.headers.items():
                if header.resolve(environ) is None:
                    yield f"the header {name} cannot be sent: {unset_variables(header, environ)}"
        case CliBackend():
            if find_program(backend.program) is None:
                yield f"the program {backend.program} is not on the PATH, install it"
        case OfflineBackend():
            pass


def unset_variables(secret: Secret, environ: Mapping[str, str]) -> str:
    unset = [name for name in secret.variables if not environ.get(name)]
    return f"{' or '.join(unset)} is not set, set this environment variable"
