"""Runs through the real server: the team answers, votes and presents, and a person has the last word.

The scenarios share one server in a process of its own; each has its own session, and the whole log is audited.
"""

from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio

from tests.runtime.audit import audit
from tests.runtime.lines import TEAM, added, each_answers_once, gives, plans, repeats, votes
from tests.support.doors import team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, Request, calls, never_answers, text, tool

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Stage:
    """The shared server, and what one scenario causes on it."""

    def __init__(self, client: LspClient, models: ModelServer) -> None:
        models.new_script()
        self.client = client
        self._models = models
        self._begun = len(models.requests)

    @property
    def requests(self) -> list[Request]:
        return self._models.requests[self._begun :]

    def requests_to(self, model: str) -> list[Request]:
        return [request for request in self.requests if request.model == model]

    async def launch(self, task: str = "Say it.", **params: Any) -> Json:
        overrides = {"override": "off", **params.pop("coordinationOverrides", {})}
        asked = {"approval": "given", "task": task, "coordinationOverrides": overrides, **params}
        return await self.client.command("teamwright.launch_run", **asked)

    async def event(self, event_type: str, run: Json, where: Callable[[Json], bool] = lambda _: True) -> Json:
        return await self.client.event(event_type, lambda r: r.get("runId") == run["runId"] and where(r))

    async def heard(self, event_type: str, run: Json, times: int) -> None:
        def heard() -> int:
            return sum(r["event"]["type"] == event_type and r["runId"] == run["runId"] for r in self.client.events)

        await self.event(event_type, run, lambda _: heard() >= times)

    async def finished(self, run: Json) -> Json:
        return (await self.event("run.finished", run))["event"]

    async def question(self, kind: str, run: Json) -> Json:
        asked = await self.event("decision.requested", run, lambda r: r["event"]["decision"]["kind"] == kind)
        return asked["event"]["decision"]

    async def last_view(self, run: Json) -> Json:
        drawn = await self.event("run.updated", run, lambda r: r["event"]["run"]["phase"] == "finished")
        return drawn["event"]["run"]


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server
    server.check()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(models: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[LspClient]:
    home = tmp_path_factory.mktemp("run")
    (home / "workspace").mkdir()
    config = home / "config.yaml"
    config.write_text(team_config(models, *TEAM), encoding="utf-8")
    env = {
        "TEAMWRIGHT_STATE_DIR": str(home / "state"),
        "TEAMWRIGHT_CONFIG": str(home / "none"),
        "SCRIPTED_KEY": "sk-scripted",
    }
    client = await LspClient.spawn(env=env, cwd=str(home / "workspace"))
    await client.initialize((home / "workspace").as_uri(), configPath=str(config), trusted=True)
    yield client
    await client.kill()
    audit(client.events)


@pytest.fixture
def serve(server: LspClient, models: ModelServer) -> Stage:
    return Stage(server, models)


@pytest.mark.proves("C1")
async def test_three_agents_answer_vote_and_present_in_seven_calls(serve: Stage, models: ModelServer) -> None:
    each_answers_once(models)
    run = await serve.launch()
    finished = await serve.finished(run)

    assert (finished["outcome"], finished["usage"]["calls"], len(serve.requests)) == ("completed", 7, 7)
    assert finished["result"] == {"text": "The final words of beta.", "agentId": "beta", "strategy": "winner_present"}
    winner = await serve.event("winner.selected", run)
    assert (winner["agentId"], winner["event"]["tally"]) == ("beta", {"beta": 3})
    arrived = [m for m in serve.client.arrived if m.get("result") == run or run["sessionId"] in str(m.get("params"))]
    assert arrived[0].get("result") == run, "an event that bears the response's ids came before the response"


@pytest.mark.proves("C1")
async def test_a_new_answer_voids_votes_which_are_asked_for_again_in_the_same_conversation(
    serve: Stage, models: ModelServer
) -> None:
    late = models.gate("gamma has second thoughts")
    for name in ("alpha", "beta"):
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent2"), votes("agent3"))
    models.model("gamma").replies(
        gives("The answer of gamma."), gives("A better one.").waits_for(late), votes("agent3"), text("The end.")
    )
    run = await serve.launch()
    await serve.heard("vote.cast", run, 2)
    late.release()
    finished = await serve.finished(run)

    assert finished["result"] == {"text": "The end.", "agentId": "gamma", "strategy": "winner_present"}
    view = await serve.last_view(run)
    assert [vote["counts"] for vote in view["votes"]] == [False, False, True, True, True]
    assert view["tally"] == {"gamma": 3}
    for name in ("alpha", "beta"):
        first, evaluated, again = serve.requests_to(name)
        assert repeats(first, evaluated)
        assert repeats(evaluated, again)
        assert "A better one." in added(evaluated, again)
        assert "The answer of" not in added(evaluated, again)


@pytest.mark.proves("C2", "C5")
async def test_without_refinement_answers_are_independent_and_the_presenter_combines_them(
    serve: Stage, models: ModelServer
) -> None:
    each_answers_once(models)
    run = await serve.launch(refinement=False)
    finished = await serve.finished(run)
    assert finished["result"] == {"text": "The final words of beta.", "agentId": "beta", "strategy": "synthesize"}
    started = await serve.event("run.started", run)
    assert started["event"]["spec"]["coordinationOverrides"]["maxNewAnswersPerAgent"] == 1
    assert all("The answer of" not in serve.requests_to(name)[0].text for name in TEAM)
    assert all("new_answer" not in serve.requests_to(name)[1].tool_names for name in TEAM)


@pytest.mark.proves("C5")
@pytest.mark.parametrize(("strategy", "model_calls"), [("winner_reuse", 6), ("winner_present", 7), ("synthesize", 7)])
async def test_the_final_answer_is_made_as_the_strategy_says(
    strategy: str, model_calls: int, serve: Stage, models: ModelServer
) -> None:
    each_answers_once(models)
    run = await serve.launch(coordinationOverrides={"finalAnswerStrategy": strategy})
    finished = await serve.finished(run)
    assert finished["result"]["strategy"] == strategy
    assert finished["result"]["text"] == ("The answer of beta." if model_calls == 6 else "The final words of beta.")
    assert len(serve.requests) == model_calls


@pytest.mark.proves("C3")
async def test_a_single_agent_refines_until_it_votes_for_itself(serve: Stage, models: ModelServer) -> None:
    models.model("alpha").replies(gives("A draft."), gives("A better draft."), votes("agent1"), text("The end."))
    run = await serve.launch(agentMode="single", refinement=True)
    assert (await serve.finished(run))["result"]["text"] == "The end."
    assert [answer["label"] for answer in (await serve.last_view(run))["answers"]] == ["agent1.1", "agent1.2"]


@pytest.mark.proves("C4")
async def test_a_single_agent_without_refinement_just_answers(serve: Stage, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."))
    run = await serve.launch(agentMode="single")
    finished = await serve.finished(run)
    assert (finished["outcome"], finished["result"]["text"]) == ("completed", "Done.")
    assert not {"new_answer", "vote"} & set(serve.requests[0].tool_names)


@pytest.mark.proves("C6")
async def test_a_plan_is_shown_approved_with_instructions_and_carried_out_by_a_child_run(
    serve: Stage, models: ModelServer
) -> None:
    for name in TEAM:
        models.model(name).replies(plans(f"Plan of {name}", "Look"), votes("agent1"))
    models.model("alpha").replies(plans("The plan", "Look", "Leap"))
    run = await serve.launch("Cross the river.", planningMode=True)
    question = await serve.question("plan", run)
    assert [task["title"] for task in question["detail"]["plan"]["tasks"]] == ["Look", "Leap"]

    for name in TEAM:
        models.model(name).replies(gives(f"Crossed by {name}."), votes("agent1"))
    models.model("alpha").replies(text("Across."))
    await serve.client.command(
        "teamwright.approve", decisionId=question["decisionId"], choice="approve", instructions="Mind the current."
    )
    finished = await serve.finished(run)
    child = await serve.client.event("run.started", lambda r: r["event"].get("parentRunId") == run["runId"])

    assert (finished["outcome"], finished["result"]["strategy"]) == ("completed", "plan")
    assert (await serve.finished(child))["result"]["text"] == "Across."
    told = serve.requests[7].messages[-1][1]
    assert all(each in told for each in ("Cross the river.", "Leap", "Mind the current."))


@pytest.mark.proves("C7")
async def test_a_person_chooses_another_presenter_in_the_window_and_only_there(
    serve: Stage, models: ModelServer
) -> None:
    last_vote = models.gate("the last vote")
    models.model("alpha").replies(gives("One."), votes("agent2"))
    models.model("beta").replies(gives("Two."), votes("agent2").waits_for(last_vote))
    run = await serve.launch(agents=["alpha", "beta"], coordinationOverrides={"override": "ask"})

    async def refused(agent: str) -> int:
        with pytest.raises(LspError) as refusal:
            await serve.client.command("teamwright.override", runId=run["runId"], agentId=agent)
        return refusal.value.code

    await serve.heard("vote.cast", run, 1)
    assert await refused("alpha") == 409
    last_vote.release()
    question = await serve.question("override", run)
    assert [answer["content"] for answer in question["detail"]["answers"]] == ["One.", "Two."]
    assert await refused("gamma") == 400

    models.model("alpha").replies(text("One, presented."))
    await serve.client.command("teamwright.override", runId=run["runId"], agentId="alpha")
    assert (await serve.finished(run))["result"]["text"] == "One, presented."
    assert await refused("beta") == 409


@pytest.mark.proves("C10")
async def test_overrides_and_limits_are_checked_before_the_start_and_kept_while_it_goes(
    serve: Stage, models: ModelServer
) -> None:
    with pytest.raises(LspError) as refusal:
        await serve.launch(agents=["betta"], coordinationOverrides={"maxNewAnswersGlobal": 0, "overide": "off"})
    assert refusal.value.code == 400
    assert {error["path"] for error in refusal.value.data["errors"]} == {
        "coordinationOverrides.maxNewAnswersGlobal",
        "coordinationOverrides.overide",
    }
    models.model("alpha").replies(text("The provider's SDK is loaded."), gives("In time."))
    models.model("beta").replies(never_answers())
    await serve.finished(await serve.launch(agentMode="single"))
    run = await serve.launch(agents=["alpha", "beta"], coordinationOverrides={"orchestratorTimeoutSeconds": 2})
    finished = await serve.finished(run)
    assert (finished["outcome"], finished["result"]["text"]) == ("timed_out", "In time.")
    await serve.requests_to("beta")[0].disconnected()


@pytest.mark.proves("C12")
async def test_a_word_reaches_the_agents_and_voids_votes_cast_without_it(serve: Stage, models: ModelServer) -> None:
    looking = models.gate("beta looks around")
    models.model("alpha").replies(gives("One."), votes("agent1"), votes("agent2"))
    models.model("beta").replies(
        gives("Two."), calls(tool("list_files")).waits_for(looking), votes("agent2"), text("Done.")
    )
    run = await serve.launch(agents=["alpha", "beta"])
    await serve.heard("vote.cast", run, 1)
    await looking.reached()
    steered = await serve.client.command("teamwright.steer", runId=run["runId"], text="Mind the budget.")
    assert steered == {"delivered": ["alpha", "beta"]}
    looking.release()
    await serve.finished(run)

    assert (await serve.last_view(run))["tally"] == {"beta": 2}
    assert "Mind the budget." in added(*serve.requests_to("alpha")[1:])
    assert "Mind the budget." in serve.requests_to("beta")[2].tool_results[-1].text


@pytest.mark.proves("C14")
async def test_usage_is_told_per_agent_and_run_and_a_budget_asks_before_it_is_exceeded(
    serve: Stage, models: ModelServer
) -> None:
    each_answers_once(models)
    run = await serve.launch(budget={"tokens": 57})
    question = await serve.question("budget", run)
    assert question["detail"]["spent"]["tokens"] == 57
    assert len(serve.requests) == 3
    await serve.client.command("teamwright.approve", decisionId=question["decisionId"], choice="approve")
    again = await serve.client.event(
        "decision.requested",
        lambda r: r["event"]["decision"]["kind"] == "budget" and r["event"]["decision"] != question,
    )
    await serve.client.command(
        "teamwright.approve", decisionId=again["event"]["decision"]["decisionId"], choice="cancel"
    )
    finished = await serve.finished(run)
    assert (finished["outcome"], finished["usage"]["calls"]) == ("cancelled", len(serve.requests))
    agents = (await serve.last_view(run))["agents"]
    assert sum(agent["usage"]["calls"] for agent in agents) == len(serve.requests)


@pytest.mark.proves("D2")
async def test_an_agent_asks_a_person_and_goes_on_with_the_answer(serve: Stage, models: ModelServer) -> None:
    models.model("alpha").replies(calls(tool("request_input", question="Which port?")), text("It is 8080."))
    run = await serve.launch(agentMode="single")
    question = await serve.question("input", run)
    await serve.client.command("teamwright.respond", decisionId=question["decisionId"], text="8080")
    assert (await serve.finished(run))["result"]["text"] == "It is 8080."
    assert serve.requests[1].tool_results[-1].text == "8080"
    with pytest.raises(LspError) as too_late:
        await serve.client.command("teamwright.respond", decisionId=question["decisionId"], text="80")
    assert (too_late.value.code, too_late.value.data["decision"]["text"]) == (409, "8080")


@pytest.mark.proves("D1")
async def test_an_edited_approval_changes_what_runs(serve: Stage, models: ModelServer) -> None:
    models.model("beta").replies(text("Beta alone."))
    run = await serve.launch(approval="ask")
    question = await serve.question("run", run)
    assert question["detail"]["spec"]["agents"] == list(TEAM)
    edits = {"agents": ["beta"], "agentMode": "single"}
    await serve.client.command("teamwright.approve", decisionId=run["decisionId"], choice="approve", edits=edits)
    assert (await serve.event("run.started", run))["event"]["spec"]["agents"] == ["beta"]
    assert (await serve.finished(run))["result"]["text"] == "Beta alone."


async def test_cancelling_a_run_stops_its_calls_and_keeps_what_there_is(serve: Stage, models: ModelServer) -> None:
    models.model("alpha").replies(gives("The only answer."))
    models.model("beta").replies(never_answers())
    run = await serve.launch(agents=["alpha", "beta"])
    await serve.event("agent.stopped", run)
    assert await serve.client.command("teamwright.cancel", runId=run["runId"]) == {"cancelled": True}
    finished = await serve.finished(run)
    assert (finished["outcome"], finished["result"]["text"]) == ("cancelled", "The only answer.")
    await serve.requests_to("beta")[0].disconnected()
    assert await serve.client.command("teamwright.cancel", runId=run["runId"]) == {"cancelled": False}
