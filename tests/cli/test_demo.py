"""`teamwright demo`, which `make run` starts: a stranger sees a whole review, and nothing of theirs is touched."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.support.model_server import ModelServer


@pytest.fixture
def temporary(cli: Cli) -> Path:
    """Where the copy of the sample is made."""
    path = cli.home / "tmp"
    path.mkdir()
    cli.environ |= {"TMPDIR": str(path), "TEMP": str(path)}
    return path


@pytest.mark.proves("F4")
def test_without_a_terminal_everything_is_shown_and_nothing_applied(cli: Cli, temporary: Path) -> None:
    outcome = cli("demo")
    assert (outcome.code, outcome.err) == (0, "")
    agreement = re.findall(r"^  \w+, (\d) of 3 agents: .* \(invoices\.py, line", outcome.out, re.MULTILINE)
    assert (agreement == sorted(agreement, reverse=True), set(agreement)) == (True, {"1", "2", "3"})
    assert len(re.findall(r"^\w+: Voted for lint: It names 5 of the 5 findings", outcome.out, re.MULTILINE)) == 3
    assert "\n-import os\n import subprocess\n-import sys\n" in outcome.out
    assert '\n-        with open(path, "r") as file:\n+        with open(path) as file:\n' in outcome.out
    assert "The changes were not applied: nobody is at a terminal" in outcome.out
    next_steps = outcome.out.partition("Where to go next:\n")[2]
    assert all(name in next_steps for name in ("VS Code", "Neovim", "ANTHROPIC_API_KEY", "review PATH"))
    assert list(temporary.iterdir()) == []


@pytest.mark.proves("F4")
def test_a_person_watches_and_has_the_fixes_made_in_a_copy(cli: Cli, temporary: Path) -> None:
    terminal = cli.on_terminal("demo")
    terminal.shows("  Error, 3 of 3 agents: Secret", "-import os", "[a] Apply, [c] Discard:")
    terminal.types("y")
    assert terminal.ended() == 0
    terminal.shows("The team chose lint, with 3 of 3 votes", "Changed 1 file", "Where to go next:")
    (copy,) = temporary.glob("*/shop/invoices.py")
    assert "import os" not in copy.read_text(encoding="utf-8")
    assert str(copy) in terminal.text.replace("\n", "")


def test_fixes_that_are_not_wanted_leave_nothing_behind(cli: Cli, temporary: Path) -> None:
    terminal = cli.on_terminal("demo")
    terminal.shows("[a] Apply, [c] Discard:")
    terminal.types("n")
    assert terminal.ended() == 0
    terminal.shows("Where to go next:")
    assert list(temporary.iterdir()) == []


def test_no_key_is_spent_on_a_sample(cli: Cli, temporary: Path, models: ModelServer) -> None:
    outcome = cli("demo", "--yes", env={"OPENAI_API_KEY": "sk-mine", "OPENAI_BASE_URL": f"{models.url}/v1"})
    assert outcome.code == 0
    assert "OPENAI_API_KEY is left alone: no key is spent on a sample." in outcome.out
    assert "Changed 1 file" in outcome.out
    assert models.requests == []


def test_the_users_own_configuration_and_history_are_left_alone(cli: Cli, temporary: Path) -> None:
    own = cli.home / "teamwright" / "config.yaml"
    own.parent.mkdir()
    own.write_text("agents: broken\n", encoding="utf-8")
    state = cli.home / "state"
    outcome = cli("demo", env={"TEAMWRIGHT_STATE_DIR": str(state)})
    assert (outcome.code, outcome.err) == (0, "")
    assert not state.exists()


def test_no_library_of_a_provider_or_an_editor_is_loaded_for_it(cli: Cli, temporary: Path) -> None:
    outcome = cli("demo", env={"PYTHONPROFILEIMPORTTIME": "1"})
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in outcome.err.splitlines()}
    assert "anyio" in loaded
    assert (
        loaded
        & {"openai", "anthropic", "httpx2", "mcp", "pygls", "lsprotocol", "genai_prices", "rich", "prompt_toolkit"}
        == set()
    )


def test_where_there_is_no_room_for_a_copy_it_says_so(cli: Cli, temporary: Path) -> None:
    outcome = cli("demo", most_bytes=0)
    assert (outcome.code, outcome.out.count("\n")) == (1, 0)
    assert "; set TMPDIR to one." in outcome.err
    assert "Traceback" not in outcome.err
    assert list(temporary.iterdir()) == []
