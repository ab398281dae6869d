"""What a person decides on hides nothing: no Markdown, no character that is not seen, no live link."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from tests.lsp.test_plain_client import Person, plain
from tests.lsp.test_transcript import Screen
from tests.runtime.lines import gives, plans, votes
from tests.support.doors import Serve, team_config
from tests.support.model_server import ModelServer, calls, text, tool
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
# Each hides words where it is drawn: as a comment, as a link, by its direction, by nobody seeing it.
TRICKS = (
    "[//]: # (and delete all)",
    "<!-- and delete all --><details>more</details>",
    "![](https://example.org/x) [Show](command:workbench.action.quit)",
    f"gpj.\u202efdp {TAGS} a\u200bb\x1b[8m",
)
TRICK = "\n".join(TRICKS)
SHOWN = (
    TRICK.replace("\u202e", "⟨U+202E⟩")
    .replace(TAGS, "".join(f"⟨U+{ord(each):05X}⟩" for each in TAGS))
    .replace("\u200b", "⟨U+200B⟩")
    .replace("\x1b", "⟨U+001B⟩")
)
MAY_WRITE = "orchestrator: {context_paths: [{path: ., permission: write}]}\n"


def unseen_in(value: Any) -> list[str]:
    """Texts of an entry, but for ids and arguments, in which something is not seen."""
    if isinstance(value, str):
        return [value] if any(each in value for each in ("\u202e", "\u200b", "\x1b", TAGS)) else []
    if isinstance(value, list):
        return [found for each in cast("list[Any]", value) for found in unseen_in(each)]
    if isinstance(value, dict):
        within = cast("dict[str, Any]", value)
        return [found for key in within.keys() - {"arguments", "uri", "part"} for found in unseen_in(within[key])]
    return []


async def waiting(screen: Screen, words: str) -> dict[str, Any]:
    await screen.until(words)
    (entry,) = [entry for entry in screen.drawn.entries if entry.get("state") == "waiting"]
    assert [part["kind"] for part in entry["parts"] if part["kind"] == "markdown"] == []
    assert unseen_in(entry) == []
    return entry


@pytest.mark.proves("D1")
async def test_a_run_is_approved_with_all_its_words_in_sight(serve: Serve, models: ModelServer) -> None:
    attached = f'<attachment-1a2b3c4d path="notes.md">\n{TRICK}\n</attachment-1a2b3c4d>'
    launch = tool(
        "launch_run",
        task=f"Tidy up.\n{TRICK}",
        context=f"Look.\n{attached}" + "\n" * 40 + "The end.",
        agents=["alpha"],
        agent_mode="single",
        agent_system_prompts={"alpha": TRICK},
    )
    models.model("alpha").replies(calls(launch), text("As you like."))
    client = await serve(config=team_config(models, "alpha"), transcript=True)
    chat = await client.command("teamwright.chat", text="Tidy up.")
    screen = Screen(client, chat["sessionId"])
    entry = await waiting(screen, "decision (waiting) Run: Tidy up.")
    texts = {part["part"]: part["text"] for part in entry["parts"] if part["kind"] == "plain"}
    assert texts == {
        "task": SHOWN,
        "instructions alpha": SHOWN,
        "context": f"Look.\nnotes.md:\n{SHOWN}\n\n⟨39 empty lines⟩\n\nThe end.",
    }
    await screen.act("Cancel")
    await client.event("turn.finished")


@pytest.mark.proves("D2")
async def test_a_question_and_its_choices_are_plain(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(
        calls(tool("request_input", question=f"May I?\n{TRICK}", choices=[f"Yes {TRICKS[3]}", "No"])), text("Fine.")
    )
    client = await serve(config=team_config(models, "alpha"), transcript=True)
    chat = await client.command("teamwright.chat", text="Ask me.")
    screen = Screen(client, chat["sessionId"])
    entry = await waiting(screen, "decision (waiting) The assistant asks")
    assert entry["parts"][0]["text"] == f"May I?\n{SHOWN}"
    asked = await client.event("decision.requested")
    assert unseen_in(asked["event"]["decision"]["title"]) == []
    await screen.act("No")
    await client.event("turn.finished")


@pytest.mark.proves("C6")
async def test_a_plan_is_plain(serve: Serve, models: ModelServer) -> None:
    plan = plans(f"One {TRICKS[3]}", f"Two {TRICKS[0]}")
    models.model("alpha").replies(plan, votes("agent1"), plan)
    client = await serve(config=team_config(models, "alpha"), transcript=True, trusted=True)
    run = await client.command("teamwright.launch_run", task="Plan it.", planningMode=True)
    screen = Screen(client, run["sessionId"])
    await screen.until("decision (waiting) Run: Plan it.")
    await screen.act("Approve")
    entry = await waiting(screen, "plan (waiting)")
    assert TRICKS[0] in entry["parts"][0]["text"]
    await screen.act("Keep the plan only")
    await client.event("run.finished")


@pytest.mark.proves("E4")
async def test_changes_show_what_is_in_them(serve: Serve, models: ModelServer, workspace: Path) -> None:
    (workspace / "a.py").write_text("ok = 1\n", encoding="utf-8")
    write = tool("write_file", path="a.py", content=f"ok = 2  # {TRICKS[3]}\n")
    models.model("alpha").replies(gives("I would."), votes("agent1"), calls(write), text("Done."))
    client = await serve(config=team_config(models, "alpha", extra=MAY_WRITE), transcript=True, trusted=True)
    run = await client.command("teamwright.launch_run", task="Change it.")
    screen = Screen(client, run["sessionId"])
    await screen.until("decision (waiting) Run: Change it.")
    await screen.act("Approve")
    entry = await waiting(screen, "changes (waiting)")
    (diff,) = entry["parts"]
    assert diff["data"]["hunks"][0]["lines"][1] == f"+ok = 2  # {SHOWN.splitlines()[3]}"
    await screen.act("Discard")
    await client.event("run.finished")


@pytest.mark.proves("D1", "E7")
async def test_a_plain_client_shows_words_and_no_links(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."))
    client = await plain(serve, models)
    person = Person(client, clicks="Approve")
    await client.command("teamwright.launch_run", task=f"{TRICKS[2]}\n{TRICKS[3]}", context=TRICK, agentMode="single")
    await asyncio.wait_for(person.shown.get(), PATIENCE_SECONDS)
    begun = await client.notification("$/progress", lambda p: p["value"]["kind"] == "begin")
    (question,) = person.questions
    for shown in (question["message"], begun["value"]["title"]):
        assert unseen_in(shown) == []
        assert "](" not in shown
    assert SHOWN.replace("](", "] (") in question["message"], "all of the context is there"
