"""Bodies of HTTP responses within their bounds, counted as they arrive, whoever reads them."""

from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import httpx2

from teamwright.models.errors import ModelError
from teamwright.models.faults import Target
from teamwright.models.limits import MAX_BODY_BYTES, MAX_ERROR_BYTES

_STREAMED: Final = "text/event-stream"


class RefusedResponse(Exception):
    """Its text is a clause that says what the server did."""


def refused(target: Target, why: RefusedResponse) -> ModelError:
    return ModelError("endless_answer", f"{target.provider} {why}: check base_url, or choose another backend.")


async def _ask_for_plain_bytes(request: httpx2.Request) -> None:
    request.headers["Accept-Encoding"] = "identity"


async def _bound(response: httpx2.Response) -> None:
    """A compressed body is refused: a few bytes of it may stand for any number, and nobody has asked for it."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in {"", "identity"}:
        raise RefusedResponse("compresses its answers though it was asked not to")
    body = response.stream
    if not isinstance(body, httpx2.AsyncByteStream):
        return
    if not response.is_success:
        response.stream = _Cut(body, MAX_ERROR_BYTES)
    elif response.request.method == "GET" or not _is_streamed(response):
        response.stream = _Limited(body, MAX_BODY_BYTES)


def _is_streamed(response: httpx2.Response) -> bool:
    return response.headers.get("content-type", "").lower().startswith(_STREAMED)


# Streams of events are bounded by whoever reads the events.
BOUNDED: Final[dict[str, list[Callable[..., Any]]]] = {"request": [_ask_for_plain_bytes], "response": [_bound]}


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, body: httpx2.AsyncByteStream, limit: int) -> None:
        self._body = body
        self._limit = limit

    async def aclose(self) -> None:
        await self._body.aclose()


class _Cut(_Counted):
    """Ends at the limit: of an error the beginning is enough."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._limit
        async for chunk in self._body:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return


class _Limited(_Counted):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._limit
        async for chunk in self._body:
            left -= len(chunk)
            if left < 0:
                raise RefusedResponse(f"sent more than {self._limit} bytes at once")
            yield chunk
