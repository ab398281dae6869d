"""Which backends would answer now, asked all at once. What can be learned from a list of models is not asked of one."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, assert_never

import anyio

from teamwright.config.backends import ApiBackend, Backend, CliBackend, OfflineBackend
from teamwright.models.errors import ErrorKind, ModelError
from teamwright.models.factory import Models
from teamwright.models.port import Deadlines, ModelRequest, UserPrompt
from teamwright.models.targets import target_of
from teamwright.protocol.commands import Verdict

DEADLINE_SECONDS: Final = 10.0
# Who shows the list to everyone: it says nothing about the key.
_OPEN_LISTS: Final = frozenset({"huggingface", "openrouter", "poe"})
# Fewer are refused by some providers.
_FEWEST_TOKENS: Final = 16
# Keys may be allowed to use a model and not to list them, and some servers have no list.
_NO_LIST: Final[frozenset[ErrorKind]] = frozenset({"bad_request", "not_permitted", "unknown_model", "server_error"})


@dataclass(frozen=True, slots=True)
class Health:
    """`problem` is a sentence that says what to do; without one the backend can be used."""

    provider: str
    model: str
    verdict: Verdict
    reachable: bool | None = None
    model_known: bool | None = None
    """None where that could not be found out."""
    seconds: float | None = None
    version: str | None = None
    problem: str | None = None

    @property
    def ok(self) -> bool:
        return self.problem is None


def not_yet_known(backend: Backend) -> Health:
    return Health(*_names(backend), "unknown")


async def probe(models: Models, backends: Sequence[Backend], deadline: float = DEADLINE_SECONDS) -> list[Health]:
    """In the order of the backends. It takes as long as the slowest, and at most `deadline` seconds."""
    found: dict[int, Health] = {}

    async def one(place: int, backend: Backend) -> None:
        found[place] = await health_of(models, backend, deadline)

    async with anyio.create_task_group() as group:
        for place, backend in enumerate(backends):
            group.start_soon(one, place, backend)
    return [found[place] for place in range(len(backends))]


async def health_of(
    models: Models, backend: Backend, deadline: float = DEADLINE_SECONDS, *, may_spend: bool = True
) -> Health:
    """Without leave to spend no model is asked, and what a list does not tell stays unknown."""
    provider, model = _names(backend)
    if isinstance(backend, OfflineBackend):
        return Health(provider, model, "ok", reachable=True, model_known=True)
    began = anyio.current_time()
    version, answers = None, True
    try:
        with anyio.fail_after(deadline):
            match backend:
                case ApiBackend():
                    answers = await _would_answer(models, backend, deadline, may_spend=may_spend)
                case CliBackend():
                    version = await models.version(backend)
                case _:
                    assert_never(backend)
    except TimeoutError:
        problem = f"{provider} did not answer within {deadline:g} s: try again, or check the network."
        return Health(provider, model, "unreachable", reachable=False, problem=problem)
    except ModelError as error:
        return _unhealthy(provider, model, error)
    seconds = anyio.current_time() - began
    if not answers:
        return Health(provider, model, "unknown", reachable=True, seconds=seconds)
    return Health(provider, model, "ok", reachable=True, model_known=True, seconds=seconds, version=version)


def _unhealthy(provider: str, model: str, error: ModelError) -> Health:
    return Health(
        provider,
        model,
        "unreachable" if error.retryable else "misconfigured",
        reachable=error.kind not in {"connection", "timeout", "program_missing"},
        model_known=False if error.kind == "unknown_model" else None,
        problem=error.message,
    )


def _names(backend: Backend) -> tuple[str, str]:
    if isinstance(backend, OfflineBackend):
        return "Offline team", backend.analyser or "offline"
    target = target_of(backend)
    return target.provider, target.model


async def _would_answer(models: Models, backend: ApiBackend, deadline: float, *, may_spend: bool) -> bool:
    """False where that cannot be told. Raises ModelError where it would not."""
    list_tells = backend.settings.type not in _OPEN_LISTS
    # An open list at least shows whether the address and a key are there.
    if list_tells or not may_spend:
        listed = await _listed(models, backend)
        if list_tells and backend.model in listed:
            return True
    if not may_spend:
        return False
    # Lists leave out names that work all the same, such as aliases.
    await _ask_for_a_word(models, backend, deadline)
    return True


async def _ask_for_a_word(models: Models, backend: ApiBackend, deadline: float) -> None:
    limits = Deadlines(connect=deadline, first_byte=deadline, idle=deadline, whole=deadline)
    asked = ModelRequest((UserPrompt("Hi"),), max_output_tokens=_FEWEST_TOKENS, deadlines=limits)
    adapter = await models.adapter(backend)
    async with aclosing(adapter.attempt(asked)) as parts:
        async for _ in parts:
            return


async def _listed(models: Models, backend: ApiBackend) -> frozenset[str]:
    try:
        return frozenset(name.removeprefix("models/") for name in await models.known_models(backend))
    except ModelError as error:
        if error.kind in _NO_LIST:
            return frozenset()
        raise
