"""The providers' HTTP errors, as their own clients report them."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import anthropic as anthropic_sdk
import httpx2
import openai as openai_sdk
import pytest
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from tests.support.model_server import (
    Failure,
    ModelServer,
    context_exceeded,
    fails,
    hangs_up,
    never_answers,
    out_of_quota,
    text,
)

Ask = Callable[[], Awaitable[object]]


@pytest.fixture
def ask_chat(openai: AsyncOpenAI) -> Ask:
    return lambda: openai.chat.completions.create(model="alpha", messages=[{"role": "user", "content": "Hi"}])


@pytest.fixture
def ask_responses(openai: AsyncOpenAI) -> Ask:
    return lambda: openai.responses.create(model="alpha", input="Hi")


@pytest.fixture(params=["ask_chat", "ask_responses"])
def ask_openai(request: pytest.FixtureRequest) -> Ask:
    return request.getfixturevalue(request.param)


@pytest.fixture
def ask_anthropic(anthropic: AsyncAnthropic) -> Ask:
    return lambda: anthropic.messages.create(model="alpha", max_tokens=10, messages=[{"role": "user", "content": "Hi"}])


@pytest.mark.parametrize(
    ("failure", "error", "named"),
    [
        (fails(400), openai_sdk.BadRequestError, ("invalid_request_error", None)),
        (fails(401), openai_sdk.AuthenticationError, ("invalid_request_error", "invalid_api_key")),
        (fails(403), openai_sdk.PermissionDeniedError, ("request_forbidden", "unsupported_country_region_territory")),
        (fails(404), openai_sdk.NotFoundError, ("invalid_request_error", "model_not_found")),
        (fails(408), openai_sdk.APIStatusError, ("server_error", None)),
        (fails(413), openai_sdk.APIStatusError, ("invalid_request_error", "request_too_large")),
        (fails(429), openai_sdk.RateLimitError, ("tokens", "rate_limit_exceeded")),
        (out_of_quota(), openai_sdk.RateLimitError, ("insufficient_quota", "insufficient_quota")),
        (context_exceeded(), openai_sdk.BadRequestError, ("invalid_request_error", "context_length_exceeded")),
        (fails(500), openai_sdk.InternalServerError, ("server_error", None)),
        (fails(503), openai_sdk.InternalServerError, ("server_error", None)),
    ],
)
@pytest.mark.asyncio
async def test_openai_names_each_fault_by_type_and_code(
    models: ModelServer,
    ask_openai: Ask,
    failure: Failure,
    error: type[openai_sdk.APIStatusError],
    named: tuple[str, str | None],
) -> None:
    models.model("alpha").replies(failure)
    with pytest.raises(error) as raised:
        await ask_openai()
    assert raised.value.status_code == failure.fault.status
    assert (raised.value.type, raised.value.code) == named


@pytest.mark.parametrize(
    ("failure", "error", "kind"),
    [
        (fails(400), anthropic_sdk.BadRequestError, "invalid_request_error"),
        (fails(401), anthropic_sdk.AuthenticationError, "authentication_error"),
        (fails(403), anthropic_sdk.PermissionDeniedError, "permission_error"),
        (fails(404), anthropic_sdk.NotFoundError, "not_found_error"),
        (fails(408), anthropic_sdk.APIStatusError, "timeout_error"),
        (fails(413), anthropic_sdk.APIStatusError, "request_too_large"),
        (fails(429), anthropic_sdk.RateLimitError, "rate_limit_error"),
        (context_exceeded(), anthropic_sdk.BadRequestError, "invalid_request_error"),
        (fails(500), anthropic_sdk.InternalServerError, "api_error"),
        (fails(503), anthropic_sdk.APIStatusError, "api_error"),
        (fails(529), anthropic_sdk.APIStatusError, "overloaded_error"),
    ],
)
@pytest.mark.asyncio
async def test_anthropic_names_each_fault_by_type(
    models: ModelServer,
    ask_anthropic: Ask,
    failure: Failure,
    error: type[anthropic_sdk.APIStatusError],
    kind: str,
) -> None:
    models.model("alpha").replies(failure)
    with pytest.raises(error) as raised:
        await ask_anthropic()
    body: Any = raised.value.body
    assert (raised.value.status_code, body["type"], body["error"]["type"]) == (failure.fault.status, "error", kind)
    assert raised.value.request_id == body["request_id"]


@pytest.mark.asyncio
async def test_a_context_that_is_too_long_is_said_in_the_words_of_each_provider(
    models: ModelServer, ask_chat: Ask, ask_responses: Ask, ask_anthropic: Ask
) -> None:
    models.model("alpha").always(context_exceeded())
    sentences: list[str] = []
    for ask in (ask_chat, ask_responses, ask_anthropic):
        with pytest.raises((openai_sdk.BadRequestError, anthropic_sdk.BadRequestError)) as raised:
            await ask()
        body: Any = raised.value.body
        sentences.append(body.get("error", body)["message"])
    assert [sentence.partition(". ")[0] for sentence in sentences] == [
        "This model's maximum context length is 128000 tokens",
        "Your input exceeds the context window of this model",
        "prompt is too long: 210000 tokens > 200000 maximum",
    ]


@pytest.mark.asyncio
async def test_retry_after_is_sent_in_seconds_or_as_a_date(models: ModelServer, ask_chat: Ask) -> None:
    later = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
    models.model("alpha").replies(fails(429, retry_after=7), fails(429, retry_after=later))
    sent: list[str] = []
    for _ in range(2):
        with pytest.raises(openai_sdk.RateLimitError) as raised:
            await ask_chat()
        sent.append(raised.value.response.headers["retry-after"])
    assert sent == ["7", "Wed, 02 Jan 2030 03:04:05 GMT"]
    assert parsedate_to_datetime(sent[1]) == later


@pytest.mark.asyncio
async def test_a_client_that_retries_gets_the_reply_after_the_failure(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(fails(503, headers={"retry-after-ms": "1"}), text("Here again"))
    patient = openai.with_options(max_retries=1)
    completion = await patient.chat.completions.create(model="alpha", messages=[{"role": "user", "content": "Hi"}])
    assert completion.choices[0].message.content == "Here again"
    assert len(models.requests_to("alpha")) == 2


@pytest.mark.asyncio
async def test_a_wrong_key_is_refused_once_a_key_is_required(
    models: ModelServer, ask_chat: Ask, ask_anthropic: Ask
) -> None:
    models.requires_key("sk-scripted-openai")
    models.model("alpha").replies(text("Welcome"))
    await ask_chat()
    with pytest.raises(anthropic_sdk.AuthenticationError, match="invalid x-api-key"):
        await ask_anthropic()
    assert [request.key for request in models.requests] == ["sk-scripted-openai", "sk-scripted-anthropic"]


@pytest.mark.asyncio
async def test_nobody_listens_at_the_refusing_address(models: ModelServer) -> None:
    async with AsyncOpenAI(base_url=models.refusing_url, api_key="sk", max_retries=0) as client:
        with pytest.raises(openai_sdk.APIConnectionError):
            await client.models.list()


@pytest.mark.asyncio
async def test_a_server_that_hangs_up_is_a_connection_error(models: ModelServer, ask_chat: Ask) -> None:
    models.model("alpha").replies(hangs_up())
    with pytest.raises(openai_sdk.APIConnectionError):
        await ask_chat()


@pytest.mark.asyncio
async def test_a_server_that_never_answers_runs_into_the_deadline_of_the_client(
    models: ModelServer, openai: AsyncOpenAI
) -> None:
    models.model("alpha").replies(never_answers())
    # Its patience is for the answer alone: the request is to arrive, however busy the machine is.
    hasty = openai.with_options(timeout=httpx2.Timeout(None, read=0.05))
    with pytest.raises(openai_sdk.APITimeoutError):
        await hasty.responses.create(model="alpha", input="Hi")
    await models.received(1)
    await models.requests[0].disconnected()
