"""Runs on their own, through the real server: nobody is asked, and everything that would have been is on record."""

import pytest

from tests.runtime.audit import audit
from tests.runtime.lines import TEAM, each_answers_once, plans
from tests.support.doors import Serve, team_config
from tests.support.model_server import ModelServer, calls, text, tool

AUTONOMOUS = "orchestrator: {interactive_mode: {autonomy: autonomous}}\n"


@pytest.mark.asyncio
@pytest.mark.proves("D3", "C14")
async def test_on_its_own_a_run_decides_by_policy_denies_questions_and_stops_at_its_budget(
    serve: Serve, models: ModelServer
) -> None:
    client = await serve(config=team_config(models, *TEAM, extra=AUTONOMOUS), trusted=True)
    models.model("alpha").replies(plans("The plan", "Walk"), calls(tool("request_input", question="Which way?")))
    models.model("alpha").replies(text("We walked."))
    run = await client.command("teamwright.launch_run", task="Go.", planningMode=True, agentMode="single")
    assert "decisionId" not in run
    await client.event("run.finished", lambda r: r["runId"] == run["runId"])
    child = await client.event("run.started", lambda r: r["event"].get("parentRunId") == run["runId"])
    walked = await client.event("run.finished", lambda r: r["runId"] == child["runId"])

    assert walked["event"]["result"]["text"] == "We walked."
    asked = [r["event"] for r in client.events if r["event"]["type"].startswith("decision.")]
    assert [each["decision"]["kind"] for each in asked[::2]] == ["run", "plan"]
    assert [(each["choice"], each["by"]) for each in asked[1::2]] == [("approve", "policy")] * 2
    assert "request_input" in models.requests[2].tool_results[-1].text
    assert all("request_input" not in request.tool_names for request in models.requests)

    together = models.gate("all at work")
    each_answers_once(models, gate=together)
    frugal = await client.command("teamwright.launch_run", task="Say it.", budget={"tokens": 30})
    await together.reached(3)
    together.release()
    finished = await client.event("run.finished", lambda r: r["runId"] == frugal["runId"])
    assert (finished["event"]["outcome"], finished["event"]["result"]["strategy"]) == ("completed", "best_answer")
    assert "stopped at its budget" in finished["event"]["error"]
    assert len(models.requests) == 6
    audit(client.events)
