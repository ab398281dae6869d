"""What a thin client draws, through the real server: entries when a session is opened, patches from then on."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lsp.changing import editing
from tests.lsp.test_sessions import a_log
from tests.runtime.lines import TEAM, each_answers_once
from tests.support.doors import Serve, team_config
from tests.support.drawn import DrawnTranscript, in_words
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio


class Screen:
    """One transcript as this client draws it: a session's, or a run's."""

    def __init__(self, client: LspClient, session: str, run: str | None = None, opened: Json | None = None) -> None:
        self.client = client
        self.drawn = DrawnTranscript(opened)
        self._session = session
        self._run = run
        self._taken = 0

    def catch_up(self) -> None:
        for record in self.client.events[self._taken :]:
            is_ours = record["sessionId"] == self._session and record.get("runId") == self._run
            # What was under way when it was opened is in what it was opened with.
            if is_ours and record["event"]["type"] == "transcript.patched" and record["event"]["rev"] > self.drawn.rev:
                self.drawn.take(record["event"])
        self._taken = len(self.client.events)

    async def until(self, words: str) -> str:
        """Until an entry says so."""

        def seen() -> str | None:
            self.catch_up()
            return next((line for line in self.drawn.in_words() if words in line), None)

        await self._until(lambda: seen() is not None)
        found = seen()
        assert found is not None
        return found

    async def act(self, label: str, **filled_in: object) -> None:
        """As a press of the button with this label."""
        (action,) = [each for entry in self.drawn.entries for each in entry["actions"] if each["label"] == label]
        await self.client.command(action["command"], **{**action["arguments"], **filled_in})

    async def offers(self, label: str) -> None:
        def is_there() -> bool:
            self.catch_up()
            return any(each["label"] == label for entry in self.drawn.entries for each in entry["actions"])

        await self._until(is_there)

    async def offers_nothing(self) -> None:
        """Until nothing is left to do about any entry: what was under way is over, and this client has heard of it."""

        def is_over() -> bool:
            self.catch_up()
            return not any(entry["actions"] for entry in self.drawn.entries)

        await self._until(is_over)

    async def _until(self, is_so: Callable[[], bool]) -> None:
        """Looked at once whenever something comes."""
        await self.client.record(lambda record: record is self.client.events[-1] and is_so())


async def opened(client: LspClient, session: str) -> Screen:
    result = await client.command("teamwright.session.open", sessionId=session)
    return Screen(client, session, opened=result["transcript"])


async def opened_run(client: LspClient, run: Json) -> Screen:
    result = await client.command("teamwright.run.open", runId=run["runId"])
    return Screen(client, run["sessionId"], run["runId"], result["transcript"])


async def test_a_conversation_is_drawn_as_it_comes_and_the_same_when_it_is_opened(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(
        calls(tool("list_files", path=".")), text("Nothing *there* yet. ", "But soon."), text("Yes.")
    )
    client = await serve(config=team_config(models, "alpha"), transcript=True)
    chat = await client.command("teamwright.chat", text="What is here?")
    screen = Screen(client, chat["sessionId"])
    await screen.until("answer (done) Assistant | Nothing *there* yet. But soon.")
    await client.event("turn.finished")
    await screen.offers_nothing()
    said, done, _ = screen.drawn.in_words()
    assert said == "message (sent) You | What is here?"
    assert done.startswith("activity (done) Listed the workspace")

    kinds = {record["event"]["type"] for record in client.events}
    assert kinds.isdisjoint({"item.delta", "run.updated"})
    again = await opened(client, chat["sessionId"])
    assert again.drawn.entries == screen.drawn.entries
    await client.command("teamwright.chat", text="Sure?", sessionId=chat["sessionId"])
    await again.until("answer (done) Assistant | Yes.")


async def test_a_run_is_approved_followed_and_presented_by_what_is_drawn(serve: Serve, models: ModelServer) -> None:
    each_answers_once(models)
    client = await serve(config=team_config(models, *TEAM), transcript=True)
    overrides = {"override": "ask"}
    run = await client.command("teamwright.launch_run", task="Say it.", coordinationOverrides=overrides)
    screen = Screen(client, run["sessionId"])
    assert await screen.until("decision (waiting)") == "decision (waiting) Run: Say it."
    await screen.act("Approve")
    await screen.until("decision (waiting) beta was chosen to present. Choose another?")
    assert screen.drawn.in_words()[0] == "decision (done) Run: Say it. | You decided: Approve"
    columns = await opened_run(client, run)
    await screen.act("Present gamma's answer")
    await screen.until("answer (done) Result, presented by gamma | The final words of gamma.")
    await screen.until("run (done) Say it.")
    (card,) = screen.drawn.of_kind("run")
    agents, votes = (part["data"]["rows"] for part in card["parts"] if part["kind"] == "table")
    assert [row["cells"][0]["text"] for row in agents] == list(TEAM)
    assert {row["cells"][1]["text"] for row in votes} == {"beta"}
    assert "You chose gamma" in [part.get("text") for part in card["parts"]]

    await columns.until("answer (done) Presentation | The final words of gamma.")
    of_alpha = [in_words(entry) for entry in columns.drawn.entries if entry.get("agentId") == "alpha"]
    assert of_alpha == [
        "answer (done) First answer | The answer of alpha.",
        "activity (done) Voted for beta | It is complete.",
    ]
    await columns.until("run (done) Say it.")
    again = await opened_run(client, run)
    assert again.drawn.entries == columns.drawn.entries


async def test_who_opens_in_the_middle_of_a_text_has_all_of_it_and_the_rest_follows(
    serve: Serve, models: ModelServer
) -> None:
    gate = models.gate("the rest")
    answer = text("Well, ", "that is so.").waits_for(gate, 1)
    models.model("alpha").replies(answer)
    client = await serve(config=team_config(models, "alpha"), transcript=True)
    chat = await client.command("teamwright.chat", text="Is it so?")
    first = Screen(client, chat["sessionId"])
    await first.until("answer (streaming) Assistant | Well, ")
    second = await opened(client, chat["sessionId"])
    assert second.drawn.in_words()[-1] == "answer (streaming) Assistant | Well, "
    gate.release()
    await second.until("answer (done) Assistant | Well, that is so.")


async def test_a_message_that_waits_stays_below_and_can_be_taken_back(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("first")
    models.model("alpha").replies(text("One.").waits_for(gate), text("Three."))
    client = await serve(config=team_config(models, "alpha"), transcript=True)
    session = (await client.command("teamwright.chat", text="First?"))["sessionId"]
    await gate.reached()
    for words in ("Second?", "Third?"):
        await client.command("teamwright.chat", text=words, sessionId=session)
    screen = await opened(client, session)
    entries = [each for each in screen.drawn.entries if each["state"] == "queued"]
    assert [in_words(entry) for entry in entries] == ["message (queued) You | Second?", "message (queued) You | Third?"]
    (take_back,) = entries[0]["actions"]
    await client.command(take_back["command"], **take_back["arguments"])
    gate.release()
    await screen.until("answer (done) Assistant | Three.")
    assert screen.drawn.in_words() == [
        "message (sent) You | First?",
        "message (cancelled) You | Second?",
        "answer (done) Assistant | One.",
        "message (sent) You | Third?",
        "answer (done) Assistant | Three.",
    ]


async def test_changes_are_chosen_by_hunks_and_undone_by_what_is_drawn(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "a.txt").write_text("".join(f"line {number}\n" for number in range(30)), encoding="utf-8")
    editor = await editing(serve, models, unopened="writes", transcript=True)
    writes = (tool("edit_file", path="a.txt", old=f"line {number}\n", new=f"line {number}!\n") for number in (3, 25))
    models.model("alpha").replies(calls(*writes), text("Done."))
    run = await editor.client.command(
        "teamwright.launch_run",
        task="Change it.",
        agentMode="single",
        refinement=False,
        contextPaths=[{"path": ".", "permission": "write"}],
        approval="given",
    )
    screen = Screen(editor.client, run["sessionId"])
    await screen.until("changes (waiting) Changes to 1 file | a.txt")
    (changes,) = screen.drawn.of_kind("changes")
    (diff,) = [part for part in changes["parts"] if part["kind"] == "diff"]
    apply = next(action for action in changes["actions"] if action.get("primary"))
    (field,) = apply["input"]
    assert (field["kind"], field["path"]) == ("hunks", ["edits", "files"])
    chosen = {"files": [{"uri": diff["data"]["uri"], "hunks": [diff["data"]["hunks"][1]["index"]]}]}
    await editor.client.command(apply["command"], **apply["arguments"], edits=chosen)
    await screen.until("changes (done) Changed 1 file")
    written = (workspace / "a.txt").read_text(encoding="utf-8")
    assert re.findall(r"\d+!", written) == ["25!"]
    await screen.act("Undo")
    await screen.until("changes (cancelled) Changes to 1 file, undone")


async def test_older_entries_come_by_page(serve: Serve, models: ModelServer) -> None:
    del models
    client = await serve(transcript=True)
    session = (await client.command("teamwright.session.import", text=a_log("ses_long", 450)))["sessionId"]
    result = await client.command("teamwright.session.open", sessionId=session)
    pages = [result["transcript"]]
    while pages[0]["more"]:
        first = pages[0]["entries"][0]["entryId"]
        result = await client.command("teamwright.session.open", sessionId=session, itemsBefore=first)
        pages.insert(0, result["transcript"])
    texts = [entry["parts"][0]["text"] for page in pages for entry in page["entries"]]
    assert texts == [f"message {number}" for number in range(1, 451)]
    assert [len(page["entries"]) for page in pages] == [50, 200, 200]
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.session.open", sessionId=session, itemsBefore="turn_of_nobody")
    assert refused.value.code == 404


async def test_a_window_that_reads_along_draws_what_another_writes(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Four."), text("Yes."))
    config = team_config(models, "alpha")
    writer = await serve(config=config)
    session = (await writer.command("teamwright.chat", text="Two and two?"))["sessionId"]
    await writer.event("turn.finished")
    reader = await serve(config=config, transcript=True)
    screen = await opened(reader, session)
    assert screen.drawn.in_words() == ["message (sent) You | Two and two?", "answer (done) Assistant | Four."]
    await writer.command("teamwright.chat", text="Sure?", sessionId=session)
    await screen.until("answer (done) Assistant | Yes.")
    # It inherits the session, and is told to open it again.
    await writer.kill()
    models.model("alpha").replies(text("Indeed."))
    await reader.command("teamwright.chat", text="Really?", sessionId=session)
    await reader.event("session.resync", lambda r: r["sessionId"] == session)
    screen = await opened(reader, session)
    await screen.until("answer (done) Assistant | Indeed.")
    assert len(screen.drawn.entries) == 6


async def test_a_burst_is_one_patch_and_there_are_not_too_many(serve: Serve, models: ModelServer) -> None:
    pieces = [f"{number} " for number in range(300)]
    models.model("alpha").replies(text(*pieces))
    client = await serve(config=team_config(models, "alpha"), transcript=True)
    chat = await client.command("teamwright.chat", text="Count.")
    await client.event("turn.finished")
    screen = Screen(client, chat["sessionId"])
    await screen.until(f"answer (done) Assistant | {''.join(pieces)}")
    patches = [record["event"]["patch"] for record in client.events if record["event"]["type"] == "transcript.patched"]
    upserts = [patch for patch in patches if any(op["op"] != "append" for op in patch)]
    # The message, the answer as it begins, and its end; what it takes longer on a busy machine it may say in between.
    assert len(upserts) <= 6
    assert len(patches) < len(pieces)


async def test_an_answer_of_the_server_comes_before_the_patch_that_bears_its_ids(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").always(text("Yes."))
    client = await serve(config=team_config(models, "alpha"), transcript=True)
    session: str | None = None
    for _ in range(10):
        given = {"sessionId": session} if session else {}
        chat = await client.command("teamwright.chat", text="Well?", **given)
        session = chat["sessionId"]
        await client.event("turn.finished", lambda r, turn=chat["turnId"]: r["turnId"] == turn)
    answered = [
        at
        for at, message in enumerate(client.arrived)
        if message.get("result", {}) and "turnId" in str(message["result"])
    ]
    for at in answered:
        turn = client.arrived[at]["result"]["turnId"]
        assert not any(turn in str(message.get("params")) for message in client.arrived[:at])


@pytest.mark.proves("C6")
async def test_a_plan_is_told_once_and_the_run_that_carries_it_out_is_named_by_its_task(
    serve: Serve, models: ModelServer
) -> None:
    plan = tool("submit_plan", title="Two steps", tasks=[{"title": "Look", "detail": "At the river."}])
    models.model("alpha").replies(calls(plan), text("Looked and leapt."))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    asked: Json = {"task": "Cross the river.", "planningMode": True, "agentMode": "single", "approval": "given"}
    run = await client.command("teamwright.launch_run", **asked)
    decision = await client.event("decision.requested")
    await client.command("teamwright.approve", decisionId=decision["event"]["decision"]["decisionId"], choice="approve")
    await client.event("run.finished", lambda record: record["runId"] == run["runId"])

    screen = await opened(client, run["sessionId"])
    # The run that carries it out has it as its task, folded under a title that is not the plan.
    told = [entry for entry in screen.drawn.entries if entry["kind"] != "run" and "At the river." in str(entry)]
    assert [entry["kind"] for entry in told] == ["plan"]
    assert [entry["title"] for entry in screen.drawn.entries if entry["kind"] == "run"] == [
        "Cross the river.",
        "Carry out the plan: Cross the river.",
    ]
    assert {"kind": "link", "text": "Kept as plan.md"}.items() <= told[0]["parts"][1].items()
