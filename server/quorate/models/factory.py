"""The owner of every model: opens one for a backend, shares the clients behind them, and closes these at the end."""

from collections import defaultdict
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeVar, assert_never, cast

import anyio
from anyio import to_thread

from quorate.config.backends import ApiBackend, Backend, CliBackend, OfflineBackend
from quorate.models.adapter import Adapter
from quorate.models.cost import PRICES_MODULE
from quorate.models.endpoint import Endpoint
from quorate.models.estimate import TokenEstimate
from quorate.models.loading import preload
from quorate.models.model import BackendModel
from quorate.models.offline.model import open_offline
from quorate.models.port import Model
from quorate.models.programs.adapter import ProgramAdapter
from quorate.models.programs.dialects import DIALECTS
from quorate.models.programs.installation import Installation
from quorate.models.retry import DEFAULT_POLICY, RetryPolicy
from quorate.models.targets import dialect_of, endpoint_of, facts_of, generation_of, target_of
from quorate.models.tool_forms import FencedAdapter, NativeOrFenced, ToolForm

if TYPE_CHECKING:
    from quorate.models.http.anthropic_client import AnthropicClient
    from quorate.models.http.openai_client import OpenAiClient

# What every model may need in the middle of an answer, where an import would stop the event loop.
_NEEDED_BY_ALL: Final = (PRICES_MODULE, "jsonschema", "referencing")


class _Client(Protocol):
    async def close(self) -> None: ...


_ClientT = TypeVar("_ClientT", bound=_Client)


class Models:
    """Use it as an async context manager. Opening a model is instant: its SDK is imported when it is first used."""

    def __init__(
        self,
        environ: Mapping[str, str],
        *,
        retry: RetryPolicy = DEFAULT_POLICY,
    ) -> None:
        self._environ = environ
        self._retry = retry
        self._lock = anyio.Lock()
        self._clients: dict[tuple[type[_Client], Endpoint], _Client] = {}
        self._installations: dict[tuple[str, str], Installation] = {}
        self._tool_forms: defaultdict[tuple[str | None, str | None], ToolForm] = defaultdict(ToolForm)
        self._estimates: defaultdict[str, TokenEstimate] = defaultdict(TokenEstimate)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Also when the house is being torn down: an open connection is a warning and a leak.
        with anyio.CancelScope(shield=True):
            for client in self._clients.values():
                await client.close()
        self._clients.clear()

    def open(self, backend: Backend) -> Model:
        match backend:
            case ApiBackend():
                return self._model(backend, backend.model)
            case CliBackend():
                return self._model(backend, backend.model or backend.program)
            case OfflineBackend():
                return open_offline(backend)
            case _:
                assert_never(backend)

    def _model(self, backend: ApiBackend | CliBackend, name: str) -> Model:
        return BackendModel(
            name,
            lambda: self.adapter(backend),
            facts=facts_of(backend),
            estimate=self._estimates[name],
            retry=self._retry,
            longest_call=backend.settings.timeout_seconds,
        )

    async def adapter(self, backend: ApiBackend | CliBackend) -> Adapter:
        """Loads what the backend needs; calling it early saves the first request the time."""
        await preload(*_NEEDED_BY_ALL)
        match backend:
            case ApiBackend(kind="anthropic"):
                return await self._messages(backend)
            case ApiBackend():
                return await self._openai(backend)
            case CliBackend():
                return self._program(backend)

    async def known_models(self, backend: ApiBackend) -> frozenset[str]:
        """What the provider lists. Raises ModelError."""
        client = await (
            self._anthropic_client(backend) if backend.kind == "anthropic" else self._openai_client(backend)
        )
        return await client.model_names(target_of(backend))

    async def _openai(self, backend: ApiBackend) -> Adapter:
        client = await self._openai_client(backend)
        await preload("quorate.models.http.chat", "quorate.models.http.responses")
        from quorate.models.http.chat import ChatAdapter  # noqa: PLC0415 - preloaded beside the event loop
        from quorate.models.http.responses import ResponsesAdapter  # noqa: PLC0415 - the same

        if backend.kind == "openai_responses":
            return self._in_form(backend, ResponsesAdapter(client, target_of(backend), generation_of(backend)))
        chat = ChatAdapter(client, target_of(backend), generation_of(backend), dialect_of(backend))
        return self._in_form(backend, chat)

    async def _messages(self, backend: ApiBackend) -> Adapter:
        client = await self._anthropic_client(backend)
        await preload("quorate.models.http.messages")
        from quorate.models.http.messages import MessagesAdapter  # noqa: PLC0415 - preloaded beside the event loop

        return self._in_form(backend, MessagesAdapter(client, target_of(backend), generation_of(backend)))

    async def _openai_client(self, backend: ApiBackend) -> "OpenAiClient":
        endpoint = endpoint_of(backend, self._environ)
        await preload("quorate.models.http.openai_client")
        from quorate.models.http.openai_client import OpenAiClient  # noqa: PLC0415 - preloaded beside the event loop

        return await self._client(OpenAiClient, endpoint)

    async def _anthropic_client(self, backend: ApiBackend) -> "AnthropicClient":
        endpoint = endpoint_of(backend, self._environ)
        await preload("quorate.models.http.anthropic_client")
        from quorate.models.http.anthropic_client import AnthropicClient  # noqa: PLC0415 - the same

        return await self._client(AnthropicClient, endpoint)

    def _program(self, backend: CliBackend) -> Adapter:
        dialect = DIALECTS[backend.settings.type]
        program = ProgramAdapter(self.installation(backend), dialect, target_of(backend), generation_of(backend))
        return self._in_form(backend, program)

    def _in_form(self, backend: ApiBackend | CliBackend, native: Adapter) -> Adapter:
        match backend.settings.tool_calling:
            case "native":
                return native
            case "fenced":
                return FencedAdapter(native)
            case "auto":
                where = backend.base_url if isinstance(backend, ApiBackend) else backend.program
                return NativeOrFenced(native, self._tool_forms[where, backend.model])

    def installation(self, backend: CliBackend) -> Installation:
        """Shared, because a program is asked for its version only once."""
        dialect = DIALECTS[backend.settings.type]
        fresh = Installation(backend.program, dialect, target_of(backend), self._environ)
        return self._installations.setdefault((backend.settings.type, backend.program), fresh)

    async def _client(self, build: type[_ClientT], endpoint: Endpoint) -> _ClientT:
        async with self._lock:
            client = self._clients.get((build, endpoint))
            if client is None:
                # Certificates are read from disk and resources imported: not on the event loop.
                client = await to_thread.run_sync(build, endpoint)
                self._clients[build, endpoint] = client
        return cast("_ClientT", client)
