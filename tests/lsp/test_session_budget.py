"""A session's budget through the real server: turns and runs count together, also after a restart."""

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, Usage, calls, text, tool

pytestmark = pytest.mark.asyncio

SIXTY = Usage(input=50, output=10)


def budget(mode: str = "hitl") -> str:
    return f"orchestrator: {{interactive_mode: {{autonomy: {mode}, session_budget: {{tokens: 100}}}}}}\n"


async def finished(client: LspClient, chat: Json) -> Json:
    return (await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"]))["event"]


async def question_in(client: LspClient, chat: Json) -> Json:
    asked = await client.event("decision.requested", lambda r: r.get("turnId") == chat["turnId"])
    return asked["event"]["decision"]


@pytest.mark.proves("C14", "D6")
async def test_turns_and_runs_count_together_and_the_question_outlives_the_server(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(*(text(word).costing(SIXTY) for word in ("One.", "Two.", "Three.", "Four.")))
    config = team_config(models, "alpha", extra=budget())
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Count.")
    assert (await finished(first, chat))["outcome"] == "completed"
    session = chat["sessionId"]
    await first.command(
        "teamwright.launch_run", task="Count on.", agentMode="single", approval="given", sessionId=session
    )
    await first.event("run.finished")

    third = await first.command("teamwright.chat", text="And on.", sessionId=session)
    question = await question_in(first, third)
    spent, limit = question["detail"]["spent"], question["detail"]["limit"]
    assert (question["kind"], question["detail"]["of"], spent["tokens"], limit) == (
        "budget",
        "session",
        120,
        {"tokens": 100},
    )
    assert spent["seconds"] > 0
    await first.kill()

    second = await serve(config=config)
    opened = await second.command("teamwright.session.open", sessionId=session)
    assert opened["session"]["decisions"] == [question]
    assert len(models.requests) == 2
    await second.command("teamwright.approve", decisionId=question["decisionId"], choice="approve")
    assert (await finished(second, third))["outcome"] == "completed"
    fourth = await second.command("teamwright.chat", text="Once more.", sessionId=session)
    assert (await finished(second, fourth))["outcome"] == "completed"
    assert "Left of the budget: 40 tokens" in models.requests[-1].messages[-1][1]

    fifth = await second.command("teamwright.chat", text="And again.", sessionId=session)
    again = await question_in(second, fifth)
    assert again["detail"]["limit"] == {"tokens": 220}, "a hundred more than had been spent when it was let go on"
    await second.command("teamwright.approve", decisionId=again["decisionId"], choice="cancel")
    assert (await finished(second, fifth))["outcome"] == "cancelled"
    assert len(models.requests) == 4


@pytest.mark.proves("C14", "D3")
async def test_on_its_own_a_turn_ends_at_the_sessions_budget_and_it_is_on_record(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(text("One.").costing(SIXTY), text("Two.").costing(SIXTY))
    client = await serve(config=team_config(models, "alpha", extra=budget("autonomous")))
    chat = await client.command("teamwright.chat", text="Count.")
    await finished(client, chat)
    second = await client.command("teamwright.chat", text="Count on.", sessionId=chat["sessionId"])
    assert (await finished(client, second))["outcome"] == "completed"

    third = await client.command("teamwright.chat", text="And on.", sessionId=chat["sessionId"])
    ended = await finished(client, third)
    assert ended["outcome"] == "failed"
    assert ended["error"].startswith("The session has reached its budget, and in autonomous mode nobody is asked")
    question = await question_in(client, third)
    resolved = await client.event("decision.resolved", lambda r: r["event"]["decisionId"] == question["decisionId"])
    assert (resolved["event"]["choice"], resolved["event"]["by"]) == ("cancel", "policy")
    assert len(models.requests) == 2


@pytest.mark.proves("C14", "D6")
async def test_what_a_turn_spent_before_a_crash_counts(serve: Serve, models: ModelServer) -> None:
    look = calls(tool("list_files")).costing(SIXTY)
    models.model("alpha").replies(look, text("So far ", "and no further").stalls(after=1))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Count.")
    await first.event("item.delta")
    await first.kill()

    models.model("alpha").replies(text("Two.").costing(SIXTY))
    second = await serve(config=config)
    asked = (await second.event("decision.requested"))["event"]["decision"]
    await second.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    usage = (await finished(second, chat))["usage"]
    assert (usage["inputTokens"], usage["outputTokens"], usage["calls"]) == (100, 20, 2)
