"""Against a real model: what no script can prove."""

import asyncio
import os
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing

import pytest
import pytest_asyncio

from teamwright.config.backend_settings import BackendSettings
from teamwright.config.backends import Backend, resolve_backend
from teamwright.models.factory import Models
from teamwright.models.port import Model, ModelUsage, Part, StreamFinished, TextDelta
from tests.models.asking import VOTE, answer_of, asking, calls_of, hasty, text_of
from tests.models.small_model import SLOTS, serving

pytestmark = pytest.mark.slow

LONG = "Write a very long story about a lighthouse. Do not stop."
PATIENT = hasty(first_byte=120, idle=60, whole=240)


@pytest.fixture(scope="module")
def server() -> Generator[str]:
    with serving() as url:
        yield url


@pytest_asyncio.fixture
async def small(server: str) -> AsyncGenerator[Model]:
    settings = BackendSettings(type="chatcompletion", model="smollm2", base_url=server)
    backend: Backend = resolve_backend(settings, os.environ)
    async with Models(os.environ) as models:
        yield models.open(backend)


@pytest.mark.asyncio
async def test_a_real_answer_is_streamed_and_counted(small: Model) -> None:
    parts = await answer_of(small, asking("Say hello.", max_output_tokens=40, deadlines=PATIENT))

    words = [part for part in parts if isinstance(part, TextDelta)]
    reported = next(part for part in parts if isinstance(part, ModelUsage))
    assert len(words) > 1
    assert not reported.estimated
    assert reported.usage.input_tokens > 0
    assert 0 < reported.usage.output_tokens <= 40
    assert reported.cost_usd is None
    assert isinstance(parts[-1], StreamFinished)


@pytest.mark.asyncio
async def test_an_answer_that_is_no_longer_read_is_no_longer_written(small: Model) -> None:
    """Every slot of the server is taken by an endless answer; only when these are dropped can another one begin."""

    async def begin(until: asyncio.Barrier) -> None:
        async with aclosing(small.stream(asking(LONG, max_output_tokens=4000, deadlines=PATIENT))) as parts:
            async for part in parts:
                if isinstance(part, TextDelta):
                    await until.wait()
                    return

    async with asyncio.timeout(120):
        together = asyncio.Barrier(SLOTS)
        await asyncio.gather(*(begin(together) for _ in range(SLOTS)))
    async with asyncio.timeout(20):
        parts = await answer_of(small, asking("Say hello.", max_output_tokens=5, deadlines=PATIENT))

    assert text_of(parts)


@pytest.mark.asyncio
async def test_two_real_answers_are_written_side_by_side(small: Model) -> None:
    """Each waits for the other's first word before it goes on reading."""
    together = asyncio.Barrier(2)

    async def read() -> list[Part]:
        parts: list[Part] = []
        async with aclosing(small.stream(asking(LONG, max_output_tokens=60, deadlines=PATIENT))) as stream:
            async for part in stream:
                if not parts:
                    await together.wait()
                parts.append(part)
        return parts

    async with asyncio.timeout(120):
        first, second = await asyncio.gather(read(), read())

    assert text_of(first)
    assert text_of(second)


@pytest.mark.asyncio
async def test_a_model_that_never_calls_a_tool_gives_plain_text(small: Model) -> None:
    parts = await answer_of(small, asking("Vote for an agent.", VOTE, max_output_tokens=40, deadlines=PATIENT))

    assert calls_of(parts) == []
    assert text_of(parts)
    assert isinstance(parts[-1], StreamFinished)
