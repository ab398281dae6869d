"""A day's work with the assistant, as people do it: each workflow from the first word to the last.

What is asserted is what the models were sent and which runs came of it, never what the scripts made them say.
"""

import json
from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text, tool

TEAM = ("opus", "sol", "flash")


def led_by_its_own_model(models: ModelServer, *, policy: str = ", require_approval: false, apply_changes: auto") -> str:
    lead = f"{{type: chatcompletion, model: lead, base_url: '{models.openai_url}', api_key: '${{SCRIPTED_KEY}}'}}"
    return team_config(models, *TEAM, extra=f"orchestrator: {{interactive_mode: {{backend: {lead}{policy}}}}}\n")


def team_answers(models: ModelServer, *answers: str, favourite: str = "agent1") -> None:
    for name, content in zip(TEAM, answers, strict=True):
        models.model(name).replies(
            calls(tool("new_answer", content=content)),
            calls(tool("vote", agent_id=favourite, reason="It is the most complete.")),
        )


async def say(client: LspClient, words: str, session_id: str | None = None) -> str:
    session = {} if session_id is None else {"sessionId": session_id}
    chat = await client.command("teamwright.chat", text=words, **session)
    await client.event("turn.finished", lambda record: record["turnId"] == chat["turnId"])
    return chat["sessionId"]


def specs(client: LspClient) -> list[Json]:
    return [record["event"]["spec"] for record in client.events if record["event"]["type"] == "run.started"]


def results_of_runs(models: ModelServer) -> list[str]:
    """What the lead was told of its runs, in their order."""
    last = models.requests_to("lead")[-1]
    return [result.text for result in last.tool_results if result.text.startswith("Run ")]


HANDLER = {"agent_mode": "single", "agents": ["sol"], "context_paths": [{"path": "handler.py", "permission": "write"}]}
CHECK = {"agent_mode": "single", "agents": ["flash"], "context_paths": [{"path": "handler.py", "permission": "read"}]}


def script_of_a_feature(models: ModelServer) -> None:
    plan = {"title": "WebSockets", "tasks": [{"title": "Handler", "detail": "A handler module."}]}
    for name in TEAM:
        models.model(name).replies(
            calls(tool("submit_plan", **plan)), calls(tool("vote", agent_id="agent1", reason="Sound."))
        )
    models.model("opus").replies(calls(tool("submit_plan", **plan)))
    models.model("lead").replies(
        calls(tool("launch_run", task="Plan WebSocket support.", planning_mode=True)),
        calls(tool("launch_run", task="Write the handler module.", **HANDLER)),
        calls(tool("launch_run", task="Check handler.py.", **CHECK)),
        text("The handler is done and checked."),
    )
    models.model("sol").replies(
        calls(tool("write_file", path="handler.py", content="def handle(socket): ...\n")), text("Written.")
    )
    models.model("flash").replies(calls(tool("read_file", path="handler.py")), text("It is sound."))


def script_of_a_change_of_mind(models: ModelServer) -> None:
    models.model("lead").replies(
        calls(
            tool(
                "launch_run",
                task="Write the handler module.",
                context="Use Socket.IO, not raw WebSockets.",
                **HANDLER,
            )
        ),
        text("Done anew, with Socket.IO."),
    )
    models.model("sol").replies(
        calls(tool("write_file", path="handler.py", content="import socketio\n")), text("Rewritten.")
    )


@pytest.mark.asyncio
@pytest.mark.proves("A1", "A3", "A4", "C6")
async def test_a_feature_is_planned_cut_into_runs_checked_between_and_rerun_with_new_context(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    script_of_a_feature(models)
    client = await serve(config=led_by_its_own_model(models), trusted=True)

    chat = await client.command("teamwright.chat", text="I need WebSocket support in the API server.")
    requested = await client.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "plan")
    preview = requested["event"]["decision"]
    assert preview["detail"]["plan"]["title"] == "WebSockets"
    await client.command("teamwright.approve", decisionId=preview["decisionId"], choice="cancel")
    await client.event("turn.finished", lambda record: record["turnId"] == chat["turnId"])

    planned, executed, checked = specs(client)
    assert (planned["planningMode"], planned["agents"]) == (True, list(TEAM))
    assert (executed["agentMode"], executed["agents"]) == ("single", ["sol"])
    assert executed["contextPaths"] == [{"path": "handler.py", "permission": "write"}]
    assert (workspace / "handler.py").read_text(encoding="utf-8") == "def handle(socket): ...\n"
    assert models.requests_to("flash")[-1].tool_results[-1].text == "1\tdef handle(socket): ..."
    assert checked["refinement"] is False
    told = results_of_runs(models)
    assert "The plan is kept in" in told[0]
    assert "handler.py: applied" in told[1]
    assert "It is sound." in told[2]

    script_of_a_change_of_mind(models)
    await say(client, "Actually, can we use Socket.IO?", chat["sessionId"])

    rerun = models.requests_to("sol")[-1].messages[0][1]
    assert "# Context\nUse Socket.IO, not raw WebSockets." in rerun
    assert "It is sound." in rerun, "what earlier runs came to is part of what agents are told"
    assert (workspace / "handler.py").read_text(encoding="utf-8") == "import socketio\n"


@pytest.mark.asyncio
@pytest.mark.proves("A2", "A3")
async def test_quick_questions_are_answered_from_files_and_deep_work_goes_to_the_team(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "coverage.json").write_text('{"auth": 78, "gaps": ["oauth refresh"]}\n', encoding="utf-8")
    models.model("lead").replies(calls(tool("read_file", path="coverage.json")), text("78 %."))
    client = await serve(config=led_by_its_own_model(models), trusted=True)

    session_id = await say(client, "What is the test coverage of the auth module?")

    assert specs(client) == []
    assert models.requests_to("lead")[-1].tool_results[-1].text == '1\t{"auth": 78, "gaps": ["oauth refresh"]}'

    team_answers(models, "Twelve tests.", "Ten tests.", "Nine tests.")
    models.model("opus").replies(text("Twelve new tests cover the refresh flow."))
    models.model("lead").replies(
        calls(tool("launch_run", task="Close the coverage gaps of auth.", refinement=True)), text("Done.")
    )
    await say(client, "Fix those coverage gaps.", session_id)

    (deep,) = specs(client)
    assert (deep["agentMode"], deep["refinement"], deep["agents"]) == ("multi", True, list(TEAM))
    assert "What is the test coverage of the auth module?" in models.requests_to("sol")[0].messages[0][1]
    (report,) = results_of_runs(models)
    assert "Twelve new tests cover the refresh flow." in report
    assert "opus for opus: It is the most complete." in report

    calls_before = len(models.requests)
    models.model("lead").replies(text("CI is green."))
    await say(client, "What is our deploy status?", session_id)
    assert len(models.requests) == calls_before + 1
    assert "Twelve new tests cover the refresh flow." in json.dumps(models.requests[-1].body)


INJECTION = {
    "path": "search.py",
    "line": 1,
    "severity": "error",
    "title": "SQL injection in the search query",
    "detail": "The term is put into the SQL text.",
}
TASTE = {
    "path": "search.py",
    "line": 2,
    "severity": "hint",
    "title": "The query builder could be refactored",
    "detail": "A class would read better.",
}


def script_of_a_review(models: ModelServer) -> None:
    for name in TEAM:
        found = [tool("report_finding", **INJECTION)] + ([tool("report_finding", **TASTE)] if name == "flash" else [])
        models.model(name).replies(
            calls(*found),
            calls(tool("new_answer", content=f"The review of {name}.")),
            calls(tool("vote", agent_id="agent1", reason="Complete.")),
        )
    models.model("opus").replies(text("One problem that all see, one matter of taste."))
    paths = [{"path": "search.py", "permission": "read"}]
    models.model("lead").replies(
        calls(tool("launch_run", task="Review search.py.", review=True, context_paths=paths)),
        text("All three flag the injection; one suggests a refactoring."),
    )


def script_of_a_scoped_fix(models: ModelServer) -> None:
    task = "Fix the SQL injection at search.py:1; leave the query builder as it is."
    paths = [{"path": "search.py", "permission": "write"}]
    models.model("lead").replies(
        calls(tool("launch_run", task=task, agent_mode="single", agents=["sol"], context_paths=paths)),
        text("Fixed."),
    )
    models.model("sol").replies(
        calls(tool("edit_file", path="search.py", old='f"select {term}"', new='"select ?"')), text("Parameterised.")
    )


@pytest.mark.asyncio
@pytest.mark.proves("A3", "C2", "C4", "E5")
async def test_a_review_by_all_a_fix_of_what_they_agree_on_and_a_quick_check_by_one(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "search.py").write_text('query = f"select {term}"\nrows = run(query)\n', encoding="utf-8")
    script_of_a_review(models)
    client = await serve(config=led_by_its_own_model(models), trusted=True)

    session_id = await say(client, "Review search.py.")

    (report,) = results_of_runs(models)
    assert "search.py:1 (3 of 3 agents) SQL injection in the search query" in report
    assert "search.py:2 (1 of 3 agents) The query builder could be refactored" in report
    assert report.index("(3 of 3 agents)") < report.index("(1 of 3 agents)")

    script_of_a_scoped_fix(models)
    await say(client, "Fix the consensus issues but skip the refactor.", session_id)
    assert (workspace / "search.py").read_text(encoding="utf-8").startswith('query = "select ?"\n')

    models.model("lead").replies(
        calls(tool("launch_run", task="Check search.py.", agent_mode="single", agents=["flash"], refinement=False)),
        text("Clean."),
    )
    models.model("flash").replies(text("Looks clean."))
    before = len(models.requests_to("flash"))
    await say(client, "Yes, a quick single-agent check is fine.", session_id)
    assert len(models.requests_to("flash")) == before + 1
    assert (specs(client)[-1]["agentMode"], specs(client)[-1]["refinement"]) == ("single", False)


@pytest.mark.asyncio
@pytest.mark.proves("C2", "A3")
async def test_independent_opinions_first_then_a_debate_that_has_them_as_context(
    serve: Serve, models: ModelServer
) -> None:
    opinions = ("Kafka, for the throughput.", "RabbitMQ, for simpler operations.", "Kafka, but mind the operations.")
    team_answers(models, *opinions)
    models.model("opus").replies(text("Two for Kafka, one for RabbitMQ."))
    models.model("lead").replies(
        calls(tool("launch_run", task="Kafka or RabbitMQ?", refinement=False)), text("Opinions differ. Debate?")
    )
    client = await serve(config=led_by_its_own_model(models), trusted=True)
    session_id = await say(client, "Kafka or RabbitMQ, at 10k events a second?")

    (independent,) = specs(client)
    assert independent["refinement"] is False
    assert independent["coordinationOverrides"]["finalAnswerStrategy"] == "synthesize"
    for name in TEAM:
        assert not any(other in str(models.requests_to(name)[0].body) for other in opinions)
    synthesis = models.requests_to("opus")[-1]
    assert all(opinion in str(synthesis.body) for opinion in opinions)
    (report,) = results_of_runs(models)
    assert all(opinion in report for opinion in opinions)

    team_answers(models, "Kafka, managed.", "Kafka, managed, with care.", "Kafka.")
    models.model("opus").replies(text("Managed Kafka."))
    models.model("lead").replies(
        calls(tool("launch_run", task="Converge.", context="\n".join(opinions), refinement=True)), text("Kafka.")
    )
    await say(client, "Yes.", session_id)

    assert specs(client)[-1]["refinement"] is True
    debate = models.requests_to("sol")[-2].messages[0][1]
    assert "# Context\n" + "\n".join(opinions) in debate
    shown_to_voter = str(models.requests_to("sol")[-1].body)
    assert "Kafka, managed." in shown_to_voter


@pytest.mark.asyncio
@pytest.mark.proves("D1", "A5")
async def test_a_large_run_waits_for_approval_and_runs_as_the_user_edits_it(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "models").mkdir()
    for number in range(8):
        (workspace / "models" / f"m{number}.py").write_text("x = 1\n", encoding="utf-8")
    for name in ("opus", "sol"):
        models.model(name).replies(
            calls(tool("new_answer", content=f"By {name}.")),
            calls(tool("vote", agent_id="agent2", reason="Good.")),
        )
    models.model("sol").replies(text("Migrated."))
    models.model("lead").replies(
        calls(
            tool(
                "launch_run",
                task="Migrate the model definitions.",
                context_paths=[{"path": "models", "permission": "write"}],
            )
        ),
        text("Phase 1 is done."),
    )
    client = await serve(config=led_by_its_own_model(models, policy=""), trusted=True)

    chat = await client.command("teamwright.chat", text="Refactor the database layer.")
    asked = (await client.event("decision.requested"))["event"]["decision"]

    assert asked["kind"] == "run"
    assert asked["detail"]["spec"]["agents"] == list(TEAM)
    assert asked["detail"]["files"] == [{"path": "models", "permission": "write", "count": 8}]
    assert [name for name in TEAM if models.requests_to(name)] == []

    await client.command(
        "teamwright.approve", decisionId=asked["decisionId"], choice="approve", edits={"agents": ["opus", "sol"]}
    )
    await client.event("turn.finished", lambda record: record["turnId"] == chat["turnId"])

    assert specs(client)[0]["agents"] == ["opus", "sol"]
    assert models.requests_to("flash") == []
    (report,) = results_of_runs(models)
    assert "Chosen: sol." in report
