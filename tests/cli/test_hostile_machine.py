"""Where the machine will not have us: it is said in a sentence, nothing is lost, and the terminal is left sane."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, occupied
from tests.cli.pseudo_terminal import PseudoTerminal

FAULTY = "import os\n"
COLOUR = re.compile(rb"\x1b\[[0-9;]*3[0-7]m")


@pytest.fixture
def faulty(cli: Cli) -> Path:
    path = cli.home / "app.py"
    path.write_text(FAULTY, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "command",
    [("run", "Review app.py", "--yes"), ("review", "app.py", "--yes"), ("chat",), ("sessions", "list")],
    ids=lambda command: command[0],
)
@pytest.mark.usefixtures("faulty")
def test_a_state_directory_that_cannot_be_written_is_named(cli: Cli, command: tuple[str, ...]) -> None:
    state = occupied(cli) / "state"
    outcome = cli(*command, env={"TEAMWRIGHT_STATE_DIR": str(state)}, stdin="hello\n")
    assert (outcome.code in {1, 2}, outcome.out) == (True, "")
    assert outcome.err.startswith(f"teamwright {command[0]}: {state}")
    assert "make it writable, or set TEAMWRIGHT_STATE_DIR to another place." in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("room", [1, 200_000], ids=["from the start", "in the middle of a run"])
def test_a_full_disk_ends_a_run_with_what_to_do_and_leaves_the_users_files(cli: Cli, faulty: Path, room: int) -> None:
    outcome = cli("review", "app.py", "--fix", "--yes", most_bytes=room)
    assert outcome.code == 1
    assert "is full: free some space" in outcome.out + outcome.err
    assert "Traceback" not in outcome.out + outcome.err
    assert faulty.read_text(encoding="utf-8") == FAULTY

    again = cli("review", "app.py", "--yes")
    assert again.code == 0, "with room again it works"


@pytest.mark.parametrize("command", [("check",), ("review", "app.py", "--yes")], ids=" ".join)
def test_output_that_cannot_be_written_is_no_success(cli: Cli, faulty: Path, command: tuple[str, ...]) -> None:
    terminal = cli.on_terminal(*command, stdout=Path("/dev/full"))
    assert terminal.ended() == 1
    assert "the output could not be written (No space left on device)" in terminal.text
    assert "Traceback" not in terminal.text


def test_a_dumb_terminal_gets_lines_and_is_asked(cli: Cli) -> None:
    terminal = cli.on_terminal("demo", env={"TERM": "dumb"})
    terminal.shows("lint: First answer", "  Error, 3 of 3 agents: Secret", "-import os", "[a] Apply, [c] Discard:")
    terminal.types("n")
    assert terminal.ended() == 0
    assert b"\x1b" not in terminal.raw


def test_twenty_columns_lose_nothing(cli: Cli) -> None:
    terminal = cli.on_terminal("demo", columns=20)
    terminal.shows("Discard:")
    terminal.types("n")
    assert terminal.ended() == 0
    whole = terminal.text.replace("\n", "")
    assert "Error, 3 of 3 agents: Secret written into the source".replace(" ", "") in whole.replace(" ", "")
    assert_sane(terminal)


def test_no_colour_is_used_where_none_is_wanted(cli: Cli) -> None:
    coloured = {
        "by default": COLOUR.search(shown(cli.on_terminal("demo", "--yes"))) is not None,
        "NO_COLOR": COLOUR.search(shown(cli.on_terminal("demo", "--yes", env={"NO_COLOR": "1"}))) is not None,
        "--no-color": COLOUR.search(shown(cli.on_terminal("demo", "--yes", "--no-color"))) is not None,
    }
    assert coloured == {"by default": True, "NO_COLOR": False, "--no-color": False}


@pytest.mark.parametrize("moment", ["Three rule-based agents", "lint", "12 findings", "[a] Apply, [c] Discard:"])
def test_ctrl_c_ends_it_at_any_moment_without_a_trace(cli: Cli, moment: str) -> None:
    temporary = cli.home / "tmp"
    temporary.mkdir()
    terminal = cli.on_terminal("demo", env={"TMPDIR": str(temporary)})
    terminal.shows(moment)
    terminal.interrupt()
    assert terminal.ended() == 130
    assert "Traceback" not in terminal.text
    assert list(temporary.iterdir()) == []
    assert_sane(terminal)


def shown(terminal: PseudoTerminal) -> bytes:
    assert terminal.ended() == 0
    return terminal.raw


def assert_sane(terminal: PseudoTerminal) -> None:
    assert (terminal.echoes, terminal.cursor_is_hidden) == (True, False)
