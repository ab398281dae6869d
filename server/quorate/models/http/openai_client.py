"""The OpenAI SDK's client for one address and key: its authentication, its requests, and its errors in our words."""

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, contextmanager
from datetime import UTC, datetime
from typing import Any, cast

import httpx2
import openai

from quorate.models.endpoint import Endpoint
from quorate.models.errors import ModelError
from quorate.models.faults import ProviderWords, Target, broken_off, provider_fault, retry_after_seconds, unreachable
from quorate.models.http.ambient import own_headers_only
from quorate.models.http.transport import connect_timeout
from quorate.models.port import Deadlines


class OpenAiClient:
    def __init__(self, endpoint: Endpoint) -> None:
        key = endpoint.key or "none"
        headers: Mapping[str, str | openai.Omit] = dict(endpoint.headers)
        if not endpoint.is_openai:
            own = {"Authorization": f"Bearer {key}", **dict(endpoint.headers)}
            headers = own_headers_only("OPENAI_CUSTOM_HEADERS", own, openai.omit)
        self._sdk = openai.AsyncOpenAI(
            api_key=key,
            base_url=endpoint.base_url,
            # Typed as text alone, but what is to be omitted is left out.
            default_headers=cast("Mapping[str, str]", headers),
            max_retries=0,
            # An API does not redirect, and a key must not follow to an address that nobody has configured.
            http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False),
        )
        if not endpoint.is_openai:
            # The SDK takes these from the environment; they are no business of another provider.
            self._sdk.organization = self._sdk.project = None
        # The SDK imports a resource when it is first touched, and that is not to happen on the event loop.
        self._models = self._sdk.models

    def chat(
        self, body: Mapping[str, Any], deadlines: Deadlines, target: Target
    ) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return self._streamed("/chat/completions", body, deadlines, target)

    def responses(
        self, body: Mapping[str, Any], deadlines: Deadlines, target: Target
    ) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return self._streamed("/responses", body, deadlines, target)

    @asynccontextmanager
    async def _streamed(
        self, path: str, body: Mapping[str, Any], deadlines: Deadlines, target: Target
    ) -> AsyncGenerator[AsyncIterator[bytes]]:
        """Not through the SDK's typed methods: they walk through the whole body, which takes longer than sending it."""
        with _in_our_words(target):
            posted = await self._sdk.post(
                path,
                cast_to=httpx2.Response,
                body={**body, "stream": True},
                options={"timeout": connect_timeout(deadlines), "security": {"bearer_auth": True}},
                stream=True,
                stream_cls=openai.AsyncStream[object],
            )
            # Whoever asks for the raw response gets it, whatever class is named for the stream.
            async with aclosing(cast("httpx2.Response", posted)) as response:
                yield response.aiter_bytes()

    async def model_names(self, target: Target) -> frozenset[str]:
        with _in_our_words(target):
            page = await self._models.list()
            return frozenset([model.id async for model in page])

    async def close(self) -> None:
        await self._sdk.close()


@contextmanager
def _in_our_words(target: Target) -> Generator[None]:
    """The SDK's error is not kept as the cause: it holds the request with its key."""
    try:
        yield
    except openai.APIStatusError as error:
        wait = retry_after_seconds(error.response.headers, datetime.now(UTC))
        words = ProviderWords.of_body(error.body or error.message, error.status_code, wait)
        raise provider_fault(target, words) from None
    except httpx2.RequestError:
        raise broken_off(target) from None
    except openai.APIConnectionError as error:
        raise unreachable(target, hung_up=isinstance(error.__cause__, httpx2.RemoteProtocolError)) from None
    except openai.OpenAIError as error:
        raise ModelError(
            "garbled_stream",
            f"{target.provider} gave an answer that cannot be read ({type(error).__name__}): try again.",
        ) from None
