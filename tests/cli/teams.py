"""Scripted teams, and the configuration that names them."""

from tests.cli.conftest import Cli
from tests.support.doors import team_config
from tests.support.model_server import ModelServer, calls, text, tool

TEAM = ("alpha", "beta", "gamma")


def write_team(cli: Cli, models: ModelServer, *names: str, extra: str = "") -> None:
    """`team.yaml`, and the key that it names."""
    cli.environ["SCRIPTED_KEY"] = "sk-scripted"
    (cli.home / "team.yaml").write_text(team_config(models, *(names or TEAM), extra=extra), encoding="utf-8")


def scripted_team(models: ModelServer, *, favourite: str = "agent2", final: str | None = None) -> None:
    """Each answers once, all vote for the same, who presents if there is something to present."""
    for name in TEAM:
        models.model(name).replies(
            calls(tool("new_answer", content=f"The answer of {name}.")),
            calls(tool("vote", agent_id=favourite, reason=f"{name} finds it complete.")),
        )
    if final is not None:
        models.model(TEAM[int(favourite.removeprefix("agent")) - 1]).replies(text(final))


def alone(models: ModelServer, answer: str) -> None:
    models.model("alpha").replies(text(answer))
