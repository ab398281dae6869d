"""What the project's checks say of each answer, in front of a person in the terminal."""

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.teams import write_team
from tests.support.failing_project import BROKEN, MENDED, TESTS, checks_config, script_team, write_project
from tests.support.model_server import ModelServer

RUN = ("run", "Make the tests pass.", "--config", "team.yaml", "--workspace", "project", "--write", "project")
ASKED = "[c] Cancel:"
PROPOSED = "[a] Apply, [c] Discard, [t] Check again:"


@pytest.fixture
def source(cli: Cli, models: ModelServer) -> Path:
    project = cli.home / "project"
    project.mkdir()
    write_project(project)
    script_team(models)
    # The project's tools are the machine's.
    cli.environ["PATH"] = os.environ["PATH"]
    return project / "calc.py"


def last_of(lines: list[str]) -> str:
    return next(line for line in reversed(lines) if line)


def words(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines]


@pytest.mark.proves("G4", "G5")
def test_where_it_is_required_the_answer_that_passes_wins_and_is_applied(
    cli: Cli, models: ModelServer, source: Path
) -> None:
    write_team(cli, models, extra=checks_config("require"))
    terminal = cli.on_terminal(*RUN, "--trusted")
    terminal.shows("✓ tests, on every answer: python3 -m unittest -v", "Only the answers that stand best", ASKED)
    terminal.types("a")
    terminal.shows("Changes to 1 file", "edit calc.py, by gamma", "+    return a + b", PROPOSED)
    assert ["tests", "passed", "2", "0", "0"] in words(terminal.lines)
    terminal.types("a")
    assert terminal.ended() == 0
    assert source.read_text(encoding="utf-8") == MENDED
    assert {
        "  alpha's first answer  tests failed 1",
        "  beta's first answer  tests broke 1",
        "  gamma's first answer  tests passed",
        "The checks speak for gamma, with 1 of 3 votes",
    } <= set(terminal.lines)


@pytest.mark.proves("G4", "G5")
def test_votes_decide_and_a_person_sees_what_fails_checks_again_and_discards_it(
    cli: Cli, models: ModelServer, source: Path
) -> None:
    write_team(cli, models, extra=checks_config("prefer"))
    terminal = cli.on_terminal(*RUN, "--trusted")
    terminal.shows("Votes decide, checks break ties", ASKED)
    terminal.types("a")
    terminal.shows("edit calc.py, by alpha", "+    return a * b", "test_adds", PROPOSED)
    assert ["tests", "failed", "1", "1", "1", "0"] in words(terminal.lines)
    assert "AssertionError: 6 != 5" in terminal.text
    # The user takes the product for right, for now.
    tests = source.with_name("test_calc.py")
    tests.write_text(TESTS.replace("(2, 3), 5", "(2, 3), 6"), encoding="utf-8")
    terminal.types("t")
    terminal.waits_for(lambda lines: ["tests", "passed", "2", "0", "0"] in words(lines), "to tell what came of it")
    terminal.waits_for(lambda lines: last_of(lines) == PROPOSED, "to ask once more")
    terminal.types("c")
    assert terminal.ended() == 3
    assert source.read_text(encoding="utf-8") == BROKEN


@pytest.mark.proves("C7", "G4")
def test_a_person_sees_what_each_answer_changes_and_breaks_and_takes_the_one_that_passes(
    cli: Cli, models: ModelServer, source: Path
) -> None:
    write_team(cli, models, extra=checks_config("prefer", override="ask"))
    terminal = cli.on_terminal(*RUN, "--trusted")
    terminal.shows(ASKED)
    terminal.types("a")
    terminal.shows("alpha was chosen to present.", "[3] Present gamma's answer")
    lines = terminal.lines
    about = [lines.index(f"{name}'s answer") for name in ("alpha", "beta", "gamma")]
    ends = [*about[1:], len(lines)]
    expected = (
        ("tests failed 1", "return a * b"),
        ("tests broke 1", "return a + b + 1"),
        ("tests passed", "return a + b"),
    )
    for begin, end, (result, line) in zip(about, ends, expected, strict=True):
        assert {f"  {result}", "calc.py", "  -    return a - b", f"  +    {line}"} <= set(lines[begin:end])
    terminal.types("3")
    terminal.shows("edit calc.py, by gamma", PROPOSED)
    assert ["tests", "passed", "2", "0", "0"] in words(terminal.lines)
    terminal.types("a")
    assert terminal.ended() == 0
    assert source.read_text(encoding="utf-8") == MENDED
