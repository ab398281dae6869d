"""`teamwright run` where nobody watches: the result on stdout, progress on stderr, and what the exit codes say."""

import json

import pytest

from tests.cli.conftest import Cli, occupied
from tests.cli.teams import TEAM, scripted_team, write_team
from tests.support.model_server import ModelServer, calls, fails, never_answers, text, tool

RUN = ("run", "--config", "team.yaml")


@pytest.mark.proves("C1", "C5")
def test_a_team_answers_votes_and_presents_in_seven_calls(cli: Cli, models: ModelServer) -> None:
    scripted_team(models, final="The final answer.")
    write_team(cli, models)

    outcome = cli(*RUN, "Say it.", "--yes")

    assert (outcome.code, outcome.out) == (0, "The final answer.\n")
    assert len(models.requests) == 7
    told = outcome.err.splitlines()
    assert sorted(told[:3]) == [f"{name}: First answer" for name in TEAM]
    assert sorted(line for line in told if "Voted for" in line) == [
        f"{name}: Voted for beta: {name} finds it complete." for name in TEAM
    ]
    assert told[told.index("Say it.") + 1] == "  Completed"
    assert "The team chose beta, with 3 of 3 votes" in told
    assert told[-2].startswith("133 tokens, ")
    assert str(cli.home) in told[-1]


@pytest.mark.proves("C4")
def test_a_single_agent_just_answers(cli: Cli, models: ModelServer) -> None:
    models.model("beta").replies(text("Beta alone."))
    write_team(cli, models)
    outcome = cli(*RUN, "Do it.", "--single", "--agents", "beta", "--yes")
    assert (outcome.code, outcome.out) == (0, "Beta alone.\n")
    assert not {"new_answer", "vote"} & set(models.requests[0].tool_names)


@pytest.mark.proves("C2")
def test_without_refinement_each_answers_once_and_the_best_parts_are_put_together(
    cli: Cli, models: ModelServer
) -> None:
    for name in ("alpha", "gamma"):
        models.model(name).replies(
            calls(tool("new_answer", content=f"The answer of {name}.")),
            calls(tool("vote", agent_id="agent2", reason="Clear.")),
        )
    models.model("gamma").replies(text("Both together."))
    write_team(cli, models)
    outcome = cli(*RUN, "Do it.", "--no-refine", "--agents", "alpha, gamma", "--yes")
    assert (outcome.code, outcome.out) == (0, "Both together.\n")
    assert "new_answer" not in models.requests_to("alpha")[1].tool_names


def test_a_run_that_needs_a_person_is_refused_where_there_is_none(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    outcome = cli(*RUN, "Do it.")
    assert (outcome.code, outcome.out, models.requests) == (3, "", [])
    assert "use --yes to give it beforehand" in outcome.err


def test_a_run_that_needs_no_approval_needs_no_person(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."))
    write_team(cli, models, extra="orchestrator: {interactive_mode: {require_approval: false}}\n")
    outcome = cli(*RUN, "Do it.", "--single", "--trusted")
    assert (outcome.code, outcome.out) == (0, "Done.\n")


def test_a_question_that_nobody_can_answer_is_answered_with_just_that(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(calls(tool("request_input", question="Tabs or spaces?")), text("Spaces, I assume."))
    write_team(cli, models)
    outcome = cli(*RUN, "Format it.", "--single", "--yes")
    assert (outcome.code, outcome.out) == (0, "Spaces, I assume.\n")
    (answer,) = models.requests[1].tool_results
    assert answer.text.startswith("Nobody can be asked in this run.")


def test_an_agent_that_fails_is_named_with_its_reason_and_the_run_goes_on(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").always(fails(401, "No such key."))
    models.model("beta").replies(
        calls(tool("new_answer", content="The answer of beta.")),
        calls(tool("vote", agent_id="agent2", reason="It is mine.")),
        text("The final answer."),
    )
    write_team(cli, models)
    outcome = cli(*RUN, "Do it.", "--agents", "alpha,beta", "--yes")
    assert (outcome.code, outcome.out) == (0, "The final answer.\n")
    assert "alpha: Failed: " in outcome.err


def test_a_run_without_any_answer_fails_with_everybodys_reason(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").always(fails(401, "No such key."))
    write_team(cli, models)
    outcome = cli(*RUN, "Do it.", "--single", "--yes")
    assert (outcome.code, outcome.out) == (1, "")
    assert "No agent gave an answer (alpha: " in outcome.err


def test_a_run_out_of_time_says_so(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").always(never_answers())
    write_team(cli, models, extra="timeout_settings: {orchestrator_timeout_seconds: 1}\n")
    outcome = cli(*RUN, "Do it.", "--single", "--yes")
    assert (outcome.code, outcome.out) == (124, "")
    assert "The run was stopped after 1 seconds; no agent had answered." in outcome.err


@pytest.mark.proves("C14")
def test_a_run_at_its_budget_stops_with_the_best_answer_so_far(cli: Cli, models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(calls(tool("new_answer", content=f"The answer of {name}.")))
    write_team(cli, models)
    outcome = cli(*RUN, "Do it.", "--budget", "30tokens", "--yes")
    assert outcome.code == 3
    assert outcome.out.startswith("The answer of ")
    assert "give a larger --budget" in outcome.err
    assert len(models.requests) == 3


@pytest.mark.proves("C6")
def test_a_plan_is_carried_out_by_the_word_on_the_command_line(cli: Cli, models: ModelServer) -> None:
    plan = tool("submit_plan", title="Two steps", tasks=[{"title": "Look", "detail": "At it."}])
    models.model("alpha").replies(calls(plan), text("Looked and leapt."))
    write_team(cli, models)
    outcome = cli(*RUN, "Do it.", "--plan", "--single", "--yes")
    assert (outcome.code, outcome.out) == (0, "Looked and leapt.\n")
    assert "Plan: Two steps\n" in outcome.err
    assert "Kept as plan.md\n" in outcome.err, "and not by the name of its folder, which is an id"
    assert "Carry out the plan: Do it." in outcome.err
    assert "Two steps" in models.requests[1].text


def test_a_place_that_cannot_be_written_is_named(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    outcome = cli(*RUN, "Do it.", "--yes", env={"TEAMWRIGHT_STATE_DIR": str(occupied(cli))})
    assert (outcome.code, outcome.out, models.requests) == (1, "", [])
    assert "set TEAMWRIGHT_STATE_DIR to another place." in outcome.err
    assert "Traceback" not in outcome.err


def test_events_are_printed_exactly_as_on_the_wire_and_nothing_else(cli: Cli, models: ModelServer) -> None:
    scripted_team(models, final="The final “answer”.")
    write_team(cli, models)

    outcome = cli(*RUN, "Say it.", "--yes", "--json")

    records = [json.loads(line) for line in outcome.out.splitlines()]
    assert (outcome.code, outcome.err) == (0, "")
    assert records[0]["event"]["type"] == "session.created"
    assert records[-1]["event"]["type"] == "run.finished"
    assert records[-1]["event"]["result"]["text"] == "The final “answer”."
    durable = [record["seq"] for record in records if record["seq"] is not None]
    assert durable == list(range(1, len(durable) + 1))
    assert {"item.delta", "run.updated", "vote.cast", "winner.selected"} <= {r["event"]["type"] for r in records}


def test_a_refused_run_ends_its_events_too(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    outcome = cli(*RUN, "Do it.", "--json")
    last = json.loads(outcome.out.splitlines()[-1])
    assert (outcome.code, last["event"]["type"], last["event"]["outcome"]) == (3, "run.finished", "cancelled")
    assert "use --yes" in outcome.err


def test_a_console_that_lacks_a_character_gets_it_escaped(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(text("Größe → 3 😀"))
    write_team(cli, models)
    ascii_console = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    outcome = cli(*RUN, "Größe?", "--single", "--yes", env=ascii_console)
    assert (outcome.code, outcome.out) == (0, "Gr\\xf6\\xdfe \\u2192 3 \\U0001f600\n")


def test_what_a_program_reads_is_the_result_as_it_is(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(text("\tindented \x1b[31mred\x1b[0m"))
    write_team(cli, models)
    assert cli(*RUN, "Do it.", "--single", "--yes").out == "\tindented \x1b[31mred\x1b[0m\n"
