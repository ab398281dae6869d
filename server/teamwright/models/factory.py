"""The owner of every model: opens one for a backend, shares the clients behind them, and closes these at the end."""

from collections import defaultdict
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeVar, assert_never, cast

import anyio
from anyio import to_thread

from teamwright.config.backends import ApiBackend, Backend, CliBackend, OfflineBackend
from teamwright.models.adapter import Adapter
from teamwright.models.fenced import FencedAdapter, NativeOrFenced, ToolForm
from teamwright.models.masked import MaskedAdapter, masked_errors, masking_of
from teamwright.models.masking import Masking, environment_secrets
from teamwright.models.metering import TokenEstimate
from teamwright.models.model import DEFAULT_POLICY, BackendModel, RetryPolicy
from teamwright.models.port import Model
from teamwright.models.programs.adapter import ProgramAdapter
from teamwright.models.programs.claude import ClaudeCode
from teamwright.models.programs.codex import CodexCli
from teamwright.models.programs.dialect import ProgramDialect
from teamwright.models.programs.gemini import GeminiCli
from teamwright.models.programs.installation import Installation
from teamwright.models.targets import Endpoint, dialect_of, endpoint_of, facts_of, generation_of, target_of
from teamwright.preload import preload

if TYPE_CHECKING:
    from teamwright.models.http.anthropic_client import AnthropicClient
    from teamwright.models.http.openai_client import OpenAiClient

# What every model may need in the middle of an answer, where an import would stop the event loop.
_NEEDED_BY_ALL: Final = ("genai_prices", "jsonschema", "referencing")
_DIALECTS: Final[Mapping[str, ProgramDialect]] = {
    "claude_code": ClaudeCode(),
    "codex": CodexCli(),
    "gemini_cli": GeminiCli(),
}


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
        # Also at shutdown: an open connection is a warning and a leak.
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
                # With all its analysers, which nobody needs who has a key.
                from teamwright.models.offline.model import open_offline  # noqa: PLC0415

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
                adapter = await self._messages(backend)
            case ApiBackend():
                adapter = await self._openai(backend)
            case CliBackend():
                adapter = self._program(backend)
        masking = self._masking_of(backend)
        return MaskedAdapter(adapter, masking) if masking else adapter

    def _masking_of(self, backend: ApiBackend | CliBackend) -> Masking:
        match backend:
            case ApiBackend():
                return masking_of(backend, endpoint_of(backend, self._environ), self._environ)
            case CliBackend():
                return Masking(environment_secrets(self.installation(backend).environment))

    async def known_models(self, backend: ApiBackend) -> frozenset[str]:
        """What the provider lists. Raises ModelError."""
        with masked_errors(self._masking_of(backend)):
            client = await (
                self._anthropic_client(backend) if backend.kind == "anthropic" else self._openai_client(backend)
            )
            return await client.model_names(target_of(backend))

    async def version(self, backend: CliBackend) -> str:
        """What the program says of itself. Raises ModelError."""
        with masked_errors(self._masking_of(backend)):
            return await self.installation(backend).version()

    async def _openai(self, backend: ApiBackend) -> Adapter:
        client = await self._openai_client(backend)
        await preload("teamwright.models.http.chat", "teamwright.models.http.responses")
        from teamwright.models.http.chat import ChatAdapter  # noqa: PLC0415 - preloaded beside the event loop
        from teamwright.models.http.responses import ResponsesAdapter  # noqa: PLC0415 - the same

        if backend.kind == "openai_responses":
            return self._in_form(backend, ResponsesAdapter(client, target_of(backend), generation_of(backend)))
        chat = ChatAdapter(client, target_of(backend), generation_of(backend), dialect_of(backend))
        return self._in_form(backend, chat)

    async def _messages(self, backend: ApiBackend) -> Adapter:
        client = await self._anthropic_client(backend)
        await preload("teamwright.models.http.messages")
        from teamwright.models.http.messages import MessagesAdapter  # noqa: PLC0415 - preloaded beside the event loop

        return self._in_form(backend, MessagesAdapter(client, target_of(backend), generation_of(backend)))

    async def _openai_client(self, backend: ApiBackend) -> "OpenAiClient":
        endpoint = endpoint_of(backend, self._environ)
        await preload("teamwright.models.http.openai_client")
        from teamwright.models.http.openai_client import OpenAiClient  # noqa: PLC0415 - preloaded beside the event loop

        return await self._client(OpenAiClient, endpoint)

    async def _anthropic_client(self, backend: ApiBackend) -> "AnthropicClient":
        endpoint = endpoint_of(backend, self._environ)
        await preload("teamwright.models.http.anthropic_client")
        from teamwright.models.http.anthropic_client import AnthropicClient  # noqa: PLC0415 - the same

        return await self._client(AnthropicClient, endpoint)

    def _program(self, backend: CliBackend) -> Adapter:
        dialect = _DIALECTS[backend.settings.type]
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
        dialect = _DIALECTS[backend.settings.type]
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
