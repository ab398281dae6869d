"""What agents do in their copies: take over each other's work, leave out what is nobody's, and are told of it."""

from pathlib import Path

import pytest

from tests.lsp.calculator import (
    BROKEN,
    asked_about,
    checked_config,
    facts,
    fix,
    launch_writing,
    settled_by,
    write_project,
)
from tests.runtime.lines import votes
from tests.support.doors import Serve
from tests.support.editing_client import EditingClient
from tests.support.model_server import Answer, ModelServer, Request, calls, text, tool

COMMAND = "import pathlib; print(pathlib.Path('calc.py').read_text()); pathlib.Path('made.py').write_text('MADE = 1')"


@pytest.mark.asyncio
@pytest.mark.proves("G1", "C8")
async def test_tools_and_commands_see_one_copy_with_unsaved_text_and_the_users_files_see_none_of_it(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    project = write_project(workspace)
    models.model("alpha").replies(
        calls(fix("return a + b"), tool("run_command", argv=["python3", "-c", COMMAND])),
        calls(tool("read_file", path="made.py"), tool("write_file", path="../outside.py", content="No.")),
        text("It adds."),
    )
    client = await serve(config=checked_config(models, "alpha"), trusted=True)
    editor = EditingClient(client)
    uri = await editor.open(project / "calc.py")
    await editor.type(uri, "def add", "# Not saved yet.\ndef add")
    run = await launch_writing(client, approval=None, agentMode="single", refinement=False)
    card = await asked_about(client, "run", run["runId"])
    await client.command(
        "teamwright.approve", decisionId=card["decisionId"], choice="approve", edits={"allowCommands": True}
    )
    await asked_about(client, "changes", run["runId"])
    assert {path.name for path in project.iterdir()} == {"calc.py", "test_calc.py"}
    assert (project / "calc.py").read_text() == BROKEN
    seen, made, refused = (result.text for result in models.requests[-1].tool_results[1:])
    assert "# Not saved yet.\ndef add(a, b):\n    return a + b" in seen
    assert "MADE = 1" in made
    assert refused.startswith("Error: ")
    detail = await settled_by(client, "cancel", run["runId"])
    assert {change["uri"].rsplit("/", 1)[1] for change in detail["changes"]} == {"calc.py", "made.py"}


@pytest.mark.asyncio
@pytest.mark.proves("G2")
async def test_an_agent_takes_over_an_answers_code_and_builds_on_it(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    project = write_project(workspace)

    def judged(request: Request) -> Answer:
        return votes("agent2" if "agent2.2" in request.text else "agent1")

    models.model("alpha").replies(calls(fix("return a + b"), tool("new_answer", content="It adds.")))
    models.model("alpha").always(judged)
    models.model("beta").replies(
        calls(fix("return a * b"), tool("new_answer", content="It multiplies.")),
        calls(tool("adopt_answer", label="agent1.1"), tool("new_answer", content="I take that over.")),
        calls(
            tool("write_file", path="NOTES.md", content="It adds now.\n"),
            tool("new_answer", content="It adds, and says so."),
        ),
        votes("agent2"),
    )
    client = await serve(config=checked_config(models, "alpha", "beta"), trusted=True)
    await launch_writing(client)
    detail = await settled_by(client, "approve")

    asked = models.requests_to("beta")
    assert "+    return a + b\n```" in asked[1].text
    assert "Checks: tests: passed (2 passed, 0 failed)." in asked[1].text
    assert "The checks without any of these changes: tests: failed (1 passed, 1 failed)" in asked[1].text
    adopted, refused = (result.text for result in asked[2].tool_results[-2:])
    assert adopted == "agent1.1 is what your copy holds now. Improve on it and submit that, or vote for it."
    assert refused.endswith(
        "Nothing in your copy differs from agent1.1, which you adopted; vote for it, or improve on it."
    )
    seen = models.requests_to("alpha")[-1].text
    assert "+It adds now." in seen
    assert "Files: answers/agent2.2/NOTES.md, answers/agent2.2/calc.py" in seen
    assert {change["uri"].rsplit("/", 1)[1] for change in detail["changes"]} == {"calc.py", "NOTES.md"}
    assert (project / "calc.py").read_text() == "def add(a, b):\n    return a + b\n"
    assert (project / "NOTES.md").read_text() == "It adds now.\n"
    labels = [answer["label"] for answer in facts(client, "answer.submitted")]
    assert sorted(labels) == ["agent1.1", "agent2.1", "agent2.2"]


@pytest.mark.asyncio
async def test_who_writes_what_git_ignores_is_told_that_it_is_left_out(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    project = write_project(workspace)
    (project / ".gitignore").write_text("build/\n")
    models.model("alpha").replies(
        calls(
            fix("return a + b"),
            tool("write_file", path="build/made.txt", content="Made.\n"),
            tool("write_file", path=".env", content="KEY=1\n"),
            tool("new_answer", content="It adds."),
        ),
        votes("agent1"),
        text("Done."),
    )
    client = await serve(config=checked_config(models, "alpha"), trusted=True)
    await launch_writing(client)
    await settled_by(client, "approve")
    (submitted,) = facts(client, "answer.submitted")
    assert submitted["candidate"]["files"] == ["calc.py"]
    results = [result.text for result in models.requests_to("alpha")[1].tool_results]
    assert results[-1].splitlines()[0] == (
        "Submitted as agent1.1. Left out of its changes, because the project's ignore rules name them: build/made.txt."
    )
    assert results[2].startswith("Error: "), "a protected file is refused at once"
    assert (project / "calc.py").read_text() == "def add(a, b):\n    return a + b\n"
    assert not (project / "build").exists()
    assert not (project / ".env").exists()


@pytest.mark.asyncio
@pytest.mark.proves("G1")
async def test_a_command_makes_no_names_that_are_taken_for_others(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    """One name has a Cyrillic letter; another has no others, and looks like that of a file that is gone."""
    write_project(workspace)
    (workspace / "cop.py").write_text("")
    misleading = [
        "c\u0430lc.py",
        "CALC.py",
        "x\u200b.py",
        "gpj.\u202efdp",
        "\u0441\u043e\u0440.py",
        "nul.py",
        "TEST_calc.py/x.py",
    ]
    script = (
        "import pathlib; pathlib.Path('cop.py').unlink()\n"
        f"for path in map(pathlib.Path, {[*misleading, 'made.py']!r}):\n"
        "    path.parent.mkdir(exist_ok=True); path.write_text('x = 1')"
    )
    again = [tool("write_file", path=name, content="y = 2\n") for name in misleading]
    models.model("alpha").replies(
        calls(tool("run_command", argv=["python3", "-c", script])), calls(*again), text("Made.")
    )
    client = await serve(config=checked_config(models, "alpha"), trusted=True)
    run = await launch_writing(client, approval=None, agentMode="single", refinement=False)
    card = await asked_about(client, "run", run["runId"])
    await client.command(
        "teamwright.approve", decisionId=card["decisionId"], choice="approve", edits={"allowCommands": True}
    )
    detail = await settled_by(client, "cancel", run["runId"])
    assert {change["uri"].rsplit("/", 1)[1] for change in detail["changes"]} == {"made.py", "cop.py"}
    first, *refused = (result.text for result in models.requests[-1].tool_results)
    assert first.count("has a name that misleads") == len(misleading)
    assert [text.startswith("Error: ") for text in refused] == [True] * len(misleading)
