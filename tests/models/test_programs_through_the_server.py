"""Programs on the PATH as agents, through the real server: they answer, use our tools, fail and recover."""

import pytest

from tests.support.doors import Serve
from tests.support.lsp_client import Json, LspClient
from tests.support.programs import calls, crashes, play, reports, says, thinks, tool
from tests.support.programs.installation import Programs
from tests.support.programs.kinds import KINDS

NO_OVERRIDE = {"override": "off"}


def team_of(**agents: str) -> str:
    listed = "".join(f"  - {{id: {name}, backend: {{type: {type_}}}}}\n" for name, type_ in agents.items())
    return f"agents:\n{listed}"


async def asked(client: LspClient, text: str) -> Json:
    await client.command("teamwright.chat", text=text)
    return (await client.event("turn.finished"))["event"]


@pytest.mark.asyncio
@pytest.mark.proves("F2", "A1", "D7")
async def test_a_program_answers_in_a_chat_and_is_streamed(serve: Serve, programs: Programs) -> None:
    claude = programs.install("claude").replies(play(thinks("Hm."), says("A quorum ", "may decide.")))
    client = await serve(config=team_of(claude="claude_code"))

    finished = await asked(client, "What is a quorum?")

    assert finished["outcome"] == "completed"
    items = [r["event"]["item"] for r in client.events if r["event"]["type"] == "item.finished"]
    assert [(item["kind"], item["text"]) for item in items] == [
        ("user_message", "What is a quorum?"),
        ("reasoning", "Hm."),
        ("assistant_message", "A quorum may decide."),
    ]
    deltas = [r["event"]["text"] for r in client.events if r["event"]["type"] == "item.delta"]
    assert "".join(deltas) == "Hm.A quorum may decide."
    assert claude.calls[0].stdin is not None
    assert "What is a quorum?" in claude.calls[0].stdin


@pytest.mark.asyncio
@pytest.mark.proves("F2", "C1")
async def test_programs_of_three_makers_answer_and_vote_with_our_tools(serve: Serve, programs: Programs) -> None:
    vote = calls(tool("vote", agent_id="agent2", reason="It is complete."))
    installed = {
        name: programs.install(name).replies(play(calls(tool("new_answer", content=f"By {name}."))), play(vote))
        for name in KINDS
    }
    installed["gemini"].replies(play(says("The final answer.")))
    client = await serve(config=team_of(claude="claude_code", gemini="gemini_cli", codex="codex"))

    await client.command("teamwright.launch_run", task="Say it.", approval="given", coordinationOverrides=NO_OVERRIDE)
    finished = (await client.event("run.finished"))["event"]

    assert finished["outcome"] == "completed"
    assert finished["result"] == {"text": "The final answer.", "agentId": "gemini", "strategy": "winner_present"}
    winner = await client.event("winner.selected")
    assert winner["event"]["tally"] == {"gemini": 3}
    assert "new_answer" in {offered["name"] for offered in installed["codex"].calls[0].tools}


@pytest.mark.asyncio
@pytest.mark.proves("F2", "F3")
async def test_a_program_that_is_missing_is_named_with_what_to_do(serve: Serve, programs: Programs) -> None:
    client = await serve(config=team_of(claude="claude_code"))

    finished = await asked(client, "Hello")

    assert finished["outcome"] == "failed"
    assert finished["error"] == "The program claude is not on the PATH: install Claude Code, or set `program`."


@pytest.mark.asyncio
@pytest.mark.proves("F2", "F3")
async def test_a_program_that_is_signed_out_fails_the_turn_with_what_to_do(serve: Serve, programs: Programs) -> None:
    programs.install("claude").replies(play(then=reports(401, "Invalid API key · Please run /login")))
    client = await serve(config=team_of(claude="claude_code"))

    finished = await asked(client, "Hello")

    assert finished["outcome"] == "failed"
    assert finished["error"] == "Claude Code refused the key: run `claude` in a terminal and sign in."


@pytest.mark.asyncio
@pytest.mark.proves("F2")
async def test_a_program_that_crashes_once_is_started_again_and_what_it_said_is_discarded(
    serve: Serve, programs: Programs
) -> None:
    programs.install("claude").replies(play(says("Four, no"), then=crashes(134)), play(says("Four.")))
    client = await serve(config=team_of(claude="claude_code"))

    finished = await asked(client, "What is two and two?")

    assert finished["outcome"] == "completed"
    items = [r["event"]["item"] for r in client.events if r["event"]["type"] == "item.finished"]
    said = [(item["text"], item.get("discarded", False)) for item in items if item["kind"] == "assistant_message"]
    assert said == [("Four, no", True), ("Four.", False)]


@pytest.mark.asyncio
@pytest.mark.proves("F2")
async def test_a_program_that_keeps_crashing_fails_the_turn_with_what_to_do(serve: Serve, programs: Programs) -> None:
    claude = programs.install("claude").replies(*[play(then=crashes(1, "Error: cannot read settings"))] * 4)
    client = await serve(config=team_of(claude="claude_code"))

    finished = await asked(client, "Hello")

    assert finished["outcome"] == "failed"
    assert finished["error"] == (
        "Claude Code ended with exit code 1 (Error: cannot read settings): try it in a terminal. (4 tries)"
    )
    assert len(claude.calls) == 4
