"""Two servers on one workspace: the second hears and reads what the first writes, is told who owns it, inherits it."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, text
from tests.support.session_locks import until_unlocked

pytestmark = pytest.mark.asyncio


async def finished(client: LspClient, chat: Json) -> Json:
    return (await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"]))["event"]


def durable(client: LspClient, session_id: str) -> list[Json]:
    return [record for record in client.events if record["seq"] is not None and record["sessionId"] == session_id]


@pytest.mark.proves("D6", "A6")
async def test_a_second_window_reads_is_told_who_writes_and_takes_over(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Four."), text("Yes."), text("Indeed."))
    config = team_config(models, "alpha")
    first = await serve(config=config, editor="neovim")
    chat = await first.command("teamwright.chat", text="What is two and two?")
    await finished(first, chat)
    run = await first.command("teamwright.launch_run", task="Do it.", sessionId=chat["sessionId"])

    second = await serve(config=config, editor="vscode")
    opened = await second.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0)
    assert [item["text"] for item in opened["session"]["items"]] == ["What is two and two?", "Four."]
    assert [decision["decisionId"] for decision in opened["session"]["decisions"]] == [run["decisionId"]]
    written = [record for record in first.events if record["seq"] is not None]
    assert opened["events"] == written[: len(opened["events"])]
    for name, params in {
        "teamwright.chat": {"text": "Is it even?", "sessionId": chat["sessionId"]},
        "teamwright.approve": {"decisionId": run["decisionId"], "choice": "approve"},
        "teamwright.modes": {"sessionId": chat["sessionId"], "plan": True},
    }.items():
        with pytest.raises(LspError) as refused:
            await second.command(name, **params)
        assert refused.value.code == 409
        assert f"neovim (process {first.pid}" in str(refused.value)
        assert refused.value.data["owner"]["pid"] == first.pid

    again = await first.command("teamwright.chat", text="Is it even?", sessionId=chat["sessionId"])
    await finished(first, again)
    await first.kill()
    last = await second.command("teamwright.chat", text="Really?", sessionId=chat["sessionId"])
    await finished(second, last)
    assert [words for _, words in models.requests[2].messages[:4]] == [
        "What is two and two?",
        "Four.",
        "Is it even?",
        "Yes.",
    ]
    told = durable(second, chat["sessionId"])
    log = (await second.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0))["events"]
    known = len(opened["events"])
    assert told == log[known : known + len(told)], "what was written elsewhere is neither missed nor told twice"


@pytest.mark.proves("D6")
async def test_a_session_whose_owner_left_is_taken_over_by_opening_it(serve: Serve, models: ModelServer) -> None:
    config = team_config(models, "alpha")
    first = await serve(config=config)
    run = await first.command("teamwright.launch_run", task="Do it.", agentMode="single")
    await first.shutdown()
    models.model("alpha").replies(text("Done."))
    second = await serve(config=config)
    opened = await second.command("teamwright.session.open", sessionId=run["sessionId"])
    assert [decision["decisionId"] for decision in opened["session"]["decisions"]] == [run["decisionId"]]
    third = await serve(config=config)
    with pytest.raises(LspError) as owned:
        await third.command("teamwright.approve", decisionId=run["decisionId"], choice="approve")
    assert owned.value.data["owner"]["pid"] == second.pid
    await second.command("teamwright.approve", decisionId=run["decisionId"], choice="approve")
    assert (await second.event("run.finished"))["event"]["result"]["text"] == "Done."


@pytest.mark.proves("D6", "A6")
async def test_a_window_that_has_opened_nothing_hears_what_every_client_is_told(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(text("Done."))
    config = team_config(models, "alpha")
    second = await serve(config=config)
    first = await serve(config=config)
    run = await first.command("teamwright.launch_run", task="Do it.", agentMode="single")
    asked = await second.event("decision.requested")
    assert asked["event"]["decision"]["decisionId"] == run["decisionId"]
    with pytest.raises(LspError) as owned:
        await second.command("teamwright.approve", decisionId=run["decisionId"], choice="approve")
    assert (owned.value.code, owned.value.data["owner"]["pid"]) == (409, first.pid)
    await first.command("teamwright.approve", decisionId=run["decisionId"], choice="approve")
    await second.event("decision.resolved", lambda r: r["event"]["decisionId"] == run["decisionId"])
    over = await first.event("session.updated", lambda r: r["event"]["session"]["busy"] is False)
    await second.record(lambda r: r == over)
    for_all = {"session.updated", "decision.requested", "decision.resolved"}
    told = [record for record in durable(first, run["sessionId"]) if record["event"]["type"] in for_all]
    assert [record for record in second.events if record["sessionId"] is not None] == told


@pytest.mark.proves("D6", "A6")
async def test_a_window_that_reads_a_session_follows_it_as_it_happens(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Four."), text("Yes."), text("Done."))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="What is two and two?")
    await finished(first, chat)
    second = await serve(config=config)
    opened = await second.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0)
    again = await first.command("teamwright.chat", text="Is it even?", sessionId=chat["sessionId"])
    await finished(second, again)
    await first.command(
        "teamwright.launch_run", task="Do it.", agentMode="single", sessionId=chat["sessionId"], approval="given"
    )
    drawn = await second.event("run.updated", lambda r: r["event"]["run"]["phase"] == "finished")
    assert drawn["event"]["run"]["outcome"] == "completed"
    over = await first.event("session.updated", lambda r: r["event"]["session"]["runs"] == 1 and not busy(r))
    await second.record(lambda r: r == over)
    assert durable(second, chat["sessionId"]) == durable(first, chat["sessionId"])[len(opened["events"]) :]

    await second.command("teamwright.session.close", sessionId=chat["sessionId"])
    await first.command("teamwright.session.rename", sessionId=chat["sessionId"], title="Sums")
    renamed = await second.event("session.updated", lambda r: r["event"]["session"]["title"] == "Sums")
    assert renamed == second.events[-1]


@pytest.mark.proves("D6")
async def test_a_copy_made_in_another_window_is_news_but_not_its_past(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."), text("Yes."))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    run = await first.command("teamwright.launch_run", task="Do it.", agentMode="single")
    await first.command("teamwright.approve", decisionId=run["decisionId"], choice="approve")
    await first.event("session.updated", lambda r: r["event"]["session"]["runs"] == 1 and not busy(r))
    second = await serve(config=config)
    await second.command("teamwright.session.list")
    copy = await first.command("teamwright.session.fork", sessionId=run["sessionId"])
    told = await second.record(lambda r: r["sessionId"] == copy["sessionId"])
    assert told["event"]["session"]["sessionId"] == copy["sessionId"]
    chat = await first.command("teamwright.chat", text="Really?", sessionId=copy["sessionId"])
    await finished(first, chat)
    await second.event("session.updated", lambda r: r["event"]["session"]["turns"] == 1 and not busy(r))
    assert {record["event"]["type"] for record in second.events if record["sessionId"]} == {"session.updated"}


@pytest.mark.proves("D6", "A9")
async def test_what_is_done_in_a_terminal_is_heard_in_the_window(
    serve: Serve, models: ModelServer, tmp_path: Path, workspace: Path
) -> None:
    models.model("alpha").replies(text("Four."))
    config = team_config(models, "alpha")
    before = await serve(config=config)
    chat = await before.command("teamwright.chat", text="What is two and two?")
    await finished(before, chat)
    await before.shutdown()
    window = await serve(config=config)
    await window.command("teamwright.session.list")
    terminal = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "teamwright", "sessions", "rename", chat["sessionId"], "Sums"),
        stdout=asyncio.subprocess.DEVNULL,
        env={**os.environ, "TEAMWRIGHT_STATE_DIR": str(tmp_path / "state")},
        cwd=workspace,
    )
    told = await window.event("session.updated")
    assert told["event"]["session"]["title"] == "Sums"
    assert await terminal.wait() == 0


@pytest.mark.proves("D6")
async def test_a_client_that_knows_only_lsp_is_asked_in_the_window_that_can_answer(
    serve: Serve, models: ModelServer
) -> None:
    config = team_config(models, "alpha")
    second = await serve(config=config, capabilities={"experimental": None})
    witness = await serve(config=config)
    first = await serve(config=config, capabilities={"experimental": None})
    await first.command("teamwright.launch_run", task="Do this.", agentMode="single")
    assert "Do this." in (await first.request_of_the_server("window/showMessageRequest"))["params"]["message"]
    await witness.event("decision.requested")
    await second.command("teamwright.launch_run", task="Do that.", agentMode="single")
    assert "Do that." in (await second.request_of_the_server("window/showMessageRequest"))["params"]["message"]


@pytest.mark.proves("D6")
async def test_where_no_bell_can_be_hung_a_session_is_seen_as_it_stands_and_taken_over_without_a_gap(
    serve: Serve, models: ModelServer, tmp_path: Path
) -> None:
    models.model("alpha").replies(text("Four."), text("Yes."), text("Indeed."))
    config = team_config(models, "alpha")
    before = await serve(config=config)
    await before.command("teamwright.session.list")
    await before.shutdown()
    (state,) = (tmp_path / "state" / "workspaces").iterdir()
    (state / "peers").rmdir()
    (state / "peers").write_text("in the way", encoding="utf-8")

    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="What is two and two?")
    await finished(first, chat)
    second = await serve(config=config)
    opened = await second.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0)
    again = await first.command("teamwright.chat", text="Is it even?", sessionId=chat["sessionId"])
    await finished(first, again)
    await first.shutdown()
    last = await second.command("teamwright.chat", text="Really?", sessionId=chat["sessionId"])
    await finished(second, last)
    told = durable(second, chat["sessionId"])
    assert [record["seq"] for record in told] == [len(opened["events"]) + 1 + n for n in range(len(told))]
    assert [r["turnId"] for r in told if r["event"]["type"] == "turn.finished"] == [again["turnId"], last["turnId"]]


@pytest.mark.proves("D5", "D6")
async def test_a_session_that_was_put_away_is_followed_into_the_window_that_goes_on_with_it(
    serve: Serve, models: ModelServer, tmp_path: Path
) -> None:
    models.model("alpha").replies(text("Four."), text("Yes."))
    config = team_config(models, "alpha")
    first = await serve(config=config + "orchestrator: {interactive_mode: {idle_minutes: 0.02}}\n")
    chat = await first.command("teamwright.chat", text="What is two and two?")
    await finished(first, chat)
    await until_unlocked(tmp_path / "state")
    second = await serve(config=config)
    again = await second.command("teamwright.chat", text="Is it even?", sessionId=chat["sessionId"])
    await finished(first, again)
    seqs = [record["seq"] for record in durable(first, chat["sessionId"])]
    assert seqs == list(range(1, len(seqs) + 1)), "without a gap, and nothing twice"


def busy(record: Json) -> bool:
    return record["event"]["session"]["busy"]
