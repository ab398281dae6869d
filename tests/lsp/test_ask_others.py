"""An agent asks the others, and goes on with what they answer; a person is asked the same only once."""

from functools import partial

import pytest

from tests.runtime.lines import gives, votes
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json
from tests.support.model_server import Answer, ModelServer, Request, calls, text, tool

QUIET = "orchestrator: {interactive_mode: {require_approval: false, override: 'off'}}\n"
ASIDE = "asks you aside"


def is_by(agent: str, record: Json) -> bool:
    return record["agentId"] == agent


@pytest.mark.asyncio
@pytest.mark.proves("C11")
async def test_an_agent_asks_a_peer_that_is_busy_and_goes_on(serve: Serve, models: ModelServer) -> None:
    busy = models.gate("busy")

    def beta(request: Request) -> Answer:
        if ASIDE in request.messages[-1][1]:
            return text("The port is 8080.")
        if "8080" in request.messages[-1][1] and not request.tool_calls:
            return gives("It is 8080, as I said.")
        if request.tool_calls:
            return votes("agent1")
        return calls(tool("list_files", path=".")).waits_for(busy)

    ask = calls(tool("ask_others", question="Which port is it?", to=["agent2"]))
    models.model("alpha").replies(
        ask, ask, calls(tool("ask_others", question="Once more?")), gives("Port 8080."), votes("agent1")
    )
    models.model("alpha").always(text("It is 8080."))
    models.model("beta").always(beta)
    client = await serve(config=team_config(models, "alpha", "beta", extra=QUIET), trusted=True)
    await client.command("teamwright.launch_run", task="Find the port.")
    await client.event("answer.submitted")
    busy.release()
    await client.event("run.finished")

    told = models.requests_to("alpha")[-1].tool_results
    first, second, third = (result.text for result in told[:3])
    assert first.startswith("agent2:")
    assert "The port is 8080." in first
    assert "The port is 8080." in second
    assert "as many as one agent may" in third
    shared = [record["event"] for record in client.events if record["event"]["type"] == "message.shared"]
    assert [(each["from"], each["to"], each["part"]) for each in shared] == [
        ("alpha", ["beta"], "question"),
        ("beta", ["alpha"], "answer"),
    ] * 2
    heard = [words for request in models.requests_to("beta") for _, words in request.messages]
    assert any("Meanwhile agent1 asked you" in words for words in heard)


@pytest.mark.asyncio
@pytest.mark.proves("C11")
async def test_a_person_is_asked_the_same_once(serve: Serve, models: ModelServer) -> None:
    for name, words in (("alpha", "Which colour?"), ("beta", "which  colour?")):
        models.model(name).replies(
            calls(tool("ask_others", question=words, to="user")), gives(f"Blue, says {name}."), votes("agent1")
        )
        models.model(name).always(text("Blue."))
    client = await serve(config=team_config(models, "alpha", "beta", extra=QUIET), trusted=True)
    await client.command("teamwright.launch_run", task="Paint it.")
    asked = await client.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "input")
    both = ("alpha", "beta")
    for name in both:
        await client.event("message.shared", partial(is_by, name))
    await client.command("teamwright.respond", decisionId=asked["event"]["decision"]["decisionId"], text="Blue.")
    await client.event("run.finished")
    requested = (r["event"] for r in client.events if r["event"]["type"] == "decision.requested")
    assert [each["decision"]["kind"] for each in requested].count("input") == 1
    for name in both:
        assert "Blue." in models.requests_to(name)[1].tool_results[0].text
