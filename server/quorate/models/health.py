"""Which backends would answer now, asked all at once. What can be learned from a list of models is not asked of one."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, assert_never

import anyio

from quorate.config.backends import ApiBackend, Backend, CliBackend, OfflineBackend
from quorate.models.errors import ErrorKind, ModelError
from quorate.models.factory import Models
from quorate.models.port import Deadlines, ModelRequest, UserMessage
from quorate.models.targets import target_of

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
    reachable: bool
    model_known: bool | None
    """None where that could not be found out."""
    seconds: float | None = None
    version: str | None = None
    problem: str | None = None

    @property
    def ok(self) -> bool:
        return self.problem is None


async def probe(models: Models, backends: Sequence[Backend], deadline: float = 10.0) -> list[Health]:
    """In the order of the backends. It takes as long as the slowest, and at most `deadline` seconds."""
    found: dict[int, Health] = {}

    async def one(place: int, backend: Backend) -> None:
        found[place] = await _health(models, backend, deadline)

    async with anyio.create_task_group() as group:
        for place, backend in enumerate(backends):
            group.start_soon(one, place, backend)
    return [found[place] for place in range(len(backends))]


async def _health(models: Models, backend: Backend, deadline: float) -> Health:
    if isinstance(backend, OfflineBackend):
        problem = "The offline team is not part of this version yet: set a key, or name a model server in quorate.yaml."
        name = backend.analyser or "offline"
        return Health("Offline team", name, reachable=False, model_known=False, problem=problem)
    target = target_of(backend)
    began = anyio.current_time()
    version = None
    try:
        with anyio.fail_after(deadline):
            match backend:
                case ApiBackend():
                    await _ask_provider(models, backend, deadline)
                case CliBackend():
                    version = await models.installation(backend).version()
                case _:
                    assert_never(backend)
    except TimeoutError:
        problem = f"{target.provider} did not answer within {deadline:g} s: try again, or check the network."
        return Health(target.provider, target.model, reachable=False, model_known=None, problem=problem)
    except ModelError as error:
        answered = error.kind not in {"connection", "timeout", "program_missing"}
        known = False if error.kind == "unknown_model" else None
        return Health(target.provider, target.model, reachable=answered, model_known=known, problem=error.message)
    seconds = anyio.current_time() - began
    return Health(target.provider, target.model, reachable=True, model_known=True, seconds=seconds, version=version)


async def _ask_provider(models: Models, backend: ApiBackend, deadline: float) -> None:
    """Raises ModelError unless the model is there. Lists leave out names that work all the same, such as aliases."""
    if backend.model in await _listed(models, backend):
        return
    limits = Deadlines(connect=deadline, first_byte=deadline, idle=deadline, whole=deadline)
    asked = ModelRequest((UserMessage("Hi"),), max_output_tokens=_FEWEST_TOKENS, deadlines=limits)
    adapter = await models.adapter(backend)
    async with aclosing(adapter.attempt(asked)) as parts:
        async for _ in parts:
            return


async def _listed(models: Models, backend: ApiBackend) -> frozenset[str]:
    if backend.settings.type in _OPEN_LISTS:
        return frozenset()
    try:
        return frozenset(name.removeprefix("models/") for name in await models.known_models(backend))
    except ModelError as error:
        if error.kind in _NO_LIST:
            return frozenset()
        raise
