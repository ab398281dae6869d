"""Our tools in the hands of programs: offered as an MCP server, called by the model, and run by nobody but us."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest
from inline_snapshot import snapshot

from teamwright.models.errors import ModelError
from teamwright.models.factory import Models
from teamwright.models.port import (
    ModelReply,
    ModelRequest,
    ModelToolCall,
    ModelUsage,
    NamedTool,
    StreamFinished,
    TextDelta,
    ToolArgumentsDelta,
    ToolCallCompleted,
    ToolCallStarted,
    ToolResultMessage,
    ToolSpec,
    UserPrompt,
)
from teamwright.protocol.usage import Usage
from tests.models.asking import VOTE, answer_of, asking, calls_of, problems_of, text_of
from tests.models.programs import every_program, program
from tests.support.marks import unmarked
from tests.support.programs import calls, garbled_tool, hangs, play, says, tool, uses
from tests.support.programs.installation import Programs
from tests.support.programs.kinds import ProgramName
from tests.support.usage import Usage as Used

VOTED = calls(tool("vote", agent_id="agent1"))
VOTED_IN_TEXT = says('```json\n{"tool": "vote", "arguments": {"agent_id": "agent1"}}\n```')
OLD: dict[ProgramName, str] = {"claude": "2.1.220", "codex": "0.146.9"}

every_old_program = pytest.mark.parametrize("name", list(OLD))
those_that_can_stop = pytest.mark.parametrize("name", ["claude", "gemini"])


@pytest.fixture
def providers(program_house: Models) -> Models:
    return program_house


@every_program
@pytest.mark.asyncio
async def test_a_program_is_shown_our_tools_as_they_are(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    installed = programs.install(name).replies(play(says("I abstain.")))

    parts = await answer_of(providers.open(program(name)), asking("Vote", VOTE, system="Be brief."))

    assert (text_of(parts), parts[-1]) == ("I abstain.", StreamFinished("stop"))
    assert (installed.calls[0].system, installed.calls[0].stdin) == ("Be brief.", "Vote")
    assert installed.calls[0].tools == [
        {
            "name": "vote",
            "description": "Vote for an answer.",
            "inputSchema": VOTE.schema,
            "annotations": {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False},
        }
    ]


@every_program
@pytest.mark.asyncio
async def test_a_call_of_the_model_is_ours_to_run_and_ends_the_answer(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    programs.install(name).replies(play(says("Voting."), VOTED, says("Thank you.")))

    parts = await answer_of(providers.open(program(name)), asking("Vote", VOTE))

    (call,) = calls_of(parts)
    assert (call.name, call.arguments) == ("vote", {"agent_id": "agent1"})
    written = "".join(part.text for part in parts if isinstance(part, ToolArgumentsDelta))
    assert written == '{"agent_id": "agent1"}'
    assert [part for part in parts if not isinstance(part, ToolArgumentsDelta | ModelUsage)] == [
        TextDelta("Voting."),
        ToolCallStarted(call.call_id, "vote"),
        ToolCallCompleted(call),
        StreamFinished("tool_calls"),
    ]


@those_that_can_stop
@pytest.mark.asyncio
async def test_a_program_that_stops_after_the_call_tells_what_it_has_used(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    programs.install(name).replies(play(VOTED, usage=Used(input=100, output=20, cached=60)))

    parts = await answer_of(providers.open(program(name)), asking("Vote", VOTE))

    (report,) = [part for part in parts if isinstance(part, ModelUsage)]
    used = Usage(input_tokens=100, output_tokens=20, cached_tokens=60, calls=1)
    assert report == ModelUsage(used, cost_usd=0.0123 if name == "claude" else None)


@pytest.mark.asyncio
async def test_what_codex_has_used_is_guessed_because_it_is_stopped(providers: Models, programs: Programs) -> None:
    programs.install("codex").replies(play(VOTED))

    parts = await answer_of(providers.open(program("codex")), asking("Vote", VOTE))

    (report,) = [part for part in parts if isinstance(part, ModelUsage)]
    assert report.estimated
    assert report.usage.input_tokens > 0
    assert report.usage.output_tokens > 0


@every_program
@pytest.mark.asyncio
async def test_calls_of_one_message_are_all_taken_where_its_end_can_be_seen(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    both = calls(tool("vote", agent_id="agent1"), tool("vote", agent_id="agent2"))
    programs.install(name).replies(play(both))

    parts = await answer_of(providers.open(program(name)), asking("Vote", VOTE))

    voted = [call.arguments["agent_id"] for call in calls_of(parts)]
    assert voted == (["agent1"] if name == "codex" else ["agent1", "agent2"])
    assert len({call.call_id for call in calls_of(parts)}) == len(voted)


@every_program
@pytest.mark.asyncio
async def test_arguments_that_do_not_fit_are_not_run_and_the_model_is_told_why(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    programs.install(name).replies(play(calls(tool("vote", reason="It is complete."))))

    parts = await answer_of(providers.open(program(name)), asking("Vote", VOTE))

    (problem,) = problems_of(parts)
    assert "'agent_id' is a required property" in problem
    assert (calls_of(parts), parts[-1]) == ([], StreamFinished("tool_calls"))


@pytest.mark.asyncio
async def test_arguments_that_are_no_json_are_not_run(providers: Models, programs: Programs) -> None:
    programs.install("claude").replies(play(calls(garbled_tool("vote", '{"agent_id": '))))

    parts = await answer_of(providers.open(program("claude")), asking("Vote", VOTE))

    (problem,) = problems_of(parts)
    assert "not valid JSON" in problem
    assert calls_of(parts) == []


@those_that_can_stop
@pytest.mark.asyncio
async def test_a_model_that_calls_what_is_not_there_is_told_what_there_is(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    programs.install(name).replies(play(uses("Bash", command="ls"), says("Then.")))

    parts = await answer_of(providers.open(program(name)), asking("Vote", VOTE))

    assert problems_of(parts) == ["There is no tool 'Bash'. Call one of: vote."]
    assert text_of(parts) == ""


@those_that_can_stop
@pytest.mark.asyncio
async def test_a_program_that_goes_on_after_a_call_is_ended_and_not_listened_to(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    stubborn = play(VOTED, says("The vote is noted."), calls(tool("vote", agent_id="agent2")), then=hangs())
    programs.install(name).going_on_after_a_turn().replies(stubborn)

    async with asyncio.timeout(20):
        parts = await answer_of(providers.open(program(name)), asking("Vote", VOTE))

    assert [call.arguments for call in calls_of(parts)] == [{"agent_id": "agent1"}]
    assert text_of(parts) == ""


@pytest.mark.asyncio
async def test_the_ids_of_calls_are_unique_in_a_conversation(providers: Models, programs: Programs) -> None:
    programs.install("codex").replies(play(VOTED), play(VOTED))
    model = providers.open(program("codex"))
    (first,) = calls_of(await answer_of(model, asking("Vote", VOTE)))
    said = (UserPrompt("Vote"), ModelReply("", (first,)), ToolResultMessage(first.call_id, "noted"))

    (second,) = calls_of(await answer_of(model, ModelRequest(said, tools=(VOTE,))))

    assert first.call_id != second.call_id


@every_program
@pytest.mark.asyncio
async def test_a_name_that_is_too_long_for_a_program_is_cut_and_known_again(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    long = ToolSpec("a" * 60 + "_one", "One.", {"type": "object"})
    longer = ToolSpec("a" * 60 + "_two", "Two.", {"type": "object"})
    installed = programs.install(name).replies(play(says("Fine.")))
    model = providers.open(program(name))
    await answer_of(model, asking("Go", long, longer))
    listed = [each["name"] for each in installed.calls[0].tools]
    installed.replies(play(calls(tool(listed[1]))))

    (call,) = calls_of(await answer_of(model, asking("Go", long, longer)))

    assert [len(each) for each in listed] == [48, 48]
    assert call.name == longer.name


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ("auto", "Be brief."),
        ("required", "Be brief.\n\nYour next message must call a tool."),
        (NamedTool("vote"), "Be brief.\n\nYour next message must call the tool `vote`."),
    ],
)
@pytest.mark.asyncio
async def test_a_duty_to_call_is_told_to_the_model(
    choice: Any, told: str, providers: Models, programs: Programs
) -> None:
    installed = programs.install("claude").replies(play(VOTED))

    await answer_of(providers.open(program("claude")), asking("Vote", VOTE, system="Be brief.", tool_choice=choice))

    assert installed.calls[0].system == told


@every_program
@pytest.mark.asyncio
async def test_where_nothing_may_be_called_nothing_is_offered(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    installed = programs.install(name).replies(play(says("Fine.")))

    parts = await answer_of(providers.open(program(name)), asking("Talk", VOTE, tool_choice="none"))

    assert text_of(parts) == "Fine."
    assert installed.calls[0].tools == []


@every_program
@pytest.mark.asyncio
async def test_calls_and_results_are_part_of_the_conversation(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    conversation = (
        UserPrompt("Vote."),
        ModelReply("I look.", (ModelToolCall("c1", "vote", {"agent_id": "ägent1"}), ModelToolCall("c2", "vote", {}))),
        ToolResultMessage("c1", "noted"),
        ToolResultMessage("c2", "agent_id is missing", is_error=True),
    )
    installed = programs.install(name).replies(play(says("Done.")))

    await answer_of(providers.open(program(name)), ModelRequest(conversation, tools=(VOTE,)))

    assert unmarked(installed.calls[0].stdin or "") == snapshot("""\
This is the conversation so far. Give the assistant's next message; do not write the tags.
Each message ends only at the closing tag with the mark of its opening one.
Calls of tools that were made are shown as text; make your own as real calls.

<user>
Vote.
</user>

<assistant>
I look.
<tool_call name="vote">{"agent_id": "ägent1"}</tool_call>
<tool_call name="vote">{}</tool_call>
</assistant>

<tool_result name="vote">
noted
</tool_result>

<tool_error name="vote">
agent_id is missing
</tool_error>\
""")


@every_program
@pytest.mark.asyncio
async def test_tools_reach_a_program_in_the_fenced_form_where_the_user_wants_that(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    installed = programs.install(name).replies(play(VOTED_IN_TEXT))

    parts = await answer_of(providers.open(program(name, tool_calling="fenced")), asking("Vote", VOTE))

    assert [call.arguments for call in calls_of(parts)] == [{"agent_id": "agent1"}]
    assert installed.calls[0].tools == []
    assert "- `vote`: Vote for an answer." in installed.calls[0].system


@every_program
@pytest.mark.asyncio
async def test_in_the_fenced_form_what_a_program_does_with_its_own_tools_is_not_taken_for_ours(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    programs.install(name).replies(play(says("First."), uses("ls", command="ls"), says("Then.")))

    parts = await answer_of(providers.open(program(name, tool_calling="fenced")), asking("Vote", VOTE))

    assert "".join(text_of(parts).split()) == "First.Then."
    assert calls_of(parts) == []


@every_old_program
@pytest.mark.asyncio
async def test_an_old_program_gets_them_in_the_fenced_form(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    installed = programs.install(name).version(OLD[name]).replies(play(VOTED_IN_TEXT))

    parts = await answer_of(providers.open(program(name)), asking("Vote", VOTE))

    assert [call.arguments for call in calls_of(parts)] == [{"agent_id": "agent1"}]
    assert [call.tools for call in installed.calls] == [[]]


@every_old_program
@pytest.mark.asyncio
async def test_an_old_program_is_refused_where_the_user_wants_its_own_form(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    programs.install(name).version(OLD[name])

    with pytest.raises(ModelError, match=rf"{OLD[name]} does not take tools, .* does: run `") as caught:
        await answer_of(providers.open(program(name, tool_calling="native")), asking("Vote", VOTE))

    assert caught.value.kind == "tools_unsupported"


@pytest.mark.asyncio
async def test_claude_that_may_not_start_servers_gets_them_in_the_fenced_form_from_then_on(
    providers: Models, programs: Programs
) -> None:
    installed = programs.install("claude").without_servers()
    installed.replies(play(then=hangs()), play(VOTED_IN_TEXT), play(VOTED_IN_TEXT))
    model = providers.open(program("claude"))

    for _ in range(2):
        parts = await answer_of(model, asking("Vote", VOTE))
        assert [call.arguments for call in calls_of(parts)] == [{"agent_id": "agent1"}]

    assert len(installed.calls) == 3


class Watcher:
    """Knows when the MCP server of a program has come and gone."""

    def __init__(self) -> None:
        self.came, self.went = asyncio.Event(), asyncio.Event()

    async def watch(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.came.set()
        complaint = await reader.read()
        assert complaint == b""
        writer.close()
        self.went.set()


@asynccontextmanager
async def watching() -> AsyncGenerator[tuple[Watcher, int]]:
    watcher = Watcher()
    async with asyncio.timeout(20), await asyncio.start_server(watcher.watch, "127.0.0.1") as server:
        yield watcher, server.sockets[0].getsockname()[1]


@every_program
@pytest.mark.asyncio
async def test_the_server_of_our_tools_is_gone_after_a_call(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    async with watching() as (watcher, port):
        programs.install(name).watched_by(port).replies(play(VOTED))
        await answer_of(providers.open(program(name)), asking("Vote", VOTE))
        await watcher.went.wait()


@every_program
@pytest.mark.parametrize("stubborn", [False, True], ids=["obedient", "stubborn"])
@pytest.mark.asyncio
async def test_the_server_of_our_tools_is_gone_when_the_reader_is_cancelled(
    *, name: ProgramName, stubborn: bool, providers: Models, programs: Programs
) -> None:
    hanging = play(says("Hm."), then=hangs(ignoring_termination=stubborn))
    async with watching() as (watcher, port):
        programs.install(name).watched_by(port).replies(hanging)
        async with aclosing(providers.open(program(name)).stream(asking("Vote", VOTE))) as parts:
            assert await anext(parts) == TextDelta("Hm.")
            assert watcher.came.is_set()
            assert not watcher.went.is_set()
        await watcher.went.wait()
