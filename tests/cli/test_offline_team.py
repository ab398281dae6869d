"""A machine with no key, no program and no server: the offline team does what it can, and says what it is."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cli

FAULTY = '''"""An example."""
import os
import subprocess

PASSWORD = "hunter2-hunter2"


def run(command):
    try:
        subprocess.call(command, shell=True)
    except Exception:
        pass
'''
SAYS_WHAT_IT_IS = (
    "This is Quorate's offline team: three rule-based analysers (ruff, bandit, lizard) and no language model."
)


@pytest.fixture
def faulty(cli: Cli) -> Path:
    path = cli.home / "app.py"
    path.write_text(FAULTY, encoding="utf-8")
    return path


@pytest.mark.proves("F4")
def test_a_review_names_findings_by_how_many_analysers_agree_and_votes_with_reasons(cli: Cli, faulty: Path) -> None:
    outcome = cli("run", "Review app.py", "--read", faulty, "--yes")

    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "4 findings, most agreed first:",
        "",
        "- `app.py:5` error: Secret written into the source (3 of 3)",
        "- `app.py:10` error: Command goes through a shell (3 of 3)",
        "- `app.py:11` warning: Exception is swallowed without a trace (2 of 3)",
        "- `app.py:2` warning: `os` imported but unused (1 of 3)",
        "",
        SAYS_WHAT_IT_IS,
    ]
    votes = [line for line in outcome.err.splitlines() if " votes for " in line]
    assert len(votes) == 3
    assert {line.split(" votes for ")[1].partition(":")[0] for line in votes} == {"lint"}
    assert all("3 of the 3 findings that more than one analyser stands behind" in line for line in votes)
    assert faulty.read_text(encoding="utf-8") == FAULTY


@pytest.mark.proves("F4")
def test_what_ruff_can_fix_safely_is_proposed_and_written_on_approval(cli: Cli, faulty: Path) -> None:
    outcome = cli("run", "Fix app.py", "--write", faulty, "--yes")

    assert outcome.code == 0
    assert "ruff's safe fixes are proposed for `app.py`." in outcome.out
    assert "Files written: app.py" in outcome.err
    assert faulty.read_text(encoding="utf-8") == FAULTY.replace("import os\n", "")


@pytest.mark.proves("F4")
def test_an_explanation_tells_what_the_file_holds_and_where(cli: Cli, faulty: Path) -> None:
    outcome = cli("run", "Explain app.py", "--read", faulty, "--yes")

    assert outcome.code == 0
    assert "It needs `os`, `subprocess`." in outcome.out
    assert "- `app.py:8-12` `run`: 1 parameters, 2 ways through it" in outcome.out


@pytest.mark.proves("F4")
def test_what_it_cannot_do_it_says(cli: Cli, faulty: Path) -> None:
    outcome = cli("run", "Write tests for app.py", "--read", faulty, "--yes")
    assert outcome.code == 0
    assert outcome.out.startswith("Writing tests needs a language model. For answers to anything else, set a key")


def test_it_never_takes_the_place_of_a_provider_that_fails(cli: Cli, faulty: Path) -> None:
    outcome = cli(
        "run",
        "Review app.py",
        "--read",
        faulty,
        "--yes",
        env={"OPENAI_API_KEY": "sk-wrong", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"},
    )
    assert outcome.code != 0
    assert SAYS_WHAT_IT_IS not in outcome.out + outcome.err


@pytest.mark.proves("F4")
def test_a_review_that_a_chat_launches_tells_its_findings_there(cli: Cli, faulty: Path) -> None:
    terminal = cli.on_terminal("chat")
    terminal.shows(">")
    terminal.types(f"Review {faulty.name}")
    terminal.shows("Approve? [y] yes")
    terminal.types("y")
    terminal.shows(
        "4 findings, most agreed first:",
        "3 of 3  app.py:5 error: Secret written into the source",
        "1 of 3  app.py:2 warning: `os` imported but unused",
    )
    terminal.shows("let the vote stand:")
    terminal.types("")
    terminal.shows(
        "4 findings: 2 by all 3 analysers, 1 by one of them alone.",
        "That is the team's result. Say `fix app.py` to have proposed what can be fixed safely.",
    )
    assert terminal.text.count("4 findings: 2 by all 3 analysers") == 1
