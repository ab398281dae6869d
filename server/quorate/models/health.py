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
    model_known: bool
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
        return Health("Offline team", backend.analyser or "offline", reachable=True, model_known=True, seconds=0.0)
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
        return Health(target.provider, target.model, reachable=False, model_known=False, problem=problem)
    except ModelError as error:
        answered = error.kind not in {"connection", "timeout", "program_missing"}
        known = answered and error.kind != "unknown_model"
        return Health(target.provider, target.model, reachable=answered, model_known=known, problem=error.message)
    seconds = anyio.current_time() - began
    return Health(target.provider, target.model, reachable=True, model_known=True, seconds=seconds, version=version)


async def _ask_provider(models: Models, backend: ApiBackend, deadline: float) -> None:
    """Raises ModelError unless the model is there. Lists leave out names that work all the same, such as aliases."""
    try:
        listed = await models.known_models(backend)
    except ModelError as error:
        if error.kind not in _NO_LIST:
            raise
        listed = frozenset[str]()
    if backend.model in {name.removeprefix("models/") for name in listed}:
        return
    limits = Deadlines(connect=deadline, first_byte=deadline, idle=deadline, whole=deadline)
    asked = ModelRequest((UserMessage("Hi"),), max_output_tokens=_FEWEST_TOKENS, deadlines=limits)
    adapter = await models.adapter(backend)
    async with aclosing(adapter.attempt(asked)) as parts:
        async for _ in parts:
            return
