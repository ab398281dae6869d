"""Small promises of the protocol, as the author of another client reads them: each sentence tried on the server."""

from pathlib import Path

import pytest

from tests.runtime.lines import each_answers_once
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, Usage, calls, never_answers, text, tool

pytestmark = pytest.mark.asyncio

PAIR = ("alpha", "beta")


def lead_config(models: ModelServer, *, override: str = "off") -> str:
    """A pair of agents, and an assistant with a model of its own."""
    lead = f"{{type: chatcompletion, model: lead, base_url: '{models.openai_url}', api_key: '${{SCRIPTED_KEY}}'}}"
    extra = f"orchestrator: {{interactive_mode: {{override: {override}, backend: {lead}}}}}\n"
    return team_config(models, *PAIR, extra=extra)


async def asked(client: LspClient, chat: Json) -> Json:
    """The record of the decision that the turn waits for."""
    return await client.event("decision.requested", lambda r: r.get("turnId") == chat["turnId"])


async def refusal(client: LspClient, name: str, /, **params: object) -> LspError:
    with pytest.raises(LspError) as refused:
        await client.command(name, **params)
    return refused.value


@pytest.mark.proves("A4")
async def test_a_cancelled_turn_is_over_after_its_run(serve: Serve, models: ModelServer) -> None:
    for name in PAIR:
        models.model(name).always(never_answers())
    models.model("lead").replies(calls(tool("launch_run", task="Take your time.")))
    client = await serve(config=lead_config(models), trusted=True)
    chat = await client.command("teamwright.chat", text="Do it.")
    question = await asked(client, chat)
    await client.command("teamwright.approve", decisionId=question["event"]["decision"]["decisionId"], choice="approve")
    await client.event("agent.started")
    assert await client.command("teamwright.cancel", turnId=chat["turnId"]) == {"cancelled": True}
    await client.event("turn.finished")

    ends = [r["event"] for r in client.events if r["event"]["type"] in {"run.finished", "turn.finished"}]
    assert [(end["type"], end["outcome"]) for end in ends] == [
        ("run.finished", "cancelled"),
        ("turn.finished", "cancelled"),
    ]


@pytest.mark.proves("D1", "A4")
async def test_why_a_run_was_refused_is_told_to_the_assistant(serve: Serve, models: ModelServer) -> None:
    models.model("lead").replies(calls(tool("launch_run", task="Rewrite it all.")), text("Less, then."))
    client = await serve(config=lead_config(models), trusted=True)
    chat = await client.command("teamwright.chat", text="Do it.")
    decision = (await asked(client, chat))["event"]["decision"]
    await client.command(
        "teamwright.approve", decisionId=decision["decisionId"], choice="cancel", instructions="Only the first file."
    )
    await client.event("turn.finished")

    finished = (await client.event("run.finished"))["event"]
    assert (finished["outcome"], finished["error"]) == ("cancelled", "The user refused it: Only the first file.")
    assert "Only the first file." in models.requests[-1].tool_results[-1].text


@pytest.mark.proves("D2")
async def test_a_question_is_answered_in_words_and_by_nothing_else(serve: Serve, models: ModelServer) -> None:
    models.model("lead").replies(calls(tool("request_input", question="Which?")), text("Blue it is."))
    client = await serve(config=lead_config(models), trusted=True)
    chat = await client.command("teamwright.chat", text="Paint it.")
    question = (await asked(client, chat))["event"]["decision"]["decisionId"]

    refused = await refusal(client, "teamwright.approve", decisionId=question, choice="approve")
    assert (refused.code, refused.data) == (
        400,
        {"errors": [{"path": "decisionId", "message": "is a decision of kind input; use teamwright.respond"}]},
    )
    answered = await client.command("teamwright.respond", decisionId=question, text="blue")
    second = await refusal(client, "teamwright.respond", decisionId=question, text="red")
    assert (second.code, second.data) == (409, answered)
    await client.event("turn.finished")


@pytest.mark.proves("C7")
async def test_a_presenter_is_chosen_by_override_and_by_nothing_else(serve: Serve, models: ModelServer) -> None:
    each_answers_once(models, team=PAIR)
    client = await serve(config=team_config(models, *PAIR), trusted=True)
    overrides = {"override": "ask"}
    run = await client.command(
        "teamwright.launch_run", task="Say it.", approval="given", coordinationOverrides=overrides
    )
    window = (await client.event("decision.requested"))["event"]["decision"]["decisionId"]
    for name, answer in (("teamwright.approve", {"choice": "approve"}), ("teamwright.respond", {"text": "alpha"})):
        refused = await refusal(client, name, decisionId=window, **answer)
        assert (refused.code, str(refused)) == (
            400,
            "decisionId: is a decision of kind override; use teamwright.override",
        )

    await client.command("teamwright.override", runId=run["runId"], agentId="alpha")
    second = await refusal(client, "teamwright.override", runId=run["runId"], agentId=None)
    assert (second.code, second.data) == (
        409,
        {"decision": {"decisionId": window, "choice": "alpha", "by": "user"}},
    )
    assert (await client.event("run.finished"))["event"]["result"]["agentId"] == "alpha"


@pytest.mark.proves("D6")
async def test_whoever_answers_for_a_session_hears_what_becomes_of_it(serve: Serve, models: ModelServer) -> None:
    each_answers_once(models, team=PAIR)
    client = await serve(config=team_config(models, *PAIR), trusted=True)
    off = {"override": "off"}
    run = await client.command("teamwright.launch_run", task="Say it.", approval="ask", coordinationOverrides=off)
    await client.command("teamwright.session.close", sessionId=run["sessionId"])
    await client.command("teamwright.approve", decisionId=run["decisionId"], choice="approve")
    assert (await client.event("run.finished"))["runId"] == run["runId"]


@pytest.mark.proves("D6")
async def test_whoever_opens_a_run_hears_what_becomes_of_it(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("thinking")
    models.model("alpha").replies(text("Done.").waits_for(gate))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    run = await client.command("teamwright.launch_run", task="Do it.", agentMode="single", approval="given")
    await gate.reached()
    await client.command("teamwright.session.close", sessionId=run["sessionId"])
    opened = await client.command("teamwright.run.open", runId=run["runId"])
    assert opened["run"]["runId"] == run["runId"]
    gate.release()
    assert (await client.event("run.finished"))["runId"] == run["runId"]


async def test_a_run_goes_here_and_to_no_other_machine(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    only = {"task": "Do it.", "agentMode": "single", "approval": "given"}
    refused = await refusal(client, "teamwright.launch_run", **only, where="workers")
    assert (refused.code, "no workers" in str(refused)) == (501, True)
    await client.command("teamwright.launch_run", **only, where="auto")
    assert (await client.event("run.finished"))["event"]["outcome"] == "completed"


@pytest.mark.proves("A1", "A6")
async def test_a_null_says_as_much_as_silence(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Yes."))
    client = await serve(config=team_config(models, "alpha"))
    nulls = dict.fromkeys(("sessionId", "attachments", "modes", "whenBusy"))
    chat = await client.command("teamwright.chat", text="Hello", **nulls)
    await client.event("turn.finished")
    listed = await client.command("teamwright.session.list", query=None, project=None, limit=None, before=None)
    assert [session["sessionId"] for session in listed["sessions"]] == [chat["sessionId"]]
    refused = await refusal(client, "teamwright.cancel", runId=None, turnId=None)
    assert (refused.code, refused.data) == (400, {"errors": [{"path": "", "message": "give either runId or turnId"}]})


async def test_a_workspace_that_is_named_by_its_path_is_the_workspace(tmp_path: Path, workspace: Path) -> None:
    env = {"TEAMWRIGHT_STATE_DIR": str(tmp_path / "state"), "TEAMWRIGHT_CONFIG": str(tmp_path / "none.yaml")}
    client = await LspClient.spawn(env=env, cwd=str(tmp_path))
    said: Json = {"processId": None, "rootPath": str(workspace), "rootUri": None, "capabilities": None}
    await client.request("initialize", {**said, "workspaceFolders": None, "initializationOptions": None})
    await client.notify("initialized", {})
    await client.command("teamwright.project.create", name="move", goal="Move it.")
    assert await client.shutdown() == 0
    assert (workspace / ".teamwright" / "projects" / "move" / "CONTEXT.md").is_file()


@pytest.mark.proves("D6")
async def test_a_session_opened_in_mid_answer_shows_the_text_so_far_and_goes_on_behind_it(
    serve: Serve, models: ModelServer
) -> None:
    half = models.gate("half of it is said")
    models.model("alpha").replies(text("Très ", "bien 😀 ", "indeed.").waits_for(half, at=2))
    client = await serve(config=team_config(models, "alpha"))
    chat = await client.command("teamwright.chat", text="Well?")
    await client.event("item.delta", lambda r: r["event"]["text"].endswith("😀 "))
    opened = await client.command("teamwright.session.open", sessionId=chat["sessionId"])
    shown = opened["session"]["items"][-1]
    assert (shown["kind"], shown["text"]) == ("assistant_message", "Très bien 😀 ")

    half.release()
    await client.event("turn.finished")
    rest = next(r["event"] for r in reversed(client.events) if r["event"]["type"] == "item.delta")
    assert (rest["itemId"], rest["offset"], rest["text"]) == (shown["itemId"], len("Très bien 😀 "), "indeed.")
    whole = (await client.command("teamwright.session.open", sessionId=chat["sessionId"]))["session"]["items"][-1]
    assert whole["text"] == "Très bien 😀 indeed."


@pytest.mark.proves("D6")
async def test_the_items_of_a_view_say_what_they_belong_to(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Yes."), text("Done."))
    client = await serve(config=team_config(models, "alpha"))
    chat = await client.command("teamwright.chat", text="Hello")
    await client.event("turn.finished")
    task: Json = {"task": "Do it.", "agentMode": "single", "approval": "given"}
    run = await client.command("teamwright.launch_run", sessionId=chat["sessionId"], **task)
    await client.event("run.finished")

    opened = await client.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0)
    ids = ("turnId", "runId", "agentId")
    told = {
        r["event"]["item"]["itemId"]: {name: r.get(name) for name in ids}
        for r in opened["events"]
        if "item" in r["event"]
    }
    shown = {item["itemId"]: {name: item.get(name) for name in ids} for item in opened["session"]["items"]}
    assert shown == told
    assert {"turnId": chat["turnId"], "runId": None, "agentId": None} in shown.values()
    assert {"turnId": None, "runId": run["runId"], "agentId": "alpha"} in shown.values()
    first, *_, last = opened["session"]["items"]
    older = await client.command("teamwright.session.open", sessionId=chat["sessionId"], itemsBefore=last["seq"])
    assert older["session"]["items"][0] == first


@pytest.mark.proves("C14")
async def test_each_call_tells_what_the_session_has_cost_so_far(serve: Serve, models: ModelServer) -> None:
    look = calls(tool("list_files")).costing(Usage(input=1000, output=0))
    models.model("alpha").replies(look, text("Done.").costing(Usage(input=2000, output=0)))
    models.model("alpha").replies(text("Yes.").costing(Usage(input=4000, output=0)))
    price = "price: {input_per_mtok: 1000, output_per_mtok: 1000}, model:"
    client = await serve(config=team_config(models, "alpha").replace("model:", price))
    run = await client.command("teamwright.launch_run", task="Look.", agentMode="single", approval="given")
    await client.event("run.finished")
    await client.command("teamwright.chat", text="Is it so?", sessionId=run["sessionId"])
    await client.event("turn.finished")

    told = [r["event"] for r in client.events if r["event"]["type"] == "usage.reported"]
    assert [(each["costUsd"], each["sessionCostUsd"]) for each in told] == [(1.0, 1.0), (2.0, 3.0), (4.0, 7.0)]
    updated = await client.event("session.updated", lambda r: r["event"]["session"].get("costUsd") == 7.0)
    assert updated["sessionId"] == run["sessionId"]


@pytest.mark.proves("A9")
async def test_a_copy_is_heard_of_after_the_response_that_names_it(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Yes."))
    client = await serve(config=team_config(models, "alpha"))
    chat = await client.command("teamwright.chat", text="Hello")
    await client.event("turn.finished")
    exported = await client.command("teamwright.session.export", sessionId=chat["sessionId"])
    copies = (
        await client.command("teamwright.session.fork", sessionId=chat["sessionId"]),
        await client.command("teamwright.session.import", text=exported["text"]),
    )
    for copy in copies:
        await client.event("session.updated", lambda r, copy=copy: r["sessionId"] == copy["sessionId"])
        bearing = [message for message in client.arrived if copy["sessionId"] in str(message)]
        assert bearing[0].get("result") == copy


@pytest.mark.proves("D1")
async def test_a_long_task_is_cut_in_events_and_whole_where_the_run_is_opened(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(text("Done."))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    task = "Ü" * 40_000
    asked_for: Json = {"task": task, "agentMode": "single", "refinement": False, "approval": "ask"}
    run = await client.command("teamwright.launch_run", **asked_for)
    await client.command("teamwright.approve", decisionId=run["decisionId"], choice="approve")
    await client.event("run.finished")

    events = {r["event"]["type"]: r["event"] for r in client.events}
    shown = [events["run.started"]["spec"], events["run.updated"]["run"]]
    shown.append(events["decision.requested"]["decision"]["detail"]["spec"])
    assert [(len(each["task"].encode()) <= 64 * 1024, each["truncated"]) for each in shown] == [(True, True)] * 3
    assert (await client.command("teamwright.run.open", runId=run["runId"]))["run"]["task"] == task
    assert task in models.requests[0].text


@pytest.mark.proves("E3")
async def test_what_cannot_be_looked_at_says_which_param_is_wrong(serve: Serve, workspace: Path) -> None:
    (workspace / "a.py").write_text("x = 1\n", encoding="utf-8")
    (workspace / ".env").write_text("KEY=1\n", encoding="utf-8")
    client = await serve()
    beyond = {"start": {"line": 9, "character": 0}, "end": {"line": 9, "character": 4}}
    refused = await refusal(client, "teamwright.explain", uri=(workspace / "a.py").as_uri(), range=beyond)
    assert (refused.code, refused.data) == (
        400,
        {"errors": [{"path": "range", "message": "it has no line 10, it ends with line 1"}]},
    )
    (workspace / "src").mkdir()
    for folder in (workspace, workspace / "src"):
        refused = await refusal(client, "teamwright.review", uri=folder.as_uri())
        assert (refused.code, refused.data) == (
            400,
            {"errors": [{"path": "uri", "message": "is a folder; name a file in it"}]},
        )
    assert (await refusal(client, "teamwright.explain", uri=(workspace / ".env").as_uri())).code == 403
    assert (await refusal(client, "teamwright.explain", uri=(workspace / "none.py").as_uri())).code == 404
    assert (await client.command("teamwright.session.list"))["sessions"] == []


@pytest.mark.proves("A1")
async def test_an_agent_that_a_chat_names_in_vain_is_a_fault_of_its_modes(serve: Serve, models: ModelServer) -> None:
    client = await serve(config=team_config(models, "alpha"))
    refused = await refusal(client, "teamwright.chat", text="Hello", modes={"agentMode": "single", "agentId": "omega"})
    assert (refused.code, [error["path"] for error in refused.data["errors"]]) == (400, ["modes.agentId"])
    refused = await refusal(client, "teamwright.launch_run", task="Look.", modes={"agentId": "omega"})
    assert (refused.code, [error["path"] for error in refused.data["errors"]]) == (400, ["modes.agentId"])


@pytest.mark.proves("D4")
async def test_a_session_was_created_when_its_first_event_says(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Yes."))
    client = await serve(config=team_config(models, "alpha"))
    chat = await client.command("teamwright.chat", text="Hello")
    await client.event("turn.finished")
    opened = await client.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0)
    (listed,) = (await client.command("teamwright.session.list"))["sessions"]
    told = {each["createdAt"] for each in (opened["events"][0]["event"]["session"], opened["session"], listed)}
    assert len(told) == 1


@pytest.mark.proves("C12")
async def test_steering_that_nobody_can_hear_is_refused_with_the_reason(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("thinking")
    models.model("alpha").replies(text("Done.").waits_for(gate))
    client = await serve(config=team_config(models, "alpha"))
    waiting = await client.command("teamwright.launch_run", task="Do it.", agentMode="single", approval="ask")
    early = await refusal(client, "teamwright.steer", runId=waiting["runId"], text="Be quick.")
    assert (early.code, "has not started" in str(early)) == (409, True)
    await client.command("teamwright.approve", decisionId=waiting["decisionId"], choice="approve")
    await gate.reached()
    stranger = await refusal(client, "teamwright.steer", runId=waiting["runId"], text="Be quick.", agents=["nobody"])
    assert (stranger.code, stranger.data["errors"][0]["path"]) == (400, "agents")
    gate.release()
    await client.event("run.finished")
    late = await refusal(client, "teamwright.steer", runId=waiting["runId"], text="Be quick.")
    assert (late.code, "is over" in str(late)) == (409, True)


@pytest.mark.proves("C14")
async def test_an_approval_that_is_given_does_not_cover_a_budget_that_cannot_be_kept(
    serve: Serve, models: ModelServer
) -> None:
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    launched = await client.command(
        "teamwright.launch_run", task="Do it.", agentMode="single", approval="given", budget={"usd": 1.0}
    )
    asked = (await client.event("decision.requested"))["event"]["decision"]
    assert asked["decisionId"] == launched["decisionId"]
    assert "price" in asked["detail"]["reason"]
    assert models.requests == []
