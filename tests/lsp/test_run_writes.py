"""What a run writes: staged by the presenter, decided by a person, told truthfully."""

import json
from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.model_server import ModelServer, calls, text, tool


@pytest.mark.asyncio
@pytest.mark.proves("C8", "C9")
async def test_agents_write_in_their_copies_and_the_users_files_change_by_a_persons_word_alone(
    serve: Serve, models: ModelServer, workspace: Path, tmp_path: Path
) -> None:
    source = workspace / "src" / "greet.py"
    source.parent.mkdir()
    source.write_bytes(b"def greet():\r\n    return 'helo'\r\n")
    edit = tool("edit_file", path="src/greet.py", old="'helo'", new="'hello'")
    for name, more in {"alpha": (edit,), "beta": ()}.items():
        models.model(name).replies(
            *(calls(each) for each in more),
            calls(tool("new_answer", content=f"{name}: fix the typo.")),
            calls(tool("vote", agent_id="agent1", reason="Right.")),
        )
    models.model("alpha").replies(text("The typo is fixed."))
    client = await serve(config=team_config(models, "alpha", "beta"))

    await client.command(
        "teamwright.launch_run",
        task="Fix the typo.",
        contextPaths=[{"path": "src", "permission": "write"}],
        approval="given",
        coordinationOverrides={"override": "off"},
    )
    proposed = await client.event("changes.proposed")
    (change,) = proposed["event"]["changes"]
    assert (change["kind"], change["agentId"]) == ("edit", "alpha")
    assert "+    return 'hello'" in change["diff"]
    assert source.read_bytes() == b"def greet():\r\n    return 'helo'\r\n", "nothing is written before a yes"

    asked = await client.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "changes")
    await client.command("teamwright.approve", decisionId=asked["event"]["decision"]["decisionId"], choice="approve")
    finished = (await client.event("run.finished"))["event"]
    assert (finished["outcome"], finished["written"]) == ("completed", ["src/greet.py"])
    assert finished["footer"] == "Files written: src/greet.py"
    assert source.read_bytes() == b"def greet():\r\n    return 'hello'\r\n"

    (directory,) = (tmp_path / "state").glob("workspaces/*/runs/*")
    description = json.loads((directory / "run_description.json").read_text(encoding="utf-8"))
    assert (description["outcome"], description["winner"], description["written"]) == (
        "completed",
        "alpha",
        ["src/greet.py"],
    )
    assert (directory / "result.md").read_text(encoding="utf-8") == "The typo is fixed.\n"
    assert (directory / "context_path_writes.txt").read_text(encoding="utf-8") == "src/greet.py\n"
    assert {path.name for path in (directory / "answers").iterdir()} >= {"agent1.1.md", "agent2.1.md"}
    assert "alpha: voted for alpha: Right." in (directory / "log.md").read_text(encoding="utf-8")

    judged = models.requests_to("beta")[1].text
    assert "+    return 'hello'" in judged, "the others judge what it changes, not what it says"
    assert "answers/agent1.1/src/greet.py" in judged
