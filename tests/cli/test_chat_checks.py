"""In a conversation in the terminal: what did not win is looked at, and applied instead."""

import os

import pytest

from tests.cli.conftest import Cli
from tests.cli.teams import write_team
from tests.cli.test_chat import at_prompt, says
from tests.support.failing_project import BROKEN, MENDED, checks_config, script_team, write_project
from tests.support.model_server import ModelServer, calls, text, tool

PROPOSE = "Propose gamma's changes instead"


@pytest.mark.proves("G2", "G4")
def test_another_answers_changes_are_shown_with_their_checks_and_applied(cli: Cli, models: ModelServer) -> None:
    project = cli.home / "project"
    project.mkdir()
    write_project(project)
    cli.environ["PATH"] = os.environ["PATH"]
    paths = [{"path": ".", "permission": "write"}]
    models.model("alpha").replies(calls(tool("launch_run", task="Make the tests pass.", context_paths=paths)))
    script_team(models)
    models.model("alpha").replies(text("The team is done."))
    write_team(cli, models, extra=checks_config("prefer"))
    terminal = cli.on_terminal("chat", "--config", "team.yaml", "--workspace", "project", "--trusted")
    says(terminal, "Have the tests mended.")
    terminal.shows("[a] Approve, [e] Edit, [c] Cancel:")
    terminal.types("a")
    terminal.shows("[a] Apply, [c] Discard, [t] Check again:")
    terminal.types("c")
    terminal.shows("The team is done.")
    says(terminal, "/actions")
    terminal.shows(PROPOSE)
    at_prompt(terminal)
    terminal.types("/actions " + number_of(terminal.lines, PROPOSE))
    terminal.shows("gamma's changes to 1 file", "+    return a + b")
    assert (project / "calc.py").read_text(encoding="utf-8") == BROKEN
    says(terminal, "/actions")
    terminal.waits_for(lambda lines: any(line.split()[1:2] == ["Apply"] for line in lines), "to offer to apply it")
    at_prompt(terminal)
    terminal.types("/actions " + number_of(terminal.lines, " Apply "))
    terminal.shows("Changed 1 file")
    at_prompt(terminal)
    assert (project / "calc.py").read_text(encoding="utf-8") == MENDED
    terminal.presses(b"\x04")
    assert terminal.ended() == 0


def number_of(lines: list[str], label: str) -> str:
    return next(line.split()[0] for line in reversed(lines) if label in line)
