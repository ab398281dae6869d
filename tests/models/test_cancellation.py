"""Who stops reading stops the work behind it; and streams do not wait for each other."""

import asyncio
from contextlib import aclosing

import anyio
import pytest

from teamwright.config.presets import ApiKind
from teamwright.models.factory import Models
from teamwright.models.port import TextDelta
from tests.models.asking import WIRES, answer_of, asking, backend, text_of
from tests.support.model_server import ModelServer, text

every_wire = pytest.mark.parametrize("wire", WIRES)


@every_wire
@pytest.mark.asyncio
async def test_closing_the_iterator_closes_the_connection(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(text("One two three").stalls(after=2))

    async with aclosing(providers.open(backend(models, wire)).stream(asking())) as parts:
        assert await anext(parts) == TextDelta("One ")

    await models.requests[0].disconnected()


@every_wire
@pytest.mark.asyncio
async def test_cancelling_the_reader_closes_the_connection(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(text("One two three").stalls(after=2))
    model = providers.open(backend(models, wire))
    reader = asyncio.create_task(answer_of(model, asking()))
    await models.received(1)

    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader

    await models.requests[0].disconnected()


@every_wire
@pytest.mark.asyncio
async def test_a_cancelled_scope_closes_the_connection_in_mid_stream(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(text("One two three").stalls(after=2))
    model = providers.open(backend(models, wire))

    async def read() -> None:
        async with aclosing(model.stream(asking())) as parts:
            async for part in parts:
                if part == TextDelta("two "):
                    group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(read)

    await models.requests[0].disconnected()


@every_wire
@pytest.mark.asyncio
async def test_two_streams_run_side_by_side(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    gate = models.gate("both are under way")
    for name in ("alpha", "beta"):
        models.model(name).replies(text("One two three").waits_for(gate, at=1))
    model, other = providers.open(backend(models, wire, "alpha")), providers.open(backend(models, wire, "beta"))

    reading = [asyncio.create_task(answer_of(each, asking())) for each in (model, other)]
    await gate.reached(times=2)
    gate.release()

    assert [text_of(parts) for parts in await asyncio.gather(*reading)] == ["One two three"] * 2


@every_wire
@pytest.mark.asyncio
async def test_a_connection_serves_one_answer_after_another(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(text("One"), text("Two"))
    model = providers.open(backend(models, wire))

    said = [text_of(await answer_of(model, asking())) for _ in range(2)]

    assert said == ["One", "Two"]
    assert not any(request.client_left for request in models.requests)
