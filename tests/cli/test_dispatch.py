"""The program around its subcommands."""

import json
import subprocess
import sys

import pytest

from teamwright import __version__
from teamwright.protocol.names import PROTOCOL_VERSION
from tests.cli.conftest import Cli


def test_the_program_says_who_it_is_as_no_other_does(cli: Cli) -> None:
    outcome = cli("--version")
    identity = f"Teamwright {__version__} (teamwright language server, protocol {PROTOCOL_VERSION})\n"
    assert (outcome.code, outcome.out, outcome.err) == (0, identity, "")


@pytest.mark.parametrize("arguments", [("--version", "--json"), ("--json", "--version")])
def test_a_program_can_read_who_it_is(cli: Cli, arguments: tuple[str, ...]) -> None:
    outcome = cli(*arguments)
    said = {"program": "teamwright", "version": __version__, "protocolVersion": PROTOCOL_VERSION}
    assert (outcome.code, json.loads(outcome.out)) == (0, said)


def test_nothing_heavy_is_loaded_to_say_who_it_is() -> None:
    program = "import sys; from teamwright.cli.dispatch import dispatch; dispatch(['--version']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {"anyio", "asyncio", "lsprotocol", "pydantic", "pygls", "yaml"}


def test_help_lists_every_subcommand_with_what_it_is_for(cli: Cli) -> None:
    outcome = cli("--help")
    assert outcome.code == 0
    assert "check" in outcome.out
    assert "init" in outcome.out


@pytest.mark.parametrize("arguments", [(), ("chek",), ("check", "--nonsense")])
def test_wrong_usage_says_how_to_use_it(cli: Cli, arguments: tuple[str, ...]) -> None:
    outcome = cli(*arguments)
    assert outcome.code == 2
    assert "usage: teamwright" in outcome.err
    assert "Traceback" not in outcome.err
