"""Every fault of a provider is told apart, and says in one sentence what the user can do."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from teamwright.config.presets import ApiKind
from teamwright.models.errors import ErrorKind, ModelError
from teamwright.models.factory import Models
from teamwright.models.faults import ProviderWords, Target, provider_fault, quoted, retry_after_seconds
from teamwright.models.port import ModelRequest
from tests.models.asking import (
    KEY,
    KEY_VARIABLE,
    WIRES,
    answer_of,
    asking,
    backend,
    backend_at,
    hasty,
    named,
    text_of,
)
from tests.support.model_server import (
    Failure,
    ModelServer,
    Reply,
    context_exceeded,
    empty,
    fails,
    hangs_up,
    never_answers,
    out_of_quota,
    text,
)

every_wire = pytest.mark.parametrize("wire", WIRES)


async def fault(
    providers: Models, models: ModelServer, wire: ApiKind, reply: Reply, request: ModelRequest
) -> ModelError:
    """The error that is left when every try meets the same reply."""
    models.model("alpha").always(reply)
    with pytest.raises(ModelError) as caught:
        await answer_of(providers.open(backend(models, wire)), request)
    assert KEY not in str(caught.value)
    return caught.value


@every_wire
@pytest.mark.parametrize(
    ("reply", "kind", "tries"),
    [
        (fails(400), "bad_request", 1),
        (fails(401), "bad_key", 1),
        (fails(403), "not_permitted", 1),
        (fails(404), "unknown_model", 1),
        (fails(408), "timeout", 3),
        (fails(413), "too_large", 1),
        (fails(429), "rate_limited", 3),
        (out_of_quota(), "out_of_credit", 1),
        (fails(500), "server_error", 3),
        (fails(503), "overloaded", 3),
        (fails(529), "overloaded", 3),
        (context_exceeded(), "context_length_exceeded", 1),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
@pytest.mark.asyncio
async def test_every_status_has_its_kind_and_only_what_may_pass_is_retried(
    *, wire: ApiKind, reply: Failure, kind: ErrorKind, tries: int, providers: Models, models: ModelServer
) -> None:
    error = await fault(providers, models, wire, reply, asking())

    assert error.kind == kind
    assert len(models.requests) == tries


@every_wire
@pytest.mark.asyncio
async def test_a_refused_key_names_the_variable_to_set(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    models.requires_key("another")

    error = await fault(providers, models, wire, text("Hi"), asking())

    assert error.message == f"{named(wire, models.url)} refused the key: set {KEY_VARIABLE} to a valid key."


@pytest.mark.asyncio
async def test_a_missing_key_is_reported_before_anything_is_sent(models: ModelServer) -> None:
    async with Models({}) as providers:
        with pytest.raises(ModelError) as caught:
            await answer_of(providers.open(backend(models)), asking())

    assert caught.value.kind == "bad_key"
    assert caught.value.message == f"{named('openai_chat', models.url)} needs a key: set {KEY_VARIABLE} to a valid key."
    assert models.requests == []


@pytest.mark.asyncio
async def test_the_line_break_behind_a_pasted_key_does_no_harm(models: ModelServer) -> None:
    models.requires_key(KEY)
    models.model("alpha").replies(text("Hi"))
    async with Models({KEY_VARIABLE: f" {KEY}\n"}) as providers:
        assert text_of(await answer_of(providers.open(backend(models)), asking())) == "Hi"


@pytest.mark.parametrize("key", ["sk-\u201cpasted\u201d", "sk-one\nsk-two"])
@pytest.mark.asyncio
async def test_a_key_that_cannot_be_sent_is_reported_without_quoting_it(key: str, models: ModelServer) -> None:
    async with Models({KEY_VARIABLE: key}) as providers:
        with pytest.raises(ModelError) as caught:
            await answer_of(providers.open(backend(models)), asking())

    assert caught.value.kind == "bad_key"
    named_host = named("openai_chat", models.url)
    assert (
        caught.value.message == f"The key for {named_host} holds what no key does: set {KEY_VARIABLE} to a valid key."
    )
    assert models.requests == []


@every_wire
@pytest.mark.asyncio
async def test_what_the_provider_objects_to_is_quoted_without_secrets(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    complaint = f"max_tokens is wrong for {KEY}, see https://me:pass@example.com/docs"

    error = await fault(providers, models, wire, fails(400, complaint), asking())

    assert error.message.endswith("max_tokens is wrong for ***, see https://example.com/docs")


@every_wire
@pytest.mark.parametrize("kind", ["overloaded", "rate_limited", "server_error"])
@pytest.mark.asyncio
async def test_an_error_inside_the_stream_is_told_apart_too(
    wire: ApiKind, kind: ErrorKind, providers: Models, models: ModelServer
) -> None:
    status = {"overloaded": 529, "rate_limited": 429, "server_error": 500}[kind]

    error = await fault(providers, models, wire, text("One two three").breaks(fails(status), after=1), asking())

    assert error.kind == kind


@every_wire
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (text("One two three").cut(after=1), "connection"),
        (text("One two three").ends_before("finish"), "truncated_stream"),
        (text("One two").with_lines("data: {not json}", "", after=1), "garbled_stream"),
        (text("One two").with_lines("data: [1, 2]", "", after=1), "garbled_stream"),
        (empty(), "empty_answer"),
        (text(" \n"), "empty_answer"),
        (hangs_up(), "connection"),
    ],
    ids=["cut", "truncated", "no JSON", "no event", "empty", "blank", "hung up"],
)
@pytest.mark.asyncio
async def test_an_answer_that_breaks_off_is_an_error_and_never_a_short_answer(
    wire: ApiKind, reply: Reply, kind: ErrorKind, providers: Models, models: ModelServer
) -> None:
    error = await fault(providers, models, wire, reply, asking())

    assert error.kind == kind
    assert len(models.requests) == 3


@every_wire
@pytest.mark.asyncio
async def test_silence_within_an_answer_is_a_stall(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    error = await fault(providers, models, wire, text("One two").stalls(after=1), asking(deadlines=hasty(idle=0.1)))

    assert error.kind == "stalled"
    assert error.message == f"{named(wire, models.url)} fell silent in mid-answer for 0.1 s: try again. (3 tries)"


@every_wire
@pytest.mark.asyncio
async def test_a_provider_that_never_begins_is_given_up(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    error = await fault(providers, models, wire, never_answers(), asking(deadlines=hasty(first_byte=0.1)))

    assert error.kind == "timeout"
    assert "did not begin to answer within 0.1 s" in error.message


@every_wire
@pytest.mark.asyncio
async def test_the_whole_answer_has_a_deadline_that_signs_of_life_do_not_move(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    endless = text(*["again "] * 1000).paced(0.02)

    error = await fault(providers, models, wire, endless, asking(deadlines=hasty(whole=0.3)))

    assert error.kind == "timeout"
    assert "took too long to answer" in error.message
    assert len(models.requests) == 1, "the deadline covers the retries"


@pytest.mark.asyncio
async def test_the_configured_time_of_a_call_is_kept(providers: Models, models: ModelServer) -> None:
    models.model("alpha").always(text(*["again "] * 1000).paced(0.02))
    with pytest.raises(ModelError, match="took too long to answer"):
        await answer_of(providers.open(backend(models, timeout_seconds=0.3)), asking())


@every_wire
@pytest.mark.asyncio
async def test_a_server_that_is_not_there_is_named_with_its_address(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    url = models.refusing_url
    with pytest.raises(ModelError) as caught:
        await answer_of(providers.open(backend_at(url, wire)), asking())

    assert caught.value.kind == "connection"
    assert caught.value.message.startswith(named(wire, url))
    assert f"{url.removeprefix('http://')} cannot be reached: start it, or correct base_url." in caught.value.message


@every_wire
@pytest.mark.asyncio
async def test_a_key_does_not_follow_a_redirect(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    elsewhere = {"location": f"{models.url}/elsewhere"}

    error = await fault(providers, models, wire, fails(307, headers=elsewhere), asking())

    assert "redirects to another address (HTTP 307): set base_url to that one." in error.message
    assert len(models.requests) == 1


NOW = datetime(2026, 11, 16, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Mon, 16 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 16 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
    ],
)
def test_a_wait_is_understood_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_seconds(headers, NOW) == seconds


@every_wire
@pytest.mark.asyncio
async def test_the_wait_that_a_provider_asks_for_is_kept_on_the_error(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    in_seconds = await fault(providers, models, wire, fails(429, retry_after=3600), asking())
    in_an_hour = datetime.now(UTC) + timedelta(hours=1)
    at_a_date = await fault(providers, models, wire, fails(429, retry_after=in_an_hour), asking())

    assert in_seconds.retry_after == 3600
    assert at_a_date.retry_after == pytest.approx(3600, abs=5)


TARGET = Target("Acme", "roadrunner", host="acme.example")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (ProviderWords("This model's maximum context length is 8192 tokens.", status=400), "context_length_exceeded"),
        (ProviderWords("the request exceeds the available context size", status=400), "context_length_exceeded"),
        (ProviderWords("The input token count (9) exceeds the maximum", status=400), "context_length_exceeded"),
        (ProviderWords("API key not valid. Please pass a valid API key.", status=400), "bad_key"),
        (ProviderWords("Your credit balance is too low", status=400), "out_of_credit"),
        (ProviderWords("", code="content_filter", status=400), "content_filter"),
        (ProviderWords.of_body({"error": {"code": 502, "message": "Bad gateway"}}), "server_error"),
        (ProviderWords.of_body({"error": {"code": 429, "message": "Slow down"}}), "rate_limited"),
        (ProviderWords.of_body({"error": "model runner has unexpectedly stopped"}, 500), "server_error"),
        (ProviderWords.of_body("upstream timed out", 504), "timeout"),
        (ProviderWords.of_body(None, 418), "bad_request"),
    ],
)
def test_imitators_are_understood_by_what_they_say(words: ProviderWords, kind: ErrorKind) -> None:
    assert provider_fault(TARGET, words).kind == kind


def test_a_quote_is_short_and_holds_no_secret() -> None:
    assert quoted("a\nb  c") == "a b c"
    assert quoted("key sk-abc***********xyz1234 is bad") == "key *** is bad"
    assert quoted("key 0123456789abcdef0123456789abcdef is bad") == "key *** is bad"
    assert quoted("the keyboard of claude-sonnet-5-5 is fine") == "the keyboard of claude-sonnet-5-5 is fine"
    assert len(quoted("long " * 1000)) < 320


def test_an_error_says_by_itself_whether_trying_again_can_help() -> None:
    words = ProviderWords(status=529)
    assert provider_fault(TARGET, words).retryable
    assert not provider_fault(TARGET, replace(words, status=401)).retryable
