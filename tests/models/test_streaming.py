"""An answer as it comes, the same from every provider."""

import pytest

from teamwright.config.presets import ApiKind
from teamwright.models.factory import Models
from teamwright.models.port import ModelUsage, ReasoningDelta, StreamFinished, TextDelta
from teamwright.protocol.usage import Usage
from tests.models.asking import WIRES, answer_of, asking, backend, text_of
from tests.support.model_server import ModelServer, Quirks, answer, filtered, refuses, text, thinking
from tests.support.model_server import Usage as Used

every_wire = pytest.mark.parametrize("wire", WIRES)


@every_wire
@pytest.mark.asyncio
async def test_reasoning_and_text_come_apart_and_in_their_order(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(answer(thinking("Let me ", "see."), "Hello there"))

    parts = await answer_of(providers.open(backend(models, wire)), asking("Hi"))

    assert parts[:-2] == [
        ReasoningDelta("Let me "),
        ReasoningDelta("see."),
        TextDelta("Hello "),
        TextDelta("there"),
    ]
    assert isinstance(parts[-2], ModelUsage)
    assert isinstance(parts[-1], StreamFinished)
    assert parts[-1].reason == "stop"


@every_wire
@pytest.mark.asyncio
async def test_usage_counts_all_input_and_says_how_much_was_cached(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(text("Hi").costing(Used(input=1000, output=20, cached=600, cache_written=100)))

    parts = await answer_of(providers.open(backend(models, wire)), asking())

    reported = next(part for part in parts if isinstance(part, ModelUsage))
    assert reported.usage == Usage(input_tokens=1000, output_tokens=20, cached_tokens=600, calls=1)
    assert not reported.estimated
    assert reported.cost_usd is None, "the price of a scripted model is not known, and is not zero"


@every_wire
@pytest.mark.asyncio
async def test_every_character_survives_lines_and_reads_that_split_it(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    said = ("a\u2028b\u2029c\x85d", "🙂 é\r\n", "data: [DONE]\n\n")
    models.model("alpha").replies(text(*said).in_writes_of(1).with_crlf(), text(*said).with_keep_alives())
    model = providers.open(backend(models, wire))

    assert text_of(await answer_of(model, asking())) == "".join(said)
    assert text_of(await answer_of(model, asking())) == "".join(said)


@every_wire
@pytest.mark.asyncio
async def test_an_answer_cut_at_the_limit_says_so(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    models.model("alpha").replies(text("Once upon a").truncated())

    parts = await answer_of(providers.open(backend(models, wire)), asking())

    assert text_of(parts) == "Once upon a"
    assert parts[-1] == StreamFinished("length")


@every_wire
@pytest.mark.asyncio
async def test_a_filtered_answer_and_a_refusal_say_so(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    models.model("alpha").replies(filtered("I was about to"), refuses("I will not."))
    model = providers.open(backend(models, wire))

    stopped, refused = await answer_of(model, asking()), await answer_of(model, asking())

    assert (text_of(stopped), stopped[-1]) == ("I was about to", StreamFinished("content_filter"))
    assert (text_of(refused), refused[-1]) == ("I will not.", StreamFinished("content_filter"))


@pytest.mark.asyncio
async def test_anthropic_stopping_at_the_window_is_an_answer_cut_short(providers: Models, models: ModelServer) -> None:
    models.model("alpha").replies(text("Once upon a").overflowing())

    parts = await answer_of(providers.open(backend(models, "anthropic")), asking())

    assert parts[-1] == StreamFinished("length")


@pytest.mark.asyncio
async def test_imitators_may_call_reasoning_by_another_name(providers: Models, models: ModelServer) -> None:
    models.model("alpha").replies(answer(thinking("Hm"), "Hi").with_quirks(Quirks(reasoning_field="reasoning")))

    parts = await answer_of(providers.open(backend(models)), asking())

    assert parts[0] == ReasoningDelta("Hm")


@pytest.mark.asyncio
async def test_usage_that_a_server_does_not_report_is_estimated(providers: Models, models: ModelServer) -> None:
    models.model("alpha").replies(text("x" * 70).with_quirks(Quirks(usage=False)))

    parts = await answer_of(providers.open(backend(models)), asking("y" * 3484))

    assert parts[-2] == ModelUsage(Usage(input_tokens=1000, output_tokens=20, calls=1), cost_usd=None, estimated=True)


@pytest.mark.asyncio
async def test_a_chat_that_said_why_it_ended_is_complete_without_its_last_line(
    providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(text("All said").ends_before("done"))

    parts = await answer_of(providers.open(backend(models)), asking())

    assert (text_of(parts), parts[-1]) == ("All said", StreamFinished("stop"))
