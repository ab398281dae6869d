"""A client that knows only LSP: it is asked by messages, sees progress, and gets results as documents."""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.runtime.lines import TEAM, each_answers_once
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text, tool
from tests.support.patience import PATIENCE_SECONDS

PLAIN: Json = {"experimental": {}, "window": {"workDoneProgress": True, "showDocument": {"support": True}}}


class Person:
    """Answers what the editor shows, and keeps what was shown."""

    def __init__(self, client: LspClient, **titles: str | None) -> None:
        self.questions: list[Json] = []
        self.asked = asyncio.Event()
        self.shown: asyncio.Queue[str] = asyncio.Queue()
        self._title = titles.get("clicks")
        client.answers["window/showMessageRequest"] = self._click
        client.answers["window/showDocument"] = self._look
        client.answers["window/workDoneProgress/create"] = self._accept

    async def _click(self, params: Json) -> Json | None:
        self.questions.append(params)
        self.asked.set()
        return None if self._title is None else {"title": self._title}

    async def _look(self, params: Json) -> Json:
        await self.shown.put(params["uri"])
        return {"success": True}

    async def _accept(self, params: Json) -> None:
        del params


def content(shown: str) -> str:
    return Path(unquote(urlsplit(shown).path)).read_text(encoding="utf-8")


async def plain(serve: Serve, models: ModelServer, **window: Any) -> LspClient:
    capabilities = {**PLAIN, "window": {**PLAIN["window"], **window}}
    return await serve(config=team_config(models, "alpha"), capabilities=capabilities)


@pytest.mark.asyncio
@pytest.mark.proves("D1", "E7")
async def test_a_run_is_approved_by_a_message_seen_as_progress_and_shown_as_a_document(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(text("It is **done**."))
    client = await plain(serve, models)
    person = Person(client, clicks="Approve")

    run = await client.command("teamwright.launch_run", task="Do it.", agentMode="single")
    uri = await asyncio.wait_for(person.shown.get(), PATIENCE_SECONDS)

    (question,) = person.questions
    assert [action["title"] for action in question["actions"]] == ["Approve", "Cancel"]
    assert "Do it." in question["message"]
    document = content(uri)
    assert document.startswith("# Do it.\n\nIt is **done**.")
    await client.notification("$/progress", lambda p: p["value"]["kind"] == "end")
    told = [each["params"] for each in client.notifications if each["method"] == "$/progress"]
    assert {each["token"] for each in told} == {run["runId"]}
    assert told[0]["value"]["kind"] == "begin"
    assert (told[0]["value"]["title"], told[0]["value"]["cancellable"]) == ("Teamwright: Do it.", True)
    assert client.events == [], "what a plain client does not know it is not sent"


@pytest.mark.asyncio
@pytest.mark.proves("D1")
async def test_a_message_that_is_waved_aside_cancels(serve: Serve, models: ModelServer) -> None:
    client = await plain(serve, models, showDocument={"support": False})
    person = Person(client, clicks=None)

    run = await client.command("teamwright.launch_run", task="Do it.", agentMode="single")
    # With no document to be shown, the path of the result is told.
    message = await client.notification("window/showMessage")

    opened = await client.command("teamwright.session.open", sessionId=run["sessionId"], afterSeq=0)
    assert len(person.questions) == 1
    assert opened["session"]["decisions"] == []
    (finished,) = (r["event"] for r in opened["events"] if r["event"]["type"] == "run.finished")
    assert finished["outcome"] == "cancelled"
    assert "cancelled" in content(message["message"].removeprefix("Teamwright's result is in "))


@pytest.mark.asyncio
async def test_a_question_that_was_answered_elsewhere_is_taken_back(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."))
    client = await plain(serve, models)

    run = await client.command("teamwright.launch_run", task="Do it.", agentMode="single")
    asked = await client.request_of_the_server("window/showMessageRequest")
    await client.command("teamwright.approve", decisionId=run["decisionId"], choice="approve")
    assert await client.notification("$/cancelRequest") == {"id": asked["id"]}


@pytest.mark.asyncio
@pytest.mark.proves("E7")
async def test_a_run_is_cancelled_where_its_progress_is_shown(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("So far ", "and no further").stalls(after=1))
    client = await plain(serve, models)
    person = Person(client)

    run = await client.command("teamwright.launch_run", task="Talk.", agentMode="single", approval="given")
    await client.notification("$/progress", lambda p: p["value"]["kind"] == "begin")
    await client.notify("window/workDoneProgress/cancel", {"token": run["runId"]})
    await client.notification("$/progress", lambda p: p["value"]["kind"] == "end")

    assert "cancelled" in content(await asyncio.wait_for(person.shown.get(), PATIENCE_SECONDS))


@pytest.mark.asyncio
async def test_progress_says_in_words_that_a_run_waits_for_a_person(serve: Serve, models: ModelServer) -> None:
    each_answers_once(models)
    client = await serve(config=team_config(models, *TEAM), capabilities=PLAIN)
    Person(client)
    # Whoever answers at once is not waited for long enough to be told of.
    del client.answers["window/showMessageRequest"]
    overrides = {"override": "ask", "maxNewAnswersPerAgent": 1}
    await client.command("teamwright.launch_run", task="Talk.", approval="given", coordinationOverrides=overrides)
    await client.notification("$/progress", lambda p: p["value"].get("message") == "Waits for you")


@pytest.mark.asyncio
@pytest.mark.proves("A1")
async def test_what_the_assistant_answers_is_shown_as_a_document(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("A quorum is enough."))
    client = await plain(serve, models)
    person = Person(client)

    await client.command("teamwright.chat", text="What is a quorum?")
    uri = await asyncio.wait_for(person.shown.get(), PATIENCE_SECONDS)
    assert content(uri) == "A quorum is enough."


@pytest.mark.asyncio
@pytest.mark.proves("E4")
async def test_changes_whose_message_is_waved_aside_stay_proposed(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "greet.py").write_text("helo\n", encoding="utf-8")
    models.model("alpha").replies(
        calls(tool("edit_file", path="greet.py", old="helo", new="hello")), text("The typo is fixed.")
    )
    client = await plain(serve, models)
    person = Person(client, clicks=None)

    run = await client.command(
        "teamwright.launch_run",
        task="Fix the typo.",
        agentMode="single",
        approval="given",
        contextPaths=[{"path": "greet.py", "permission": "write"}],
    )
    await asyncio.wait_for(person.asked.wait(), PATIENCE_SECONDS)
    # A second word of the client's, behind its null, finds the decision still open.
    opened = await client.command("teamwright.session.open", sessionId=run["sessionId"])

    assert "greet.py" in person.questions[0]["message"]
    assert [decision["kind"] for decision in opened["session"]["decisions"]] == ["changes"]
    assert (workspace / "greet.py").read_text(encoding="utf-8") == "helo\n"
