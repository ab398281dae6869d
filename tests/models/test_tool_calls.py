"""A tool runs only from a complete call; every other call goes back to the model with a sentence it can act on."""

import pytest

from teamwright.config.presets import ApiKind
from teamwright.models.errors import ModelError
from teamwright.models.factory import Models
from teamwright.models.port import (
    ModelReply,
    ModelRequest,
    ModelToolCall,
    StreamFinished,
    ToolArgumentsDelta,
    ToolCallCompleted,
    ToolCallStarted,
    ToolResultMessage,
    UserPrompt,
)
from tests.models.asking import VOTE, WIRES, answer_of, asking, backend, calls_of, problems_of, text_of
from tests.support.model_server import ModelServer, Quirks, answer, calls, fails, raw_tool, text, tool

every_wire = pytest.mark.parametrize("wire", WIRES)


@every_wire
@pytest.mark.asyncio
async def test_a_call_begins_grows_and_is_complete_with_the_answer(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(answer("I vote.", raw_tool("vote", '{"agent_id":', ' "agent1"}').with_id("c1")))

    parts = await answer_of(providers.open(backend(models, wire)), asking("Vote", VOTE))

    assert [part for part in parts if isinstance(part, ToolCallStarted | ToolArgumentsDelta)] == [
        ToolCallStarted("c1", "vote"),
        ToolArgumentsDelta("c1", '{"agent_id":'),
        ToolArgumentsDelta("c1", ' "agent1"}'),
    ]
    assert parts[-2:] == [
        ToolCallCompleted(ModelToolCall("c1", "vote", {"agent_id": "agent1"})),
        StreamFinished("tool_calls"),
    ]


@every_wire
@pytest.mark.asyncio
async def test_several_calls_of_one_answer_are_told_apart(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(calls(tool("vote", agent_id="agent1"), tool("vote", agent_id="agent2")))

    parts = await answer_of(providers.open(backend(models, wire)), asking("Vote", VOTE))

    assert [call.arguments for call in calls_of(parts)] == [{"agent_id": "agent1"}, {"agent_id": "agent2"}]
    assert len({call.call_id for call in calls_of(parts)}) == 2


@pytest.mark.parametrize(
    "quirks", [Quirks(tool_index=False), Quirks(interleaved_calls=True)], ids=["no index", "mixed"]
)
@pytest.mark.asyncio
async def test_servers_that_order_their_fragments_differently_are_understood(
    quirks: Quirks, providers: Models, models: ModelServer
) -> None:
    scripted = calls(tool("vote", agent_id="agent1", reason="short"), tool("vote", agent_id="agent2", reason="clear"))
    models.model("alpha").replies(scripted.with_quirks(quirks))

    parts = await answer_of(providers.open(backend(models)), asking("Vote", VOTE))

    assert [call.arguments for call in calls_of(parts)] == [
        {"agent_id": "agent1", "reason": "short"},
        {"agent_id": "agent2", "reason": "clear"},
    ]


@every_wire
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ('{"agent_id": "agent1"', "not valid JSON"),
        ('{"agent_id": "agent1", "agent_id": "agent2"}', "the key 'agent_id' stands in them twice"),
        ('{"agent_id": NaN}', "NaN is no JSON value"),
        ('["agent1"]', "must be one JSON object"),
        ('{"agent_id": 1}', "agent_id: 1 is not of type 'string'"),
        ('{"agent_id": "a", "why": "b"}', "'why' was unexpected"),
        ("", "'agent_id' is a required property"),
        ("[" * 100_000, "nested too deeply"),
    ],
    ids=["torn", "twice", "NaN", "list", "type", "unknown", "empty", "deep"],
)
@pytest.mark.asyncio
async def test_arguments_that_do_not_fit_are_described_to_the_model(
    arguments: str, problem: str, wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(calls(raw_tool("vote", arguments, "")))

    parts = await answer_of(providers.open(backend(models, wire)), asking("Vote", VOTE))

    assert calls_of(parts) == []
    assert len(problems_of(parts)) == 1
    assert problem in problems_of(parts)[0]
    assert parts[-1] == StreamFinished("tool_calls")


@every_wire
@pytest.mark.asyncio
async def test_an_unknown_tool_is_answered_with_the_known_ones(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(calls(tool("elect", agent_id="agent1")))

    parts = await answer_of(providers.open(backend(models, wire)), asking("Vote", VOTE))

    assert problems_of(parts) == ["There is no tool 'elect'. Call one of: vote."]


@every_wire
@pytest.mark.asyncio
async def test_a_call_that_was_cut_off_does_not_run_even_if_it_looks_whole(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(calls(tool("vote", agent_id="agent1")).truncated())

    parts = await answer_of(providers.open(backend(models, wire)), asking("Vote", VOTE))

    assert calls_of(parts) == []
    assert problems_of(parts) == ["The answer was cut off, so vote was not called. Call it again, with less text."]
    assert parts[-1] == StreamFinished("length")


@pytest.mark.asyncio
async def test_of_two_calls_with_one_id_the_second_does_not_run(providers: Models, models: ModelServer) -> None:
    first, second = tool("vote", agent_id="agent1").with_id("c1"), tool("vote", agent_id="agent2").with_id("c1")
    models.model("alpha").replies(calls(first, second))

    parts = await answer_of(providers.open(backend(models)), asking("Vote", VOTE))

    assert [call.arguments for call in calls_of(parts)] == [{"agent_id": "agent1"}]
    assert problems_of(parts) == ["Two calls had the id 'c1', so this one was not run. Call it again if it is needed."]


@every_wire
@pytest.mark.asyncio
async def test_ids_that_a_server_counts_anew_in_every_answer_stay_unique(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(calls(tool("vote", agent_id="agent2").with_id("call_0")), text("Done."))
    earlier = (
        UserPrompt("Vote"),
        ModelReply("", (ModelToolCall("call_0", "vote", {"agent_id": "agent1"}),)),
        ToolResultMessage("call_0", "noted"),
    )
    model = providers.open(backend(models, wire))

    (call,) = calls_of(await answer_of(model, ModelRequest(earlier, tools=(VOTE,))))
    later = (*earlier, ModelReply("", (call,)), ToolResultMessage(call.call_id, "noted"))

    assert call.call_id != "call_0"
    assert text_of(await answer_of(model, ModelRequest(later, tools=(VOTE,)))) == "Done."


@pytest.mark.parametrize(
    "complaint",
    [
        "registry.example/tinyllama:latest does not support tools",
        "tools param requires --jinja flag",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ],
)
@pytest.mark.asyncio
async def test_a_model_without_tools_is_shown_the_fenced_form_instead(
    complaint: str, providers: Models, models: ModelServer
) -> None:
    fenced = 'I vote.\n```json\n{"tool": "vote", "arguments": {"agent_id": "agent1"}}\n```'
    models.model("alpha").replies(fails(400, complaint), text(fenced), text(fenced))
    model = providers.open(backend(models))

    first = await answer_of(model, asking("Vote", VOTE))
    second = await answer_of(model, asking("Vote", VOTE))

    for parts in (first, second):
        assert text_of(parts) == "I vote.\n"
        assert [call.arguments for call in calls_of(parts)] == [{"agent_id": "agent1"}]
    offered = [bool(request.tool_names) for request in models.requests]
    assert offered == [True, False, False], "what was learned of the model is remembered"
    assert '"required": ["agent_id"]' in models.requests[1].system


@every_wire
@pytest.mark.asyncio
async def test_the_fenced_form_can_be_asked_for(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    models.model("alpha").replies(text('```json\n{"tool": "vote", "arguments": {"agent_id": "agent1"}}\n```'))

    parts = await answer_of(providers.open(backend(models, wire, tool_calling="fenced")), asking("Vote", VOTE))

    assert [call.arguments for call in calls_of(parts)] == [{"agent_id": "agent1"}]
    assert models.requests[0].tool_names == []


@pytest.mark.asyncio
async def test_no_other_form_is_tried_where_the_providers_own_is_asked_for(
    providers: Models, models: ModelServer
) -> None:
    models.model("alpha").replies(fails(400, "alpha does not support tools"))

    with pytest.raises(ModelError, match="cannot call tools") as caught:
        await answer_of(providers.open(backend(models, tool_calling="native")), asking("Vote", VOTE))

    assert caught.value.kind == "tools_unsupported"
    assert len(models.requests) == 1
