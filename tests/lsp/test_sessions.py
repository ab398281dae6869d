"""Sessions as things, through the real server: found, renamed, copied, put away, summed up."""

import json
from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, Usage, calls, never_answers, text, tool

pytestmark = pytest.mark.asyncio

AT = "2026-01-31T12:00:00Z"


async def say(client: LspClient, words: str, session: str | None = None) -> Json:
    """A turn from its question to its end."""
    chat = await client.command("teamwright.chat", text=words, **({"sessionId": session} if session else {}))
    await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"])
    return chat


async def titles(client: LspClient, **asked: object) -> list[str]:
    return [each["title"] for each in (await client.command("teamwright.session.list", **asked))["sessions"]]


async def said_in(client: LspClient, session: str) -> list[str]:
    opened = await client.command("teamwright.session.open", sessionId=session)
    return [item["text"] for item in opened["session"]["items"] if "text" in item]


def a_log(session: str, turns: int, *, project: str | None = None) -> str:
    """An exported session with so many turns, of three records about its one message each."""
    summary = {"sessionId": session, "title": session, "createdAt": AT, "updatedAt": AT, "turns": turns}
    if project is not None:
        summary["project"] = project
    events: list[tuple[str | None, Json]] = [(None, {"type": "session.created", "session": summary})]
    for number in range(1, turns + 1):
        turn = f"turn_{session}_{number}"
        item = {"itemId": f"item_{session}_{number}", "kind": "user_message", "text": f"message {number}"}
        events += [
            (turn, {"type": "turn.started", "text": item["text"]}),
            (turn, {"type": "item.started", "item": item}),
            (turn, {"type": "item.finished", "item": item}),
            (turn, {"type": "turn.finished", "outcome": "completed", "usage": {"calls": 1}}),
        ]
    records = [
        {"v": 1, "seq": seq, "at": AT, "sessionId": session, **({"turnId": turn} if turn else {}), "event": event}
        for seq, (turn, event) in enumerate(events, 1)
    ]
    return json.dumps({"format": "teamwright.session", "version": 1, "records": records})


@pytest.mark.proves("A9", "A6")
async def test_a_fork_goes_its_own_way_from_the_last_finished_turn(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Four."), text("Nine."), text("Even."), text("Odd."))
    client = await serve(config=team_config(models, "alpha"))
    first = await say(client, "Two and two?")
    session = first["sessionId"]
    second = await say(client, "Three times three?", session)
    in_second_turn = next(
        r["seq"] for r in client.events if r.get("turnId") == second["turnId"] and r["event"]["type"] == "item.started"
    )

    fork = (await client.command("teamwright.session.fork", sessionId=session, atSeq=in_second_turn))["sessionId"]
    told = await client.event("session.updated", lambda r: r["sessionId"] == fork)
    assert (told["event"]["session"]["title"], told["event"]["session"]["turns"]) == ("Two and two?", 1)
    assert await said_in(client, fork) == ["Two and two?", "Four."]
    whole = (await client.command("teamwright.session.fork", sessionId=session))["sessionId"]
    assert await said_in(client, whole) == ["Two and two?", "Four.", "Three times three?", "Nine."]

    await say(client, "Is it even?", fork)
    assert models.requests[2].messages[:-1] == [
        ("user", "Two and two?"),
        ("assistant", "Four."),
        ("user", "Is it even?"),
    ]
    assert await said_in(client, session) == ["Two and two?", "Four.", "Three times three?", "Nine."]
    assert await client.command("teamwright.cancel", turnId=first["turnId"]) == {"cancelled": False}


@pytest.mark.proves("A9", "D1")
async def test_a_fork_waits_for_nobody_and_the_original_still_does(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."))
    client = await serve(config=team_config(models, "alpha"))
    run = await client.command("teamwright.launch_run", task="Do it.", agentMode="single")
    asked = await client.event("decision.requested")

    fork = (await client.command("teamwright.session.fork", sessionId=run["sessionId"]))["sessionId"]
    opened = await client.command("teamwright.session.open", sessionId=fork)
    assert (opened["session"]["decisions"], opened["session"]["busy"]) == ([], False)
    await client.command("teamwright.approve", decisionId=asked["event"]["decision"]["decisionId"], choice="approve")
    finished = await client.event("run.finished", lambda r: r["event"]["outcome"] == "completed")
    assert (finished["sessionId"], finished["runId"]) == (run["sessionId"], run["runId"])
    listed = await client.command("teamwright.run.list")
    assert [(view["runId"], view["outcome"]) for view in listed["runs"]] == [(run["runId"], "completed")]
    copied = await client.command("teamwright.run.list", sessionId=fork)
    assert [(view["runId"], view["outcome"]) for view in copied["runs"]] == [(run["runId"], "cancelled")]


@pytest.mark.proves("A9")
async def test_a_session_is_renamed_deleted_and_brought_back(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").always(text("Indeed."))
    client = await serve(config=team_config(models, "alpha"))
    session = (await say(client, "What of zebras?"))["sessionId"]
    other = (await say(client, "What of horses?"))["sessionId"]

    renamed = await client.command("teamwright.session.rename", sessionId=session, title="  On\nzebras ")
    assert renamed["title"] == "On zebras"
    await client.event("session.updated", lambda r: r["event"]["session"]["title"] == "On zebras")
    await say(client, "And their stripes?", session)
    assert await titles(client, query="zebras") == ["On zebras"], "a later turn does not take the title back"

    deleted = await client.command("teamwright.session.delete", sessionId=session)
    assert deleted["title"] == "On zebras"
    assert await titles(client) == ["What of horses?"]
    assert (await client.command("teamwright.session.search", text="stripes"))["hits"] == []
    for name in ("open", "delete", "rename", "stats", "export", "fork", "compact"):
        params = {"title": "x"} if name == "rename" else {}
        with pytest.raises(LspError) as gone:
            await client.command(f"teamwright.session.{name}", sessionId=session, **params)
        assert gone.value.code == 404

    before = len(client.events)
    restored = await client.command("teamwright.session.restore", sessionId=session)
    assert (restored["sessionId"], restored["title"], restored["turns"]) == (session, "On zebras", 2)
    await client.event("session.updated", lambda r: r["sessionId"] == session and r in client.events[before:])
    assert len((await client.command("teamwright.session.search", text="stripes"))["hits"]) == 1
    assert await client.command("teamwright.session.restore", sessionId=session) == {
        **restored,
        "updatedAt": (await client.command("teamwright.session.list", query="zebras"))["sessions"][0]["updatedAt"],
    }
    assert sorted(await titles(client)) == ["On zebras", "What of horses?"]
    await say(client, "Go on.", session)
    with pytest.raises(LspError) as nameless:
        await client.command("teamwright.session.rename", sessionId=other, title=" \n ")
    assert (nameless.value.code, nameless.value.data["errors"][0]["path"]) == (400, "title")


@pytest.mark.proves("A9")
async def test_what_is_at_work_is_neither_deleted_nor_summed_up(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(never_answers())
    client = await serve(config=team_config(models, "alpha"))
    chat = await client.command("teamwright.chat", text="Hello")

    for name in ("delete", "compact"):
        with pytest.raises(LspError) as busy:
            await client.command(f"teamwright.session.{name}", sessionId=chat["sessionId"])
        assert busy.value.code == 409
        assert "is at work" in str(busy.value)
    await client.command("teamwright.cancel", turnId=chat["turnId"])
    await client.event("turn.finished")
    await client.command("teamwright.session.delete", sessionId=chat["sessionId"])
    assert await titles(client) == []


@pytest.mark.proves("A7", "A9", "C14")
async def test_a_session_is_summed_up_when_the_user_wants_it(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Hm. " * 900), text("Second."))
    client = await serve(config=team_config(models, "alpha"))
    session = (await say(client, "Tell me much."))["sessionId"]
    with pytest.raises(LspError) as too_short:
        await client.command("teamwright.session.compact", sessionId=session)
    assert (too_short.value.code, "too short" in str(too_short.value)) == (409, True)
    await say(client, "And now?", session)

    gate = models.gate("summary")
    models.model("alpha").replies(
        text("They spoke of much.").waits_for(gate).costing(Usage(input=100, output=10)), text("Third.")
    )
    summary = await client.command("teamwright.session.compact", sessionId=session)
    assert summary["sessionId"] == session
    with pytest.raises(LspError) as twice:
        await client.command("teamwright.session.compact", sessionId=session)
    assert twice.value.code == 409
    gate.release()
    compacted = await client.event("session.compacted")
    assert compacted["event"]["summary"] == "They spoke of much."
    assert (compacted["event"]["usage"]["inputTokens"], compacted["event"]["usage"]["calls"]) == (100, 1)
    stats = await client.command("teamwright.session.stats", sessionId=session)
    assert (stats["usage"]["calls"], stats["turns"], stats["messages"]) == (3, 2, 4)

    await say(client, "And then?", session)
    sent = [said for _, said in models.requests[-1].messages]
    assert any("They spoke of much." in said for said in sent)
    assert not any("Hm. Hm." in said for said in sent)
    assert ("user", "And now?") in models.requests[-1].messages, "the latest turn stays word for word"


@pytest.mark.proves("A9")
async def test_an_export_comes_back_as_it_was_but_for_the_sessions_id(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(
        calls(tool("launch_run", task="Check it.", agent_mode="single")), text("All is well."), text("It is checked.")
    )
    client = await serve(config=team_config(models, "alpha", extra=NEVER_ASK), trusted=True)
    session = (await say(client, "Please check.\n# it all"))["sessionId"]
    exported = (await client.command("teamwright.session.export", sessionId=session))["text"]

    copy = (await client.command("teamwright.session.import", text=exported))["sessionId"]
    assert copy != session
    again = (await client.command("teamwright.session.export", sessionId=copy, format="json"))["text"]
    assert facts(again) == facts(exported), "but for what was decided, which is for where it was decided"
    assert await said_in(client, copy) == await said_in(client, session)
    models.model("alpha").replies(text("Gladly."))
    await say(client, "Go on.", copy)
    assert models.requests[-1].messages[0] == ("user", "Please check.\n# it all")

    for bad, word in (
        ("{", "JSON"),
        ('{"records": []}', "format"),
        (exported.replace("session.created", "x"), "first"),
    ):
        with pytest.raises(LspError) as refused:
            await client.command("teamwright.session.import", text=bad)
        assert refused.value.code == 400
        assert "not an exported session" in str(refused.value)
        assert word in str(refused.value)


def facts(exported: str) -> list[Json]:
    records = json.loads(exported)["records"]
    kept: list[Json] = [
        {**each, "seq": None, "sessionId": None} for each in records if "decision." not in each["event"]["type"]
    ]
    for each in kept:
        each["event"].get("session", {}).pop("sessionId", None)
    return kept


NEVER_ASK = "orchestrator: {interactive_mode: {require_approval: false, override: 'off'}}\n"


@pytest.mark.proves("A9", "A5")
async def test_markdown_tells_who_said_what_and_what_the_team_came_to(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "notes.txt").write_text("old\n", encoding="utf-8")
    spec = {"task": "Mend the notes.", "context_paths": [{"path": "notes.txt", "permission": "write"}]}
    models.model("alpha").replies(
        calls(tool("launch_run", **spec)),
        calls(tool("new_answer", content="# Mine\n\nWrite new.")),
        calls(tool("vote", agent_id="agent1", reason="It is\nright.")),
        calls(tool("write_file", path="notes.txt", content="new\n")),
        text("I wrote new."),
        text("The notes are mended."),
    )
    answered, voted = models.gate("alpha has answered"), models.gate("alpha has voted")
    models.model("beta").replies(
        calls(tool("new_answer", content="Write newer.")).waits_for(answered),
        calls(tool("vote", agent_id="agent1", reason="Shorter.")).waits_for(voted),
    )
    policy = "orchestrator: {interactive_mode: {require_approval: false, apply_changes: auto, override: 'off'}}\n"
    client = await serve(config=team_config(models, "alpha", "beta", extra=policy), trusted=True)
    attached = [{"uri": (workspace / "notes.txt").as_uri()}]
    chat = await client.command("teamwright.chat", text="Mend them.", attachments=attached)
    await client.event("answer.submitted")
    answered.release()
    await client.event("vote.cast")
    voted.release()
    await client.event("turn.finished")

    told = (await client.command("teamwright.session.export", sessionId=chat["sessionId"], format="markdown"))["text"]
    lines = [line for line in told.splitlines() if line and not line.startswith("*")]
    run = next(r["runId"] for r in client.events if r["event"]["type"] == "run.started")
    assert lines == [
        "# Mend them.",
        "## You",
        "Mend them.",
        "- attached: `notes.txt`",
        "## Run: Mend the notes.",
        "### Answer of alpha (agent1.1)",
        "> # Mine",
        ">",
        "> Write new.",
        "### Answer of beta (agent2.1)",
        "> Write newer.",
        "### Votes",
        "- alpha for alpha: It is right.",
        "- beta for alpha: Shorter.",
        "### Result, by alpha",
        "I wrote new.",
        "### Changes",
        "`notes.txt`, edit: applied",
        "```diff",
        *lines[lines.index("```diff") + 1 : lines.index("```")],
        "```",
        "## Assistant",
        "The notes are mended.",
    ]
    assert lines[lines.index("```") - 2 : lines.index("```")] == ["-old", "+new"]
    assert f"*{run} · Completed · alpha, beta · 6 model calls*" in told


@pytest.mark.proves("A6", "A9")
async def test_the_list_goes_on_where_it_ended_and_knows_projects(serve: Serve) -> None:
    client = await serve()
    for name, project in (("one", None), ("two", "migration"), ("three", "migration"), ("four", None)):
        await client.command("teamwright.session.import", text=a_log(f"ses_{name}", 1, project=project))

    newest = (await client.command("teamwright.session.list", limit=2))["sessions"]
    assert [each["title"] for each in newest] == ["ses_four", "ses_three"]
    assert await titles(client, before=newest[-1]["sessionId"]) == ["ses_two", "ses_one"]
    assert await titles(client, project="migration") == ["ses_three", "ses_two"]
    assert await titles(client, project="migration", before=newest[-1]["sessionId"]) == ["ses_two"]
    assert await titles(client, before="2026-01-31T12:00:00Z") == []
    assert len(await titles(client, before="2026-02-01T00:00:00+01:00")) == 4
    assert (newest[1]["project"], newest[1]["lastMessage"], newest[1]["createdAt"]) == ("migration", "", AT)
    for wrong, code in (("ses_unknown", 404), ("yesterday", 400), ("2026-01-31T12:00:00", 400)):
        with pytest.raises(LspError) as refused:
            await titles(client, before=wrong)
        assert refused.value.code == code


@pytest.mark.proves("A6")
async def test_older_items_are_opened_page_by_page(serve: Serve) -> None:
    client = await serve()
    session = (await client.command("teamwright.session.import", text=a_log("ses_long", 450)))["sessionId"]

    seen: list[str] = []
    before: dict[str, int] = {}
    for expected in (200, 200, 50, 0):
        opened = await client.command("teamwright.session.open", sessionId=session, **before)
        items = opened["session"]["items"]
        assert len(items) == expected
        seen = [item["text"] for item in items] + seen
        before = {"itemsBefore": items[0]["seq"]} if items else {}
    assert seen == [f"message {number}" for number in range(1, 451)]


@pytest.mark.proves("A5", "C1")
async def test_runs_are_listed_and_opened_in_full_also_when_their_session_is_not_open(
    serve: Serve, models: ModelServer
) -> None:
    long = "An answer that goes on. " * 2_750
    models.model("alpha").replies(
        calls(tool("write_file", path="scratch/draft.md", content="draft")),
        calls(tool("new_answer", content=long)),
        calls(tool("vote", agent_id="agent1", reason="Long.")),
        text(long),
    )
    models.model("beta").replies(
        calls(tool("new_answer", content="Short.")), calls(tool("vote", agent_id="agent1", reason="Longer."))
    )
    config = team_config(models, "alpha", "beta", extra=NEVER_ASK)
    first = await serve(config=config, trusted=True)
    run = await first.command("teamwright.launch_run", task="Go on and on.")
    submitted = await first.event("answer.submitted", lambda r: r["agentId"] == "alpha")
    await first.event("winner.selected")
    finished = await first.event("run.finished")
    result = finished["event"]["result"]
    assert (result["truncated"], submitted["event"]["truncated"]) == (True, True)
    assert len(result["text"].encode()) == len(submitted["event"]["content"].encode()) == 64 * 1024
    assert long.startswith(result["text"].removesuffix("…"))
    opened = await first.command("teamwright.session.open", sessionId=run["sessionId"], afterSeq=0)
    again = next(each for each in opened["events"] if each["event"]["type"] == "run.finished")
    assert again == finished
    assert [item["truncated"] for item in opened["session"]["items"] if item["kind"] == "presentation"] == [True]
    await first.shutdown()

    second = await serve(config=config)
    (listed,) = (await second.command("teamwright.run.list"))["runs"]
    assert (listed["runId"], listed["task"], listed["phase"], listed["winner"]) == (
        run["runId"],
        "Go on and on.",
        "finished",
        "alpha",
    )
    assert (await second.command("teamwright.run.list", sessionId=run["sessionId"]))["runs"] == [listed]
    assert (await second.command("teamwright.run.list", project="none"))["runs"] == []
    whole = await second.command("teamwright.run.open", runId=run["runId"])
    assert whole["run"] == listed
    assert whole["result"] == {"text": long, "agentId": "alpha", "strategy": "winner_present"}
    assert {answer["label"]: (answer["content"], answer["files"]) for answer in whole["answers"]} == {
        "agent1.1": (long, ["draft.md"]),
        "agent2.1": ("Short.", []),
    }
    log_dir = Path(whole["logDir"])
    assert (log_dir / "result.md").read_text(encoding="utf-8").rstrip("\n") == long.rstrip("\n")
    for name, params in (("list", {"sessionId": "ses_unknown"}), ("open", {"runId": "run_unknown"})):
        with pytest.raises(LspError) as unknown:
            await second.command(f"teamwright.run.{name}", **params)
        assert unknown.value.code == 404


@pytest.mark.proves("A6")
@pytest.mark.parametrize("content", [b"not a database, yet somebody's\n" * 500, b"SQLite format 3\0" + b"\xff" * 8192])
async def test_a_history_that_is_damaged_or_not_ours_is_set_aside_and_the_user_is_told(
    serve: Serve, models: ModelServer, tmp_path: Path, content: bytes
) -> None:
    models.model("alpha").always(text("Hello."))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    await say(first, "Hello")
    await first.shutdown()
    (database,) = (tmp_path / "state").rglob("sessions.db")
    database.write_bytes(content)

    second = await serve(config=config)
    assert await titles(second) == []
    notice = await second.event("notice.raised")
    (aside,) = (path for path in database.parent.glob("sessions.*.db"))
    assert aside.name in notice["event"]["text"]
    assert aside.read_bytes() == content
    await say(second, "Hello again")
    assert await titles(second) == ["Hello again"]
