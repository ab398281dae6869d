"""Asked again where that can help: announced, bounded, and with nothing shown twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.config.presets import ApiKind
from teamwright.models.errors import ModelError
from teamwright.models.factory import Models
from teamwright.models.model import RetryPolicy, next_delay
from teamwright.models.port import ModelUsage, Notice, Part, Restarted, StreamFinished, TextDelta
from tests.models.asking import WIRES, answer_of, asking, backend, named, text_of
from tests.support.model_server import ModelServer, fails, text

every_wire = pytest.mark.parametrize("wire", WIRES)


@every_wire
@pytest.mark.asyncio
async def test_a_retry_before_anything_was_shown_is_announced_and_nothing_else(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(fails(529), text("Hello there"))

    parts = await answer_of(providers.open(backend(models, wire)), asking())

    who = named(wire, models.url)
    overloaded = f"{who} is overloaded: try again in a few minutes, or choose another model."
    assert parts[:3] == [
        Notice(f"{overloaded} Trying again in 0 s (2 of 3)."),
        TextDelta("Hello "),
        TextDelta("there"),
    ]


@every_wire
@pytest.mark.asyncio
async def test_what_was_shown_before_a_retry_is_discarded_and_shown_once(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(text("Hello there").cut(after=1), text("Hello there"))

    parts = await answer_of(providers.open(backend(models, wire)), asking())

    kinds = [type(part) for part in parts]
    assert kinds == [TextDelta, ModelUsage, Restarted, Notice, TextDelta, TextDelta, ModelUsage, StreamFinished]
    assert text_of(_kept(parts)) == "Hello there"
    lost, whole = (part for part in parts if isinstance(part, ModelUsage))
    assert (lost.estimated, whole.estimated) == (True, False), "what was streamed and lost was paid for too"


def _kept(parts: list[Part]) -> list[Part]:
    last = max((place for place, part in enumerate(parts) if isinstance(part, Restarted)), default=-1)
    return parts[last + 1 :]


@pytest.mark.asyncio
async def test_after_the_last_try_the_error_says_how_often_it_was_tried(providers: Models, models: ModelServer) -> None:
    models.model("alpha").replies(fails(500), fails(500), fails(500))

    with pytest.raises(ModelError, match=r"\(3 tries\)$"):
        await answer_of(providers.open(backend(models)), asking())


@pytest.mark.asyncio
async def test_a_wait_that_is_too_long_is_not_waited_for(providers: Models, models: ModelServer) -> None:
    models.model("alpha").replies(fails(429, retry_after=900))

    with pytest.raises(ModelError, match="It asks to be left alone for 15 min, which is too long to wait") as caught:
        await answer_of(providers.open(backend(models)), asking())

    assert caught.value.kind == "rate_limited"


RATE_LIMITED = ModelError("rate_limited", "Slow down.")
POLICY = RetryPolicy(attempts=4, first=1.0, longest=60.0)


def waiting(seconds: float) -> ModelError:
    return ModelError("rate_limited", "Slow down.", retry_after=seconds)


def test_the_wait_doubles_with_every_try() -> None:
    assert [next_delay(attempt, RATE_LIMITED, 1.0, POLICY) for attempt in (1, 2, 3, 4)] == [1.0, 2.0, 4.0, None]


def test_chance_spreads_those_who_were_limited_together() -> None:
    assert [next_delay(2, RATE_LIMITED, rand, POLICY) for rand in (0.0, 0.5, 1.0)] == [1.0, 1.5, 2.0]


def test_what_the_provider_asks_for_is_waited_for_and_no_less() -> None:
    assert next_delay(1, waiting(20.0), 0.0, POLICY) == 20.5
    assert next_delay(1, waiting(61.0), 0.0, POLICY) is None


def test_what_cannot_pass_is_not_waited_for() -> None:
    assert next_delay(1, ModelError("bad_key", "No."), 0.0, POLICY) is None


@given(
    attempt=st.integers(min_value=1, max_value=100),
    rand=st.floats(min_value=0, max_value=1, exclude_max=True),
    asked=st.none() | st.floats(min_value=0, max_value=1e6),
)
def test_every_wait_is_bounded_and_honours_the_provider(attempt: int, rand: float, asked: float | None) -> None:
    delay = next_delay(attempt, ModelError("overloaded", "Busy.", retry_after=asked), rand, POLICY)

    assert delay is None or (asked or 0) <= delay <= 2 * POLICY.longest
    assert delay is not None or attempt >= POLICY.attempts or (asked or 0) > POLICY.longest
