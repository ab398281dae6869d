"""The OpenAI SDK's client for one address and key: its authentication, its requests, and its errors in our words."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, contextmanager
from datetime import UTC, datetime
from typing import Any, Final, cast

import httpx2
import openai

from teamwright.models.errors import ModelError
from teamwright.models.faults import ProviderWords, Target, broken_off, provider_fault, retry_after_seconds, unreachable
from teamwright.models.http.response_bounds import BOUNDED, RefusedResponse, refused
from teamwright.models.http.transport import connect_timeout, own_headers_only
from teamwright.models.port import Deadlines
from teamwright.models.targets import Endpoint

# As the SDK writes it.
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class OpenAiClient:
    def __init__(self, endpoint: Endpoint) -> None:
        key = endpoint.key or "none"
        headers: Mapping[str, str | openai.Omit] = dict(endpoint.headers)
        if not endpoint.is_openai:
            own = {"Authorization": f"Bearer {key}", **dict(endpoint.headers)}
            headers = own_headers_only("OPENAI_CUSTOM_HEADERS", own, openai.omit)
        # An API does not redirect, and a key must not follow to an address that nobody has configured.
        self._http = openai.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks=BOUNDED)
        self._sdk = openai.AsyncOpenAI(
            api_key=key,
            base_url=endpoint.base_url,
            # Typed as text alone, but what is to be omitted is left out.
            default_headers=cast("Mapping[str, str]", headers),
            max_retries=0,
            http_client=self._http,
        )
        if not endpoint.is_openai:
            # The SDK takes these from the environment; they are no business of another provider.
            self._sdk.organization = self._sdk.project = None
        self._headers = _headers_of(self._sdk)
        self._chat_url = self._sdk.base_url.join("chat/completions")
        self._responses_url = self._sdk.base_url.join("responses")
        # The SDK imports a resource when it is first touched, and that is not to happen on the event loop.
        self._models = self._sdk.models

    def chat(
        self, body: Mapping[str, Any], deadlines: Deadlines, target: Target
    ) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return self._streamed(self._chat_url, body, deadlines, target)

    def responses(
        self, body: Mapping[str, Any], deadlines: Deadlines, target: Target
    ) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return self._streamed(self._responses_url, body, deadlines, target)

    @asynccontextmanager
    async def _streamed(
        self, url: httpx2.URL, body: Mapping[str, Any], deadlines: Deadlines, target: Target
    ) -> AsyncGenerator[AsyncIterator[bytes]]:
        """Over the SDK's connections and with its headers, but not through its methods: they take as long as sending.

        A team's requests go out one behind the other, at the moment when everybody waits for them.
        """
        request = self._http.build_request(
            "POST",
            url,
            headers=self._headers,
            content=_JSON.encode({**body, "stream": True}).encode(),
            timeout=connect_timeout(deadlines),
        )
        try:
            response = await self._http.send(request, stream=True)
        except RefusedResponse as error:
            raise refused(target, error) from None
        except httpx2.RequestError as error:
            raise unreachable(target, hung_up=isinstance(error, httpx2.RemoteProtocolError)) from None
        async with aclosing(response):
            with _in_our_words(target):
                if not response.is_success:
                    raise provider_fault(target, await _words_in(response))
                yield response.aiter_raw()

    async def model_names(self, target: Target) -> frozenset[str]:
        with _in_our_words(target):
            page = await self._models.list()
            return frozenset([model.id async for model in page])

    async def close(self) -> None:
        await self._sdk.close()


def _headers_of(sdk: openai.AsyncOpenAI) -> httpx2.Headers:
    headers = httpx2.Headers(sdk.auth_headers)
    for name, value in sdk.default_headers.items():
        if isinstance(value, openai.Omit):
            headers.pop(name, None)
        else:
            headers[name] = value
    return headers


async def _words_in(response: httpx2.Response) -> ProviderWords:
    wait = retry_after_seconds(response.headers, datetime.now(UTC))
    text = (await response.aread()).decode(errors="replace")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = text
    return ProviderWords.of_body(body or f"HTTP {response.status_code}", response.status_code, wait)


@contextmanager
def _in_our_words(target: Target) -> Generator[None]:
    """The SDK's error is not kept as the cause: it holds the request with its key."""
    try:
        yield
    except openai.APIStatusError as error:
        wait = retry_after_seconds(error.response.headers, datetime.now(UTC))
        words = ProviderWords.of_body(error.body or error.message, error.status_code, wait)
        raise provider_fault(target, words) from None
    except RefusedResponse as error:
        raise refused(target, error) from None
    except httpx2.RequestError:
        raise broken_off(target) from None
    except openai.APIConnectionError as error:
        if isinstance(error.__cause__, RefusedResponse):
            raise refused(target, error.__cause__) from None
        raise unreachable(target, hung_up=isinstance(error.__cause__, httpx2.RemoteProtocolError)) from None
    except openai.OpenAIError as error:
        raise ModelError(
            "garbled_stream",
            f"{target.provider} gave an answer that cannot be read ({type(error).__name__}): try again.",
        ) from None
