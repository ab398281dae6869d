"""The edge where a provider's words become ours: the keys that it was given are in none of them."""

import json
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import replace

from teamwright.config.backends import ApiBackend
from teamwright.config.secrets import is_secret_name
from teamwright.models.adapter import Adapter
from teamwright.models.errors import ModelError
from teamwright.models.masking import MASK, Masking, StreamedMasking
from teamwright.models.port import (
    ModelRequest,
    Notice,
    Part,
    ReasoningDelta,
    StreamFinished,
    TextDelta,
    ToolArgumentsDelta,
    ToolCallCompleted,
    ToolCallInvalid,
    ToolCallStarted,
)
from teamwright.models.targets import Endpoint

_HOLDS_A_KEY = "The arguments hold a key of this machine, so it was not called. Leave the key out and call it again."


def masking_of(backend: ApiBackend, endpoint: Endpoint, environ: Mapping[str, str]) -> Masking:
    """The key, and of the headers what comes from the environment or is secret by its name."""
    secrets = [endpoint.key]
    values = dict(endpoint.headers)
    references = list(backend.key.variables) if backend.key else []
    for name, secret in backend.settings.headers.items():
        if not secret.is_literal or is_secret_name(name):
            # Of `Bearer …` the words after the first are the secret.
            secrets += [values[name], *values[name].split()]
            references += secret.variables
    return Masking([*secrets, *(environ.get(name, "").strip() for name in references)])


@contextmanager
def masked_errors(masking: Masking) -> Generator[None]:
    """What an error came from is not kept: it may hold the same words."""
    try:
        yield
    except ModelError as error:
        raise ModelError(error.kind, masking(error.message), retry_after=error.retry_after) from None


class MaskedAdapter:
    def __init__(self, adapter: Adapter, masking: Masking) -> None:
        self._adapter = adapter
        self._masking = masking

    async def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        text, thoughts = StreamedMasking(self._masking), StreamedMasking(self._masking)
        with masked_errors(self._masking):
            async with aclosing(self._adapter.attempt(request)) as parts:
                async for part in parts:
                    if isinstance(part, TextDelta):
                        if said := text.feed(part.text):
                            yield TextDelta(said)
                    elif isinstance(part, ReasoningDelta):
                        if said := thoughts.feed(part.text):
                            yield ReasoningDelta(said)
                    else:
                        if said := thoughts.rest():
                            yield ReasoningDelta(said)
                        if said := text.rest():
                            yield TextDelta(said)
                        yield self._masked(part)

    def _masked(self, part: Part) -> Part:
        masking = self._masking
        match part:
            case ToolCallStarted(call_id, name):
                return ToolCallStarted(self._masked_name(call_id), self._masked_name(name))
            case ToolArgumentsDelta(call_id, text):
                return ToolArgumentsDelta(self._masked_name(call_id), text)
            case ToolCallCompleted(call) if masking.holds(json.dumps(call.arguments, ensure_ascii=False)):
                # Not with stars in it: they would be written where the key stands.
                return ToolCallInvalid(self._masked_name(call.call_id), call.name, _HOLDS_A_KEY)
            case ToolCallCompleted(call):
                return ToolCallCompleted(replace(call, call_id=self._masked_name(call.call_id)))
            case ToolCallInvalid(call_id, name, problem, arguments):
                shown = masking.anywhere(dict(arguments))
                return ToolCallInvalid(self._masked_name(call_id), self._masked_name(name), masking(problem), shown)
            case Notice(said):
                return Notice(masking(said))
            case StreamFinished(reason, replay) if replay is not None:
                content = tuple(masking.anywhere(dict(each)) for each in replay.content)
                return StreamFinished(reason, replace(replay, content=content))
            case _:
                return part

    def _masked_name(self, name: str) -> str:
        """It goes back to the provider, and has no stars in it there."""
        return self._masking(name).replace(MASK, "hidden") if self._masking.holds(name) else name
