"""What goes wrong: with providers, with models that do not follow the protocol, with the house itself."""

from pathlib import Path

import pytest

from teamwright.engine.run.commands import Wanted
from teamwright.engine.run.decide import decide
from teamwright.engine.run.state import Run, RunState
from teamwright.runtime.runs.files import RunFiles
from tests.runtime.conftest import Hire
from tests.runtime.lines import TEAM, each_answers_once, gives, votes
from tests.support.model_server import (
    Answer,
    ModelServer,
    answer,
    calls,
    fails,
    raw_tool,
    text,
    tool,
)


@pytest.mark.asyncio
async def test_a_run_goes_on_without_the_agent_whose_provider_fails(hire: Hire, models: ModelServer) -> None:
    each_answers_once(models, team=("beta", "gamma"))
    models.model("alpha").replies(fails(401))
    crew = await hire()
    run = await crew.launch()
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["agentId"]) == ("completed", "beta")
    alpha = crew.view(run)["agents"][0]
    assert (alpha["status"], "key" in alpha["note"]) == ("failed", True)
    assert models.requests_to("beta")[1].choices("vote", "agent_id") == ["agent2", "agent3"]


@pytest.mark.asyncio
async def test_the_answer_and_the_vote_of_an_agent_that_fails_later_still_count(
    hire: Hire, models: ModelServer
) -> None:
    late = models.gate("gamma has second thoughts")
    models.model("alpha").replies(gives("The best."), fails(401))
    models.model("beta").replies(gives("Two."), votes("agent1"))
    models.model("gamma").replies(gives("Three."), votes("agent1").waits_for(late))
    models.model("beta").replies(text("Presented."))
    crew = await hire()
    run = await crew.launch()
    await crew.event("agent.stopped", lambda r: r["event"]["reason"] == "failed")
    late.release()
    finished = await crew.finished(run)
    assert crew.view(run)["winner"] == "alpha"
    assert finished["result"] == {"text": "Presented.", "agentId": "beta", "strategy": "winner_present"}


@pytest.mark.asyncio
async def test_a_run_fails_with_every_reason_when_nobody_answers(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(fails(401))
    models.model("beta").replies(fails(404))
    models.model("gamma").replies(fails(403))
    crew = await hire()
    finished = await crew.finished(await crew.launch())
    assert (finished["outcome"], "result" in finished) == ("failed", False)
    assert all(f"{name}: " in finished["error"] for name in TEAM)


@pytest.mark.asyncio
async def test_plain_text_is_an_answer_at_first_and_no_vote_later(hire: Hire, models: ModelServer) -> None:
    each_answers_once(models, team=("beta", "gamma"))
    models.model("alpha").replies(text("My answer."), text("I like it."), text("Really."), text("Truly."))
    crew = await hire()
    run = await crew.launch()
    await crew.finished(run)
    assert crew.view(run)["answers"][0]["label"].endswith(".1")
    assert "My answer." in models.requests_to("beta")[1].text
    alpha = crew.view(run)["agents"][0]
    assert (alpha["status"], alpha["attempt"]) == ("abstained", 2)
    reminded = [request.messages[-1] for request in models.requests_to("alpha")[2:]]
    assert [(role, "Text alone does not count" in said) for role, said in reminded] == [("user", True)] * 2
    assert crew.view(run)["tally"] == {"beta": 2}


UNKNOWN_TARGET = votes("agent9")
NOT_JSON = calls(raw_tool("vote", '{"agent_id": "agent1", '))
WRONG_TYPES = calls(tool("vote", agent_id=1, reason=[]))
CONTRADICTORY = calls(tool("vote", agent_id="agent1", reason="Yes."), tool("new_answer", content="No."))
UNHEARD_OF = calls(tool("become_president"))


@pytest.mark.asyncio
@pytest.mark.parametrize("nonsense", [UNKNOWN_TARGET, NOT_JSON, WRONG_TYPES, CONTRADICTORY, UNHEARD_OF])
async def test_three_tries_at_a_call_then_the_agent_abstains(nonsense: Answer, hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(gives("One."), nonsense, nonsense, nonsense)
    models.model("beta").replies(gives("Two."), votes("agent2"), text("Done."))
    crew = await hire("alpha", "beta")
    run = await crew.launch()
    finished = await crew.finished(run)
    assert finished["result"] == {"text": "Done.", "agentId": "beta", "strategy": "winner_present"}
    assert [agent["status"] for agent in crew.view(run)["agents"]] == ["abstained", "voted"]
    assert len(models.requests_to("alpha")) == 4
    assert [vote["agentId"] for vote in crew.view(run)["votes"]] == ["beta"]
    assert len(crew.log(run, "agent.corrected")) == 3


@pytest.mark.asyncio
async def test_a_second_try_that_is_right_counts(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(gives("One."), CONTRADICTORY, UNKNOWN_TARGET, votes("agent2"))
    models.model("beta").replies(gives("Two."), votes("agent2"), text("Done."))
    crew = await hire("alpha", "beta")
    run = await crew.launch()
    await crew.finished(run)
    assert crew.view(run)["tally"] == {"beta": 2}
    refused = models.requests_to("alpha")[2].tool_results[-2:]
    assert all("Contradictory" in result.text for result in refused)


@pytest.mark.asyncio
async def test_what_an_agent_still_calls_after_its_vote_is_not_carried_out(hire: Hire, models: ModelServer) -> None:
    eager = calls(tool("vote", agent_id="agent1", reason="Mine."), tool("write_file", path="scratch/x", content="x"))
    models.model("alpha").replies(gives("One."), eager, text("Done."))
    crew = await hire()
    run = await crew.launch(agentMode="single", refinement=True)
    await crew.finished(run)
    called = [r["event"]["item"]["name"] for r in crew.log(run, "item.finished") if "name" in r["event"]["item"]]
    assert called == ["new_answer", "vote"]
    assert "not carried out" in models.requests_to("alpha")[2].tool_results[-1].text


@pytest.mark.asyncio
async def test_a_refused_answer_is_told_why_and_the_agent_may_vote(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(gives("One."), gives("Two."), votes("agent2"))
    models.model("beta").replies(gives("Two."), votes("agent2"), text("Done."))
    crew = await hire("alpha", "beta")
    run = await crew.launch()
    await crew.finished(run)
    assert "the same as agent2.1" in models.requests_to("alpha")[2].tool_results[-1].text
    assert crew.log(run, "agent.corrected")[0]["event"]["misstep"] == "refused"
    assert crew.view(run)["tally"] == {"beta": 2}


@pytest.mark.asyncio
async def test_text_beside_a_call_is_shown_and_the_call_counts(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(answer("I submit this.", tool("new_answer", content="This.")), votes("agent1"))
    crew = await hire()
    run = await crew.launch(
        agentMode="single", refinement=True, coordinationOverrides={"finalAnswerStrategy": "winner_reuse"}
    )
    finished = await crew.finished(run)
    assert finished["result"]["text"] == "This."
    said = [record["event"]["item"] for record in crew.log(run, "item.finished")]
    assert ("assistant_message", "I submit this.") in [(item["kind"], item.get("text")) for item in said]


@pytest.mark.asyncio
async def test_a_fault_of_our_own_ends_only_the_run_and_is_said(
    hire: Hire, models: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> str:
        raise OSError("no such device")

    models.model("alpha").replies(text("Planned."), text("Done."))
    crew = await hire()
    with monkeypatch.context() as patch:
        patch.setattr(RunFiles, "save_plan", broken)
        run = await crew.launch(agentMode="single", planningMode=True)
        finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["text"]) == ("failed", "Planned.")
    assert finished["error"] == "Teamwright failed at this run; its log has the details."
    again = await crew.finished(await crew.launch(agentMode="single"))
    assert again["result"]["text"] == "Done."


@pytest.mark.asyncio
async def test_a_fault_of_our_own_in_the_middle_of_the_work_leaves_nothing_open(
    hire: Hire, models: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(run: Run) -> Wanted:
        if isinstance(run, RunState) and run.votes:
            raise ZeroDivisionError
        return decide(run)

    thinking = models.gate("gamma thinks")
    for name in ("alpha", "beta"):
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent1"))
    models.model("gamma").replies(gives("The answer of gamma."), votes("agent1").waits_for(thinking))
    monkeypatch.setattr("teamwright.runtime.runs.run_log.decide", broken)
    crew = await hire()
    run = await crew.launch()
    finished = await crew.finished(run)
    assert (finished["outcome"], "result" in finished) == ("failed", True)
    await models.requests_to("gamma")[1].disconnected()


@pytest.mark.asyncio
async def test_a_run_that_can_no_longer_start_when_it_is_approved_says_why(
    hire: Hire, models: ModelServer, workspace: Path
) -> None:
    (workspace / "notes.md").write_text("Short-lived.", encoding="utf-8")
    crew = await hire()
    run = await crew.launch(approval="ask", contextPaths=[{"path": "notes.md"}])
    question = await crew.question("run")
    (workspace / "notes.md").unlink()
    await crew.approve(question["decisionId"])
    finished = await crew.finished(run)
    assert (finished["outcome"], "'notes.md' does not exist" in finished["error"]) == ("failed", True)


@pytest.mark.asyncio
async def test_text_that_is_no_text_spoils_nothing_but_the_call_it_is_in(hire: Hire, models: ModelServer) -> None:
    """Half a surrogate pair: JSON can spell it, no file or database can keep it."""
    broken = calls(raw_tool("vote", '{"agent_id": "agent2", "reason": "\\ud800"}'))
    models.model("alpha").replies(gives("One."), broken, votes("agent2"))
    models.model("beta").replies(gives("Two."), votes("agent2"), text("Done."))
    crew = await hire("alpha", "beta")
    run = await crew.launch()
    assert (await crew.finished(run))["outcome"] == "completed"
    assert crew.view(run)["tally"] == {"beta": 2}
