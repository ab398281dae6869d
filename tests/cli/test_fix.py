"""`teamwright fix`: from red to green in the terminal."""

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.teams import write_team
from tests.support.model_server import ModelServer, calls, text, tool

BROKEN = "def add(a, b):\n    return a - b\n"
MENDED = "def add(a, b):\n    return a + b\n"
TESTS = """\
import unittest

from calc import add


class AddTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(2, 3), 5)
"""
FIX = ("fix", "--config", "team.yaml", "--workspace", "project", "--trusted", "--yes")


@pytest.fixture
def source(cli: Cli, models: ModelServer) -> Path:
    project = cli.home / "project"
    project.mkdir()
    (project / "calc.py").write_text(BROKEN, encoding="utf-8")
    (project / "test_calc.py").write_text(TESTS, encoding="utf-8")
    write_team(cli, models, "alpha", extra="checks: [{name: tests, argv: [python3, -m, unittest, -v]}]\n")
    # The project's tools are the machine's.
    cli.environ["PATH"] = os.environ["PATH"]
    return project / "calc.py"


@pytest.mark.proves("G7")
def test_a_failing_test_is_mended_and_what_passed_is_written(cli: Cli, models: ModelServer, source: Path) -> None:
    models.model("alpha").replies(
        calls(tool("edit_file", path="calc.py", old="a - b", new="a + b"), tool("new_answer", content="It added.")),
        calls(tool("vote", agent_id="agent1", reason="It passes.")),
        text("It subtracted; now it adds."),
    )
    outcome = cli(*FIX)
    assert outcome.code == 0, outcome
    assert "AssertionError: -1 != 5" in models.requests[0].text
    assert "+    return a + b" in outcome.out
    assert source.read_text(encoding="utf-8") == MENDED

    again = cli(*FIX, "tests")
    assert (again.code, again.out.strip()) == (0, "tests passes; there is nothing to fix.")


def test_what_still_fails_is_told_and_is_no_success(cli: Cli, models: ModelServer, source: Path) -> None:
    models.model("alpha").replies(
        calls(tool("new_answer", content="I do not see it.")),
        calls(tool("vote", agent_id="agent1", reason="There is no other.")),
        text("I do not see what is wrong."),
    )
    outcome = cli(*FIX)
    assert (outcome.code, "still fail" in outcome.err + outcome.out) == (1, True)
    assert source.read_text(encoding="utf-8") == BROKEN


def test_a_check_that_nobody_knows_is_told(cli: Cli, source: Path) -> None:
    outcome = cli(*FIX, "lint")
    assert (outcome.code, outcome.err) == (1, "teamwright fix: There is no check called lint; there are: tests.\n")
    assert source.read_text(encoding="utf-8") == BROKEN
