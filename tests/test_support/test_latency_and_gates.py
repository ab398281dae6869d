"""When replies come: by the script's clock, or when the test opens a gate."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from openai import AsyncOpenAI, OpenAI
from openai.types.responses import Response

from tests.support.model_server import ModelServer, text
from tests.support.model_server.delivery import Point
from tests.support.model_server.waiting import Tally


def ask(client: AsyncOpenAI, model: str) -> "asyncio.Task[Response]":
    return asyncio.ensure_future(client.responses.create(model=model, input="Hi"))


@pytest.mark.asyncio
async def test_three_replies_wait_at_one_gate_at_the_same_time(models: ModelServer, openai: AsyncOpenAI) -> None:
    gate = models.gate("all are thinking")
    team = ["alpha", "beta", "gamma"]
    for name in team:
        models.model(name).replies(text(f"I am {name}").waits_for(gate))
    asked = [ask(openai, name) for name in team]
    await gate.reached(3)
    assert not any(task.done() for task in asked)
    gate.release()
    assert [task.output_text for task in await asyncio.gather(*asked)] == ["I am alpha", "I am beta", "I am gamma"]


@pytest.mark.asyncio
async def test_gates_decide_who_answers_first(models: ModelServer, openai: AsyncOpenAI) -> None:
    first, second = models.gate("first"), models.gate("second")
    models.model("alpha").replies(text("A").waits_for(second))
    models.model("beta").replies(text("B").waits_for(first))
    alpha, beta = ask(openai, "alpha"), ask(openai, "beta")
    await second.reached()
    first.release()
    assert (await beta).output_text == "B"
    assert not alpha.done()
    second.release()
    assert (await alpha).output_text == "A"


@pytest.mark.asyncio
async def test_a_gate_may_stand_between_two_deltas(models: ModelServer, openai: AsyncOpenAI) -> None:
    gate = models.gate("half way")
    models.model("alpha").replies(text("One two").waits_for(gate, at=1))
    async with await openai.responses.create(model="alpha", input="Hi", stream=True) as events:
        async for event in events:
            if event.type == "response.output_text.delta" and event.delta == "One ":
                break
        await gate.reached()
        gate.release()
        rest = [event.delta async for event in events if event.type == "response.output_text.delta"]
    assert rest == ["two"]


@pytest.mark.parametrize("at", ["body", 2, "end"])
@pytest.mark.asyncio
async def test_a_gate_may_stand_before_the_first_event_or_the_end(
    models: ModelServer, openai: AsyncOpenAI, at: Point
) -> None:
    gate = models.gate("point")
    models.model("alpha").replies(text("One two").waits_for(gate, at=at))
    async with await openai.responses.create(model="alpha", input="Hi", stream=True) as events:
        await gate.reached()
        gate.release()
        assert [event.type async for event in events][-1] == "response.completed"


def test_a_test_without_an_event_loop_uses_gates_too(models: ModelServer) -> None:
    gate = models.gate("thinking")
    models.model("alpha").replies(text("Hello").waits_for(gate))
    with OpenAI(base_url=models.openai_url, api_key="sk", max_retries=0) as client, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.responses.create, model="alpha", input="Hi")
        gate.wait_reached()
        models.wait_received(1)
        assert not asked.done()
        gate.release()
        assert asked.result(10).output_text == "Hello"


@pytest.mark.asyncio
async def test_latency_and_pace_take_at_least_their_time(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("One two three").after(0.05).paced(0.02))
    began = time.monotonic()
    async for _ in await openai.responses.create(model="alpha", input="Hi", stream=True):
        pass
    assert time.monotonic() - began >= 0.11


@pytest.mark.asyncio
async def test_waiting_for_what_does_not_come_says_what_was_missing() -> None:
    with pytest.raises(AssertionError, match=r"votes cast: 0 of 2 within 0\.01 s"):
        await Tally("votes cast").reaches(2, timeout=0.01)
    with pytest.raises(AssertionError, match=r"votes cast: 0 of 1 within 0\.01 s"):
        Tally("votes cast").wait(timeout=0.01)


@pytest.mark.asyncio
async def test_requests_tell_when_and_in_which_order_they_came(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").always(text("Hello"))
    await ask(openai, "alpha")
    await ask(openai, "alpha")
    await models.received(2)
    first, second = models.requests
    assert (first.order, second.order) == (1, 2)
    assert first.arrived_at < second.arrived_at <= time.monotonic()
    assert not second.client_left
