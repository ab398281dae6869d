"""What a call costs, and how many tokens a request will have."""

import pytest

from teamwright.config.backend_settings import PriceSettings
from teamwright.models.cost import DEFAULT_LOCAL_WINDOW, DEFAULT_WINDOW, ConfiguredPrice, ModelFacts
from teamwright.models.factory import Models
from teamwright.models.metering import FIRST_CHARACTERS_PER_TOKEN, TOKENS_PER_IMAGE, TokenEstimate
from teamwright.models.port import (
    Image,
    ModelReply,
    ModelRequest,
    ModelToolCall,
    ModelUsage,
    ToolResultMessage,
    UserPrompt,
)
from teamwright.protocol.usage import Usage
from tests.models.asking import VOTE, answer_of, asking, backend
from tests.support.model_server import ModelServer, text
from tests.support.model_server import Usage as Used

USAGE = Usage(input_tokens=1_000_000, output_tokens=100_000, cached_tokens=500_000, calls=1)
OPENAI = "https://api.openai.com/v1"
ANTHROPIC = "https://api.anthropic.com"


@pytest.mark.asyncio
async def test_a_known_model_has_its_public_price_and_window() -> None:
    facts = ModelFacts("claude-sonnet-5-5", ANTHROPIC)

    plain = await facts.cost_usd(Usage(input_tokens=1_000_000, calls=1))
    cached = await facts.cost_usd(Usage(input_tokens=1_000_000, cached_tokens=1_000_000, calls=1))
    written = await facts.cost_usd(Usage(input_tokens=1_000_000, calls=1), 1_000_000)

    assert plain is not None
    assert cached is not None
    assert written is not None
    assert 0 < cached < plain < written
    assert await facts.window() > DEFAULT_WINDOW


@pytest.mark.asyncio
async def test_an_unknown_price_is_unknown_and_never_zero() -> None:
    assert await ModelFacts("no-such-model", OPENAI).cost_usd(USAGE) is None
    assert await ModelFacts("gpt-5", "https://models.example/v1").cost_usd(USAGE) is None
    assert await ModelFacts("llama", None, is_local=True).cost_usd(USAGE) is None
    assert await ModelFacts("gemma-3", "https://generativelanguage.googleapis.com/v1").cost_usd(USAGE) is None


@pytest.mark.asyncio
async def test_a_configured_price_and_window_come_first() -> None:
    price = ConfiguredPrice(input=2.0, output=10.0, cached=0.2)
    facts = ModelFacts("gpt-5", OPENAI, configured_window=4096, configured_price=price)

    assert await facts.cost_usd(USAGE) == pytest.approx(1.0 + 0.1 + 1.0)
    assert await facts.window() == 4096


@pytest.mark.asyncio
async def test_a_window_that_nobody_knows_is_small() -> None:
    assert await ModelFacts("no-such-model", OPENAI).window() == DEFAULT_WINDOW
    assert await ModelFacts("llama", None, is_local=True).window() == DEFAULT_LOCAL_WINDOW


@pytest.mark.asyncio
async def test_a_model_knows_its_configured_window(providers: Models, models: ModelServer) -> None:
    assert await providers.open(backend(models, context_window=1234)).window() == 1234


@pytest.mark.asyncio
async def test_a_call_costs_what_the_backend_is_configured_to_cost(providers: Models, models: ModelServer) -> None:
    models.model("alpha").replies(text("Fine.").costing(Used(input=1000, output=100, cached=400)))
    price = PriceSettings(input_per_mtok=2, output_per_mtok=10, cached_per_mtok=0.5)

    parts = await answer_of(providers.open(backend(models, price=price)), asking())

    (report,) = [part for part in parts if isinstance(part, ModelUsage)]
    assert report.cost_usd == pytest.approx((600 * 2 + 400 * 0.5 + 100 * 10) / 1_000_000)


@pytest.mark.asyncio
async def test_a_configured_price_comes_before_the_one_that_the_provider_says() -> None:
    said = ModelUsage(Usage(input_tokens=1_000_000, calls=1), cost_usd=5.0)

    assert await ModelFacts("alpha", None).cost_of(said) == 5.0
    assert await ModelFacts("alpha", None, configured_price=ConfiguredPrice(0, 0)).cost_of(said) == 0.0


def test_everything_that_is_sent_counts() -> None:
    empty = TokenEstimate().tokens(ModelRequest(()))
    seven = "x" * 700
    parts = [
        ModelRequest((), system=seven),
        ModelRequest((UserPrompt(seven),)),
        ModelRequest((ModelReply(seven),)),
        ModelRequest((ModelReply("", (ModelToolCall("c1", "vote", {"reason": seven}),)),)),
        ModelRequest((ToolResultMessage("c1", seven),)),
    ]

    assert empty == 0
    assert all(200 <= TokenEstimate().tokens(request) < 220 for request in parts)
    assert TokenEstimate().tokens(asking("", VOTE)) > 20
    assert TokenEstimate().tokens(ModelRequest((UserPrompt("", (Image(b"", "image/png"),)),))) > TOKENS_PER_IMAGE


@pytest.mark.asyncio
async def test_the_estimate_learns_from_what_the_provider_counts(providers: Models, models: ModelServer) -> None:
    models.model("alpha").always(text("Fine.").costing(Used(input=2000, output=1)))
    model = providers.open(backend(models))
    request = asking("x" * 4000)
    guesses = [model.estimated_tokens(request)]
    for _ in range(12):
        await answer_of(model, request)
        guesses.append(model.estimated_tokens(request))

    assert guesses == sorted(guesses)
    assert guesses[0] == round(4016 / FIRST_CHARACTERS_PER_TOKEN)
    assert guesses[-1] == pytest.approx(2000, rel=0.02)


def test_one_odd_request_does_not_turn_the_estimate_round() -> None:
    estimate = TokenEstimate()
    estimate.learn(asking("x" * 1000), 100_000)
    estimate.learn(ModelRequest((UserPrompt("", (Image(b"", "image/png"),)),)), 1600)
    estimate.learn(asking("x" * 1000), 0)

    assert 2.5 < estimate.characters_per_token < FIRST_CHARACTERS_PER_TOKEN
