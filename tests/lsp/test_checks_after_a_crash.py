"""A server that is killed while checks run: they run again, and nothing that is known is asked for again."""

from pathlib import Path

import pytest

from tests.lsp.calculator import checked_config, facts, fix, launch_writing, settled_by, write_project
from tests.runtime.lines import votes
from tests.support.doors import Serve
from tests.support.model_server import ModelServer, calls, tool

# It does not end before somebody lets it, by a file that no change can hold.
STUCK = "import os, time\nwhile not os.path.exists('go'):\n    time.sleep(60)\n"
CHECK = "checks: [{name: stuck, argv: [python3, stuck.py]}]\n"


@pytest.mark.asyncio
@pytest.mark.proves("G4", "D6")
async def test_unfinished_checks_run_again_and_no_model_is_asked_again_for_a_complete_answer(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    project = write_project(workspace)
    (project / ".gitignore").write_text("go\n")
    (project / "stuck.py").write_text(STUCK)
    for name, body in (("alpha", "return a * b"), ("beta", "return a + b")):
        models.model(name).replies(calls(fix(body), tool("new_answer", content=f"From {name}.")), votes("agent2"))
    config = checked_config(models, "alpha", "beta", policy="require", checks=CHECK)
    first = await serve(config=config, trusted=True)
    run = await launch_writing(first)
    answers = {
        (await first.event("answer.submitted", lambda r, name=name: r["agentId"] == name))["event"]["answerId"]
        for name in ("alpha", "beta")
    }
    for answer_id in answers:
        await first.event("check.started", lambda r, of=answer_id: r["event"]["of"] == {"answerId": of})
    await first.kill()
    assert len(models.requests) == 2
    (project / "go").touch()

    second = await serve(config=config, trusted=True)
    opened = await second.command("teamwright.session.open", sessionId=run["sessionId"])
    (decision,) = opened["session"]["decisions"]
    assert decision["kind"] == "resume"
    await second.command("teamwright.approve", decisionId=decision["decisionId"], choice="approve")
    await settled_by(second, "approve")
    again: set[str] = {
        fact["of"]["answerId"] for fact in facts(second, "check.finished") if fact["of"] not in ("base", "final")
    }
    assert again == answers
    assert {fact["outcome"] for fact in facts(second, "check.finished")} == {"passed"}
    assert len(models.requests) == 4, "two answers and two votes"
    assert (project / "calc.py").read_text() == "def add(a, b):\n    return a + b\n"
