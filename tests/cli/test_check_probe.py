"""`teamwright check --probe`: would the team answer now?"""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.support.doors import team_config
from tests.support.model_server import ModelServer

KEY = {"SCRIPTED_KEY": "sk-scripted"}


@pytest.fixture
def config(home: Path, models: ModelServer) -> Path:
    path = home / "team.yaml"
    path.write_text(team_config(models, "alpha", "beta"), encoding="utf-8")
    return path


@pytest.mark.proves("F3")
def test_a_team_that_would_answer_is_shown_with_its_latency(cli: Cli, config: Path, models: ModelServer) -> None:
    models.model("alpha").replies()
    models.model("beta").replies()
    outcome = cli("check", "--probe", "--json", config, env=KEY)
    health = json.loads(outcome.out)["health"]
    assert outcome.code == 0, outcome
    assert [(each["id"], each["ok"], each["modelKnown"]) for each in health] == [
        ("alpha", True, True),
        ("beta", True, True),
    ]
    assert all(each["latencyMs"] > 0 for each in health)


@pytest.mark.proves("F3")
def test_a_backend_that_would_not_answer_says_what_to_do(cli: Cli, config: Path, models: ModelServer) -> None:
    models.requires_key("sk-another")
    outcome = cli("check", "--probe", config, env=KEY)
    assert outcome.code == 1
    assert "SCRIPTED_KEY" in outcome.out
    assert "sk-scripted" not in outcome.out


@pytest.mark.proves("F3")
def test_a_server_that_is_not_there_is_named(cli: Cli, home: Path, models: ModelServer) -> None:
    path = home / "gone.yaml"
    path.write_text(team_config(models, "alpha").replace(models.openai_url, f"{models.refusing_url}/v1"), "utf-8")
    outcome = cli("check", "--probe", "--json", path, env=KEY)
    (health,) = json.loads(outcome.out)["health"]
    assert (outcome.code, health["ok"], health["reachable"]) == (1, False, False)
    assert health["problem"]
