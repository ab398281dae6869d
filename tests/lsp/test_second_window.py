"""Two servers on one workspace: the second reads what the first writes, is told who owns it, and inherits it."""

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, text

pytestmark = pytest.mark.asyncio


async def finished(client: LspClient, chat: Json) -> Json:
    return (await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"]))["event"]


@pytest.mark.proves("D6", "A6")
async def test_a_second_window_reads_is_told_who_writes_and_takes_over(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Four."), text("Yes."), text("Indeed."))
    config = team_config(models, "alpha")
    first = await serve(config=config, editor="neovim")
    chat = await first.command("quorate.chat", text="What is two and two?")
    await finished(first, chat)
    run = await first.command("quorate.launch_run", task="Do it.", sessionId=chat["sessionId"])

    second = await serve(config=config, editor="vscode")
    opened = await second.command("quorate.session.open", sessionId=chat["sessionId"], afterSeq=0)
    assert [item["text"] for item in opened["session"]["items"]] == ["What is two and two?", "Four."]
    assert [decision["decisionId"] for decision in opened["session"]["decisions"]] == [run["decisionId"]]
    written = [record for record in first.events if record["seq"] is not None]
    assert opened["events"] == written[: len(opened["events"])]
    for name, params in {
        "quorate.chat": {"text": "Is it even?", "sessionId": chat["sessionId"]},
        "quorate.approve": {"decisionId": run["decisionId"], "choice": "approve"},
        "quorate.modes": {"sessionId": chat["sessionId"], "plan": True},
    }.items():
        with pytest.raises(LspError) as refused:
            await second.command(name, **params)
        assert refused.value.code == 409
        assert f"neovim (process {first.pid}" in str(refused.value)
        assert refused.value.data["owner"]["pid"] == first.pid

    again = await first.command("quorate.chat", text="Is it even?", sessionId=chat["sessionId"])
    await finished(first, again)
    await first.kill()
    last = await second.command("quorate.chat", text="Really?", sessionId=chat["sessionId"])
    await finished(second, last)
    assert [words for _, words in models.requests[2].messages[:4]] == [
        "What is two and two?",
        "Four.",
        "Is it even?",
        "Yes.",
    ]
    resync = await second.event("session.resync")
    known = max(record["seq"] for record in first.events if record["seq"] is not None)
    assert resync["event"]["lastSeq"] >= known, "what was written elsewhere is not missed"


@pytest.mark.proves("D6")
async def test_a_session_whose_owner_left_is_taken_over_by_opening_it(serve: Serve, models: ModelServer) -> None:
    config = team_config(models, "alpha")
    first = await serve(config=config)
    run = await first.command("quorate.launch_run", task="Do it.", agentMode="single")
    await first.shutdown()
    models.model("alpha").replies(text("Done."))
    second = await serve(config=config)
    opened = await second.command("quorate.session.open", sessionId=run["sessionId"])
    assert [decision["decisionId"] for decision in opened["session"]["decisions"]] == [run["decisionId"]]
    third = await serve(config=config)
    with pytest.raises(LspError) as owned:
        await third.command("quorate.approve", decisionId=run["decisionId"], choice="approve")
    assert owned.value.data["owner"]["pid"] == second.pid
    await second.command("quorate.approve", decisionId=run["decisionId"], choice="approve")
    assert (await second.event("run.finished"))["event"]["result"]["text"] == "Done."
