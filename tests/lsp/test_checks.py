"""The project's checks through the door: the assistant runs them when it is asked, by a person's word or rule."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.doors import Serve, team_config
from tests.support.editing_client import EditingClient
from tests.support.lsp_client import LspClient
from tests.support.model_server import ModelServer, calls, text, tool

OWN = "checks: [{name: tests, argv: [python3, -m, unittest, -v]}]\n"
TESTS = """import unittest
from shop import total

class Shop(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_empty(self):
        self.assertEqual(total([]), 0)
"""
WRONG = "def total(prices): return sum(prices) + len(prices)\n"
RIGHT = "def total(prices): return sum(prices)\n"


def write(workspace: Path, **files: str) -> None:
    for name, content in files.items():
        (workspace / name.replace("_py", ".py")).write_text(content, encoding="utf-8")


async def said(client: LspClient, words: str = "Do the tests pass?") -> Any:
    turn = await client.command("teamwright.chat", text=words)
    return (await client.event("turn.finished", lambda r: r["turnId"] == turn["turnId"]))["event"]


def told(models: ModelServer) -> list[str]:
    """What came of each call, for the model; without how long it took."""
    results = [result.text for request in models.requests[-1:] for result in request.tool_results]
    return [re.sub(r"\d+\.\d+ ?s\b", "SECONDS", result) for result in results]


async def asked(client: LspClient, turn: dict[str, Any]) -> dict[str, Any]:
    found = await client.event("decision.requested", lambda r: r.get("turnId") == turn["turnId"])
    return found["event"]["decision"]


@pytest.mark.asyncio
async def test_the_users_own_checks_run_unasked_on_the_text_as_it_is(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    write(workspace, shop_py=WRONG, test_shop_py=TESTS)
    models.model("alpha").replies(
        calls(tool("run_checks")), text("No."), calls(tool("run_checks", names=["tests"])), text("Yes.")
    )
    editor = EditingClient(await serve(config=team_config(models, "alpha", extra=OWN), trusted=True, transcript=True))
    client = editor.client
    assert (await said(client))["outcome"] == "completed"
    (failed,) = told(models)
    assert "unittest" in failed, failed
    head, failure, *_ = failed.splitlines()
    assert head == "tests (`python3 -m unittest -v`): failed (1 passed, 1 failed), SECONDS."
    assert failure == "- test_shop.py:6: test_total (test_shop.Shop.test_total): AssertionError: 5 != 3"
    uri = await editor.open(workspace / "shop.py")
    await editor.type(uri, WRONG, RIGHT)
    assert (await said(client))["outcome"] == "completed"
    assert told(models)[-1] == "tests (`python3 -m unittest -v`): passed (2 passed), SECONDS."
    assert (workspace / "shop.py").read_text(encoding="utf-8") == WRONG
    assert not any(record["event"]["type"] == "decision.requested" for record in client.events)
    titles = [
        entry["title"]
        for record in client.events
        if record["event"]["type"] == "transcript.patched"
        for change in record["event"]["patch"]
        if (entry := change.get("entry", {})).get("kind") == "activity" and entry["state"] == "done"
    ]
    assert list(dict.fromkeys(titles)) == ["Ran the project's checks", "Ran tests"]


@pytest.mark.asyncio
async def test_what_was_only_found_is_asked_about_and_remembered_when_a_person_says_yes(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    write(workspace, Makefile="check:\n\t@echo all is well\n")
    models.model("alpha").always(lambda request: text("Well.") if request.tool_results else calls(tool("run_checks")))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    for choice, outcome in (
        ("cancel", "make check (`make check`): not run: the user said no."),
        ("approve", "make check (`make check`): passed, SECONDS."),
    ):
        session = await client.command("teamwright.chat", text="Does it work?")
        decision = await asked(client, session)
        assert (decision["kind"], decision["title"], decision["detail"]) == (
            "command",
            "Run `make check` on a copy of the files, now and whenever it is asked for?",
            {"argv": ["make", "check"], "cwd": "."},
        )
        await client.command("teamwright.approve", decisionId=decision["decisionId"], choice=choice)
        await client.event("turn.finished", lambda r, turn=session["turnId"]: r["turnId"] == turn)
        assert told(models) == [outcome]
    decisions = sum(record["event"]["type"] == "decision.requested" for record in client.events)
    assert (await said(client))["outcome"] == "completed"
    assert told(models) == ["make check (`make check`): passed, SECONDS."]
    assert sum(record["event"]["type"] == "decision.requested" for record in client.events) == decisions == 2


@pytest.mark.asyncio
async def test_a_workspaces_file_only_proposes_and_autonomy_asks_nobody(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    write(workspace, **{"teamwright.yaml": "checks: [{name: theirs, argv: [touch, made]}]\n"})
    models.model("alpha").replies(calls(tool("run_checks")), text("It was not run."))
    autonomous = "orchestrator: {interactive_mode: {autonomy: autonomous}}\n"
    client = await serve(config=team_config(models, "alpha", extra=autonomous), trusted=True)
    assert (await said(client))["outcome"] == "completed"
    assert told(models) == [
        (
            "theirs (`touch made`): not run: nobody is asked in autonomous mode, and only checks of the user's own "
            "configuration run unasked."
        )
    ]


@pytest.mark.asyncio
async def test_nothing_is_run_or_looked_for_in_a_workspace_that_is_not_trusted(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    write(workspace, Makefile="check:\n")
    models.model("alpha").replies(calls(tool("run_checks")), text("I cannot."))
    client = await serve(config=team_config(models, "alpha", extra=OWN))
    assert (await said(client))["outcome"] == "completed"
    assert all("run_checks" not in request.tool_names for request in models.requests)
    assert told(models)[0].startswith("Error: There is no tool 'run_checks'.")


@pytest.mark.asyncio
async def test_names_that_nobody_knows_and_a_project_without_checks_are_told(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    del workspace
    models.model("alpha").replies(calls(tool("run_checks")), text("None."))
    models.model("beta").replies(calls(tool("run_checks", names=["lint"])), text("None."))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    await said(client)
    nothing = "No checks are configured, and none were found; they can be named under `checks` in the configuration."
    assert told(models) == [f"Error: {nothing}"]
    other = await serve(config=team_config(models, "beta", extra=OWN), trusted=True)
    await said(other)
    assert told(models) == ["Error: There is no check called lint; there are: tests."]


@pytest.mark.asyncio
async def test_an_answer_after_a_crash_is_the_answer(serve: Serve, models: ModelServer, workspace: Path) -> None:
    write(workspace, Makefile="check:\n\t@echo all is well\n")
    models.model("alpha").replies(calls(tool("run_checks")), text("It works."))
    config = team_config(models, "alpha")
    first = await serve(config=config, trusted=True)
    chat = await first.command("teamwright.chat", text="Does it work?")
    decision = await asked(first, chat)
    await first.kill()

    second = await serve(config=config, trusted=True)
    opened = await second.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0)
    second.events.extend(opened["events"])
    await second.command("teamwright.approve", decisionId=decision["decisionId"], choice="approve")
    ended = await second.event("turn.finished", lambda r: r["turnId"] == chat["turnId"])
    assert ended["event"]["outcome"] == "completed"
    assert told(models) == ["make check (`make check`): passed, SECONDS."]
    assert sum(record["event"]["type"] == "decision.requested" for record in second.events) == 1
