"""Hostile configurations, by chance: checked in sentences. A few run with every change, many with the slow suite."""

import random

import pytest

from tests.cli.conftest import Cli

seeds = pytest.mark.parametrize(
    "seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 120))]
)
ODD = ["\0", "&a ", "*a", "{", "]", "\t", "!!python/object:x ", "é", "", "9" * 400, ".inf", "\u202e"]

CONFIG = """\
agents:
  - {id: one, backend: {type: chatcompletion, model: m, base_url: 'http://127.0.0.1:9/v1', api_key: '${KEY}'}}
orchestrator:
  voting_sensitivity: strict
  interactive_mode: {budget: {usd: 1, seconds: 5}, require_approval: {above_usd: 1}}
timeout_settings: {orchestrator_timeout_seconds: 100}
mcp_servers: [{name: s, type: stdio, command: none, args: [a], env: {A: '${B}'}}]
"""


@seeds
def test_whatever_a_configuration_says_it_is_checked_in_sentences(cli: Cli, seed: int) -> None:
    chance = random.Random(seed)
    letters = list(CONFIG)
    for _ in range(chance.randrange(1, 12)):
        letters[chance.randrange(len(letters))] = chance.choice(ODD)
    (cli.home / "team.yaml").write_text("".join(letters), encoding="utf-8")
    checked = cli("check", "--config", "team.yaml")
    assert (checked.code in {0, 1, 2}, "Traceback" in checked.err) == (True, False), f"seed {seed}: {checked.err}"
