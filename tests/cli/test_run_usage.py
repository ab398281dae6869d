"""What cannot be meant is refused before anything runs: one message that says what to change, and exit code 2."""

import pytest

from tests.cli.conftest import Cli
from tests.cli.teams import write_team
from tests.support.model_server import ModelServer

RUN = ("run", "--config", "team.yaml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("  ",), "teamwright run: the task is empty; say what the team is to do."),
        (
            ("Do it.", "--agents", "alpha,betta"),
            "teamwright run: --agents: there is no agent 'betta'; did you mean 'beta'?",
        ),
        (("Do it.", "--agents", " , "), "teamwright run: --agents names nobody; give ids with commas, or leave it out"),
        (("Do it.", "--agents", "alpha,alpha"), "teamwright run: --agents names an agent twice; name each once."),
        (
            ("Do it.", "--single", "--agents", "alpha,beta"),
            "teamwright run: --single takes one agent, but --agents names 2; name one, or drop --single.",
        ),
        (
            ("Do it.", "--read", "gone.py"),
            "teamwright run: --read gone.py does not exist; correct the path or leave it",
        ),
        (("Do it.", "--read", ""), "teamwright run: --read has no path; name a file or directory."),
        (("Do it.", "--write", "../x.py"), "teamwright run: --write ../x.py cannot be used: "),
        (
            ("Do it.", "--read", "src", "--write", "./src/"),
            "teamwright run: ./src/ is given both to --read and to --write; --write alone lets agents read too.",
        ),
        (
            ("Do it.", "--workspace", "gone"),
            "teamwright run: --workspace gone is not a directory; name one that exists.",
        ),
        (("Do it.", "--config", "gone.yaml"), "gone.yaml:1:1: (file): cannot be read (no such file or directory)"),
        (("Do it.", "--config", "faulty.yaml"), "faulty.yaml:1:9: agents: "),
        (
            ("Do it.", "--budget", "5"),
            "teamwright run: --budget: '5' is not a limit; write 1.5usd, 20000tokens or 60s.",
        ),
        (("Do it.", "--budget=-1usd"), "teamwright run: --budget: '-1usd' is not a limit; "),
        (("Do it.", "--budget", "0s"), "teamwright run: --budget: '0s' is not a limit; "),
        (("Do it.", "--budget", "1.5tokens"), "teamwright run: --budget: tokens are counted whole; write 20000tokens."),
        (("Do it.", "--budget", "1usd, 2usd"), "teamwright run: --budget: usd is limited twice; keep one."),
    ],
)
def test_bad_input_is_named_before_anything_runs(
    cli: Cli, models: ModelServer, arguments: tuple[str, ...], message: str
) -> None:
    write_team(cli, models)
    (cli.home / "src").mkdir()
    (cli.home / "faulty.yaml").write_text("agents: 5\n", encoding="utf-8")
    outcome = cli(*RUN, *arguments, "--yes")
    assert (outcome.code, outcome.out, models.requests) == (2, "", [])
    assert outcome.err.startswith(message), outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_bad_input_causes_no_event_and_leaves_no_session_behind(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    outcome = cli(*RUN, "Do it.", "--agents", "betta", "--json")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "teamwright run: --agents: there is no agent 'betta'; did you mean 'beta'?\n"


def test_an_agent_that_lacks_its_key_is_named(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    del cli.environ["SCRIPTED_KEY"]
    outcome = cli(*RUN, "Do it.", "--agents", "beta", "--yes")
    assert (outcome.code, outcome.out, models.requests) == (2, "", []), outcome.err
    assert "SCRIPTED_KEY is not set" in outcome.err
    assert "Traceback" not in outcome.err


def test_a_configuration_that_is_not_trusted_is_not_passed_over_in_silence(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    (cli.home / "teamwright.yaml").write_text("orchestrator: {}\n", encoding="utf-8")
    outcome = cli(*RUN, "Do it.")
    assert "teamwright.yaml:1:1: (file): not read, trust this workspace to use it" in outcome.err


def test_help_says_what_the_exit_codes_mean(cli: Cli) -> None:
    outcome = cli("run", "--help")
    assert outcome.code == 0
    assert "124  timed out" in outcome.out
    assert "--no-refine" in outcome.out


def test_help_loads_nothing_that_is_heavy(cli: Cli) -> None:
    outcome = cli("run", "--help", env={"PYTHONPROFILEIMPORTTIME": "1"})
    loaded = {line.rpartition("|")[2].strip() for line in outcome.err.splitlines()}
    assert "teamwright.cli.dispatch" in loaded
    assert not {"anyio", "pydantic", "rich", "yaml", "openai"} & loaded
