"""How scripts are played: in order, by rule, and loudly when they do not foresee a call."""

import openai as openai_sdk
import pytest
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionToolParam

from tests.support.model_server import ModelServer, Reply, Request, calls, fails, text, tool

VOTE: ChatCompletionToolParam = {
    "type": "function",
    "function": {
        "name": "vote",
        "parameters": {
            "type": "object",
            "properties": {"agent_id": {"type": "string", "enum": ["agent1", "agent2"]}, "reason": {"type": "string"}},
        },
    },
}


async def said(client: AsyncOpenAI, model: str = "alpha") -> str:
    completion = await client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": f"Hi, {model}"}]
    )
    return completion.choices[0].message.content or ""


@pytest.mark.asyncio
async def test_each_model_plays_its_own_replies_in_order(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("one"), text("two"))
    models.model("beta").replies(text("uno"))
    assert [await said(openai, name) for name in ("alpha", "beta", "alpha")] == ["one", "uno", "two"]
    assert [request.model for request in models.requests] == ["alpha", "beta", "alpha"]


@pytest.mark.asyncio
async def test_what_is_left_of_a_script_can_be_counted(models: ModelServer, openai: AsyncOpenAI) -> None:
    script = models.model("alpha").replies(text("one"), text("two"))
    await said(openai)
    assert script.unused == 1


@pytest.mark.asyncio
async def test_a_rule_answers_whatever_the_list_does_not(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("first")).always(lambda request: text(f"request {request.order}"))
    assert [await said(openai) for _ in range(3)] == ["first", "request 2", "request 3"]


@pytest.mark.asyncio
async def test_a_rule_votes_for_a_label_that_it_was_shown(models: ModelServer, openai: AsyncOpenAI) -> None:
    def votes_for_the_last(request: Request) -> Reply:
        return calls(tool("vote", agent_id=request.choices("vote", "agent_id")[-1], reason="It is last."))

    models.model("alpha").replies(votes_for_the_last)
    completion = await openai.chat.completions.create(
        model="alpha", messages=[{"role": "user", "content": "Vote."}], tools=[VOTE]
    )
    (call,) = completion.choices[0].message.tool_calls or []
    assert call.to_dict()["function"] == {
        "name": "vote",
        "arguments": '{"agent_id":"agent2","reason":"It is last."}',
    }


@pytest.mark.asyncio
async def test_a_call_too_many_fails_at_once_and_fails_the_test(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.model("alpha").replies(text("only this"))
    await said(openai)
    with pytest.raises(openai_sdk.InternalServerError, match="'alpha' has no reply left for request 2"):
        await said(openai.with_options(max_retries=5))
    with pytest.raises(AssertionError, match="'alpha' has no reply left for request 2"):
        models.check()
    assert len(models.requests) == 2


@pytest.mark.asyncio
async def test_a_model_without_a_script_is_a_complaint(models: ModelServer, anthropic: AsyncAnthropic) -> None:
    with pytest.raises(Exception, match="there is no script for the model 'ghost'"):
        await anthropic.messages.create(model="ghost", max_tokens=1, messages=[{"role": "user", "content": "Hi"}])
    assert models.take_complaints() == [
        "request 1 (POST /v1/messages): there is no script for the model 'ghost'",
    ]


@pytest.mark.asyncio
async def test_a_rule_that_raises_fails_the_test_with_its_traceback(models: ModelServer, openai: AsyncOpenAI) -> None:
    def forgetful(request: Request) -> Reply:
        return text(request.headers["x-forgotten"])

    models.model("alpha").replies(forgetful)
    with pytest.raises(openai_sdk.InternalServerError, match="KeyError: 'x-forgotten'"):
        await said(openai)
    (complaint,) = models.take_complaints()
    assert "in forgetful" in complaint


@pytest.mark.asyncio
async def test_what_only_a_stream_can_do_is_a_fault_of_the_script_elsewhere(
    models: ModelServer, openai: AsyncOpenAI
) -> None:
    models.model("alpha").replies(text("One").ends_before("done"))
    with pytest.raises(openai_sdk.InternalServerError, match="only a streamed reply can miss its end"):
        await said(openai)
    assert len(models.take_complaints()) == 1


@pytest.mark.asyncio
async def test_an_unknown_path_is_a_complaint(models: ModelServer, openai: AsyncOpenAI) -> None:
    with pytest.raises(openai_sdk.NotFoundError, match="nobody serves POST /v1/embeddings"):
        await openai.embeddings.create(model="alpha", input="Hi")
    assert len(models.take_complaints()) == 1


@pytest.mark.asyncio
async def test_the_models_of_the_scripts_are_listed_to_both_clients(
    models: ModelServer, openai: AsyncOpenAI, anthropic: AsyncAnthropic
) -> None:
    models.model("alpha")
    models.model("beta")
    assert [model.id async for model in openai.models.list()] == ["alpha", "beta"]
    assert [(model.id, model.display_name) async for model in anthropic.models.list()] == [
        ("alpha", "Alpha"),
        ("beta", "Beta"),
    ]
    assert (await openai.models.retrieve("alpha")).owned_by == "scripted"
    assert (await anthropic.models.retrieve("beta")).type == "model"
    with pytest.raises(openai_sdk.NotFoundError):
        await openai.models.retrieve("gamma")


@pytest.mark.asyncio
async def test_the_list_of_models_may_fail_first(models: ModelServer, openai: AsyncOpenAI) -> None:
    models.listing.replies(fails(401))
    with pytest.raises(openai_sdk.AuthenticationError):
        await openai.models.list()
    assert [model.id async for model in openai.models.list()] == []
