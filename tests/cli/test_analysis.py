"""`teamwright analyze`, `report` and `stats`: what can be learned from runs, in the terminal."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.cli.teams import TEAM, scripted_team, write_team
from tests.support.model_server import ModelServer, calls, text, tool

SAME = "Close the file in a finally block, so that nothing keeps it open."


def launched(cli: Cli, *more: str) -> None:
    outcome = cli("run", "Mend it.", "--config", "team.yaml", "--yes", *more)
    assert outcome.code == 0, outcome.err


def all_agree(models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(
            calls(tool("new_answer", content=SAME)), calls(tool("vote", agent_id="agent2", reason="It is."))
        )
    models.model("beta").replies(text(SAME))


@pytest.mark.proves("C15")
def test_a_run_is_analysed_without_a_model_and_run_again_in_one_step(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    all_agree(models)
    launched(cli)
    asked = len(models.requests)
    outcome = cli("analyze")
    assert (outcome.code, outcome.err, len(models.requests)) == (0, "", asked)
    lines = outcome.out.splitlines()
    assert lines[:2] == ["Analysis of the run: 1 thing to know", "Who was at work when"]
    lanes = {line.split()[0]: line for line in lines[2:5]}
    assert set(lanes) == set(TEAM)
    assert {sign for sign in "AVW" if sign in lanes["beta"]} == {"A", "V", "W"}
    assert "W" not in lanes["alpha"]
    assert "  All agents came to nearly the same answer" in lines
    assert "alpha and beta gave the same answer, word for word." in lines
    assert "Let beta do it alone. The agents came to the same answer." in lines

    models.model("beta").replies(text("Done alone."))
    again = cli("analyze", "--again", "--yes", "--config", "team.yaml")
    assert (again.code, again.out) == (0, "Done alone.\n")
    assert [request.model for request in models.requests[asked:]] == ["beta"]
    told = json.loads(cli("analyze", "--json").out)["analysis"]
    assert [lane["label"] for lane in told["timeline"]["lanes"]] == ["beta"]


def test_the_assistants_model_is_asked_on_request_alone(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    scripted_team(models, final="The end.")
    launched(cli)
    models.model("alpha").replies(text("It went well."))
    outcome = cli("analyze", "--opinion", "--config", "team.yaml")
    assert outcome.code == 0, outcome.err
    assert outcome.out.splitlines()[-2:] == ["A second opinion", "It went well."]
    assert "The answer of gamma." in models.requests[-1].text


def test_a_report_is_one_page_and_stats_are_a_table(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    scripted_team(models, final="<script>alert(1)</script>")
    launched(cli)
    outcome = cli("report", "--output", "report.html")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    page = (cli.home / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert cli("report", "--format", "markdown").out.startswith("# Mend it.\n")

    heading, *rows = cli("stats").out.splitlines()
    assert heading == "The team in 1 run"
    assert [row.split()[:3] for row in rows] == [
        ["Agent", "Runs", "Won"],
        ["beta", "1", "1"],
        ["alpha", "1", "0"],
        ["gamma", "1", "0"],
    ]
    figures: dict[str, Any] = json.loads(cli("stats", "--json").out)
    assert [each["votesForWinner"] for each in figures["agents"]] == [1, 1, 1]


def test_where_there_is_no_run_it_says_so(cli: Cli) -> None:
    for command in ("analyze", "report"):
        outcome = cli(command)
        assert (outcome.code, outcome.err) == (
            1,
            f"teamwright {command}: There is no finished run in this workspace yet.\n",
        )
    assert cli("stats").err == "There are no finished runs in this workspace yet.\n"
    assert cli("report", "nonsense").code == 1
