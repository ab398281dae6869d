"""What a run started in the terminal writes: shown as a diff, applied by a person's word, told in the footer."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.teams import write_team
from tests.support.model_server import ModelServer, calls, text, tool

RUN = ("run", "--config", "team.yaml", "--single")
ASKED = "[c] Cancel:"


@pytest.mark.proves("C8", "C9")
def test_a_change_is_shown_and_applied_by_a_yes(cli: Cli, models: ModelServer) -> None:
    source = source_of(cli)
    fixing(models)
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Fix the typo.", "--write", "src")

    terminal.shows("Files   src may be changed, 1 file", ASKED)
    terminal.types("y")
    terminal.shows(
        "edit src/greet.py, by alpha",
        "-    return 'helo'",
        "+    return 'hello'",
        "[a] Apply, [c] Discard:",
    )
    assert source.read_bytes() == b"def greet():\r\n    return 'helo'\r\n", "nothing is written before a yes"
    terminal.types("y")

    assert terminal.ended() == 0
    assert source.read_bytes() == b"def greet():\r\n    return 'hello'\r\n"
    assert "Files written: src/greet.py" in terminal.lines


def test_a_change_that_is_refused_leaves_the_file_alone(cli: Cli, models: ModelServer) -> None:
    source = source_of(cli)
    fixing(models)
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Fix the typo.", "--write", "src")
    terminal.shows(ASKED)
    terminal.types("y")
    terminal.shows("[a] Apply, [c] Discard:")
    terminal.types("n")
    assert terminal.ended() == 3
    assert b"'helo'" in source.read_bytes()
    assert "Files written" not in terminal.text


def test_some_files_can_be_taken_and_others_left(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(
        calls(tool("write_file", path="one.txt", content="1\n"), tool("write_file", path="two.txt", content="2\n")),
        text("Both written."),
    )
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Write.", "--write", ".")
    terminal.shows(ASKED)
    terminal.types("y")
    terminal.shows("create one.txt", "create two.txt", "[s] some of the files")
    terminal.types("s")
    terminal.shows("create one.txt? [y] yes, [n] no:")
    terminal.types("n")
    terminal.shows("create two.txt? [y] yes, [n] no:")
    terminal.types("y")
    assert terminal.ended() == 0
    assert not (cli.home / "one.txt").exists()
    assert (cli.home / "two.txt").read_text(encoding="utf-8") == "2\n"
    assert "Files written: two.txt" in terminal.lines


@pytest.mark.proves("C8", "C9")
def test_changes_are_applied_by_the_word_on_the_command_line(cli: Cli, models: ModelServer) -> None:
    source = source_of(cli)
    fixing(models)
    write_team(cli, models)
    outcome = cli(*RUN, "Fix the typo.", "--write", "src/greet.py", "--yes")
    assert (outcome.code, outcome.out) == (0, "The typo is fixed.\n")
    assert "Files written: src/greet.py" in outcome.err
    assert b"'hello'" in source.read_bytes()


def test_changes_wait_for_nobody(cli: Cli, models: ModelServer) -> None:
    source = source_of(cli)
    fixing(models)
    write_team(cli, models, extra="orchestrator: {interactive_mode: {require_approval: false}}\n")
    outcome = cli(*RUN, "Fix the typo.", "--write", "src", "--trusted")
    assert (outcome.code, outcome.out) == (3, "The typo is fixed.\n")
    assert "The changes were not applied: nobody is at a terminal to approve them; use --yes" in outcome.err
    assert b"'helo'" in source.read_bytes()


def test_a_file_that_was_changed_meanwhile_is_not_overwritten(cli: Cli, models: ModelServer) -> None:
    source = source_of(cli)
    fixing(models)
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Fix the typo.", "--write", "src")
    terminal.shows(ASKED)
    terminal.types("y")
    terminal.shows("[a] Apply, [c] Discard:")
    source.write_bytes(b"def greet():\r\n    return 'hallo'\r\n")
    terminal.types("y")
    assert terminal.ended() == 1
    assert source.read_bytes() == b"def greet():\r\n    return 'hallo'\r\n"
    terminal.shows("1 file could not be changed", "src/greet.py: the same lines have been changed meanwhile")


def source_of(cli: Cli) -> Path:
    source = cli.home / "src" / "greet.py"
    source.parent.mkdir()
    source.write_bytes(b"def greet():\r\n    return 'helo'\r\n")
    return source


def fixing(models: ModelServer) -> None:
    edit = tool("edit_file", path="src/greet.py", old="'helo'", new="'hello'")
    models.model("alpha").replies(calls(edit), text("The typo is fixed."))
