"""`teamwright completion`: a shell that reads it completes our commands and options."""

import subprocess
from pathlib import Path

import pytest

from teamwright.cli.dispatch import SUBCOMMANDS
from tests.cli.conftest import Cli
from tests.support.patience import PATIENCE_SECONDS


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_learns_every_command(cli: Cli, shell: str) -> None:
    outcome = cli("completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    assert [name for name in (*SUBCOMMANDS, "--no-color", "--diff") if name.lstrip("-") not in outcome.out] == []


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["rev"], {"review"}),
        (["review", "--f"], {"--fix"}),
        (["sessions", "ex"], {"export"}),
        (["completion", ""], {"bash", "zsh", "fish", "powershell"}),
        (["review", "--workspace", "s"], {"src"}),
        (["review", "n"], {"notes.py"}),
    ],
)
def test_bash_completes_what_is_typed(cli: Cli, typed: list[str], offered: set[str]) -> None:
    (cli.home / "src").mkdir()
    (cli.home / "notes.py").touch()
    script = cli.home / "teamwright.bash"
    script.write_text(cli("completion", "bash").out, encoding="utf-8")
    assert completed_by_bash(script, ["teamwright", *typed]) >= offered


def test_an_unknown_shell_is_refused_with_those_that_are_known(cli: Cli) -> None:
    outcome = cli("completion", "csh")
    assert outcome.code == 2
    assert "bash" in outcome.err


def completed_by_bash(script: Path, words: list[str]) -> set[str]:
    ask = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
        "function=$(complete -p teamwright | sed 's/.*-F \\([^ ]*\\).*/\\1/'); "
        '$function teamwright "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", ask, "bash", str(script), *words],
        cwd=script.parent,
        capture_output=True,
        check=True,
        timeout=PATIENCE_SECONDS,
    )
    return set(done.stdout.decode().split())
