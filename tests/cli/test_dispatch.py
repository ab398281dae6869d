"""The program around its subcommands."""

import pytest

import quorate
from tests.cli.conftest import Cli


def test_the_version_is_the_packages(cli: Cli) -> None:
    outcome = cli("--version")
    assert (outcome.code, outcome.out.strip(), outcome.err) == (0, f"quorate {quorate.__version__}", "")


def test_help_lists_every_subcommand_with_what_it_is_for(cli: Cli) -> None:
    outcome = cli("--help")
    assert outcome.code == 0
    assert "check" in outcome.out
    assert "init" in outcome.out


@pytest.mark.parametrize("arguments", [(), ("chek",), ("check", "--nonsense")])
def test_wrong_usage_says_how_to_use_it(cli: Cli, arguments: tuple[str, ...]) -> None:
    outcome = cli(*arguments)
    assert outcome.code == 2
    assert "usage: quorate" in outcome.err
    assert "Traceback" not in outcome.err
