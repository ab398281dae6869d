"""The Anthropic SDK's client for one address and key: its authentication, its requests, and its errors in our words."""

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from typing import Any, cast

import anthropic
import httpx2

from teamwright.models.errors import ModelError
from teamwright.models.faults import ProviderWords, Target, broken_off, provider_fault, retry_after_seconds, unreachable
from teamwright.models.http.response_bounds import BOUNDED, RefusedResponse, refused
from teamwright.models.http.transport import connect_timeout, own_headers_only
from teamwright.models.port import Deadlines
from teamwright.models.targets import Endpoint


class AnthropicClient:
    def __init__(self, endpoint: Endpoint) -> None:
        key = endpoint.key or "none"
        headers: Mapping[str, str | anthropic.Omit] = dict(endpoint.headers)
        if not endpoint.is_anthropic:
            own = {"X-Api-Key": key, **dict(endpoint.headers)}
            headers = own_headers_only("ANTHROPIC_CUSTOM_HEADERS", own, anthropic.omit)
        self._sdk = anthropic.AsyncAnthropic(
            api_key=key,
            base_url=endpoint.base_url,
            # Typed as text alone, but what is to be omitted is left out.
            default_headers=cast("Mapping[str, str]", headers),
            max_retries=0,
            # An API does not redirect, and a key must not follow to an address that nobody has configured.
            http_client=anthropic.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks=BOUNDED),
            open_telemetry=False,
        )
        # The SDK imports a resource when it is first touched, and that is not to happen on the event loop.
        self._messages = self._sdk.messages.with_streaming_response
        self._models = self._sdk.models

    @asynccontextmanager
    async def messages(
        self, body: Mapping[str, Any], deadlines: Deadlines, target: Target
    ) -> AsyncGenerator[AsyncIterator[bytes]]:
        with _in_our_words(target):
            async with self._messages.create(**body, stream=True, timeout=connect_timeout(deadlines)) as response:
                yield response.http_response.aiter_raw()

    async def model_names(self, target: Target) -> frozenset[str]:
        with _in_our_words(target):
            return frozenset([model.id async for model in self._models.list(limit=1000)])

    async def close(self) -> None:
        await self._sdk.close()


@contextmanager
def _in_our_words(target: Target) -> Generator[None]:
    """The SDK's error is not kept as the cause: it holds the request with its key."""
    try:
        yield
    except anthropic.APIStatusError as error:
        wait = retry_after_seconds(error.response.headers, datetime.now(UTC))
        words = ProviderWords.of_body(error.body or error.message, error.status_code, wait)
        raise provider_fault(target, words) from None
    except RefusedResponse as error:
        raise refused(target, error) from None
    except httpx2.RequestError:
        raise broken_off(target) from None
    except anthropic.APIConnectionError as error:
        if isinstance(error.__cause__, RefusedResponse):
            raise refused(target, error.__cause__) from None
        raise unreachable(target, hung_up=isinstance(error.__cause__, httpx2.RemoteProtocolError)) from None
    except anthropic.AnthropicError as error:
        message = f"{target.provider} gave an answer that cannot be read ({type(error).__name__}): try again."
        raise ModelError("garbled_stream", message) from None
