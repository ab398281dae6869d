"""`teamwright run` in front of a person: the run drawn in place, and the decisions that are theirs."""

import json
import os
import re

import pytest

from tests.cli.conftest import Cli
from tests.cli.pseudo_terminal import PseudoTerminal
from tests.cli.teams import TEAM, scripted_team, write_team
from tests.support.model_server import Gate, ModelServer, calls, never_answers, text, tool

RUN = ("run", "--config", "team.yaml")
ASK_WHO_PRESENTS = "orchestrator: {interactive_mode: {override: ask}}\n"
ASKED = "[c] Cancel:"
NO_OVERRIDE = "orchestrator: {interactive_mode: {override: 'off'}}\n"


@pytest.mark.proves("C1", "D1")
def test_a_person_approves_a_run_and_sees_the_team_at_work(cli: Cli, models: ModelServer) -> None:
    gates = held_team(models)
    write_team(cli, models, extra=NO_OVERRIDE)
    terminal = cli.on_terminal(*RUN, "Say it.")

    terminal.shows("Run: Say it.", "alpha, beta and gamma", "as a team, improving on each other's answers", ASKED)
    assert models.requests == []
    terminal.types("y")
    terminal.shows("Answering  Voting  Presenting", *(f"{name:<5}  working" for name in TEAM))
    gates["answers"].release()
    gates["votes"].wait_reached()
    gates["votes"].release()
    terminal.shows("The team chose beta, with 3 of 3 votes", "The final")
    gates["end"].release()

    assert terminal.ended() == 0
    assert terminal.lines.count("The final answer.") == 1
    assert any(line.split() == ["gamma", "voted", "for", "beta", "1", "38"] for line in terminal.lines)
    assert "Answering" not in terminal.text, "what was redrawn leaves nothing behind"
    assert_sane(terminal)


@pytest.mark.proves("D1")
def test_an_edit_changes_what_runs_and_a_faulty_one_can_be_mended(cli: Cli, models: ModelServer) -> None:
    models.model("beta").replies(
        calls(tool("new_answer", content="Beta alone.")),
        calls(tool("vote", agent_id="agent1", reason="I am done.")),
        text("Beta's best."),
    )
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.")

    terminal.shows(ASKED)
    terminal.types("e")
    terminal.shows("1  Task", "4  Agents", "alpha, beta, gamma", "[number] changes it, [m] more, [Enter] sends it")
    terminal.types("1")
    terminal.shows("Task (Enter keeps it):")
    terminal.types("Do it well.")
    terminal.shows_again("[number] changes it")
    terminal.types("4")
    terminal.shows("Agents, with commas (Enter keeps them):")
    terminal.types("betta")
    terminal.shows_again("[number] changes it")
    terminal.types("")
    terminal.shows("there is no agent 'betta'; did you mean 'beta'?")
    assert models.requests == []
    terminal.shows_again(ASKED)
    terminal.types("edit")
    terminal.shows_again("[number] changes it")
    terminal.types("4")
    terminal.shows_again("Agents, with commas")
    terminal.types("beta")
    terminal.shows_again("[number] changes it")
    terminal.types("")

    assert terminal.ended() == 0
    assert "Beta's best." in terminal.lines
    assert "Do it well." in models.requests[0].text


def test_a_person_can_refuse_a_run(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.")
    terminal.shows(ASKED)
    terminal.types("maybe")
    terminal.shows("Please type a, w, e or c.")
    terminal.types("n")
    assert (terminal.ended(), models.requests) == (3, [])
    assert_sane(terminal)


def test_closing_the_input_is_no_yes(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.")
    terminal.shows(ASKED)
    terminal.presses(b"\x04")
    assert (terminal.ended(), models.requests) == (3, [])


def test_what_was_typed_before_the_question_is_no_answer_to_it(cli: Cli, models: ModelServer) -> None:
    gate = models.gate("asked")
    question = calls(tool("request_input", question="Tabs or spaces?"))
    models.model("alpha").replies(question.waits_for(gate), text("Done."))
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Format it.", "--single")
    terminal.shows(ASKED)
    terminal.types("y")
    gate.wait_reached()
    terminal.shows("alpha  working")
    terminal.types("tabs")
    gate.release()
    terminal.shows("alpha asks", "Tabs or spaces?", "[r] Answer:")
    terminal.types("spaces")
    assert terminal.ended() == 0
    (answer,) = models.requests[1].tool_results
    assert answer.text == "spaces"
    assert "tabs" not in terminal.text


@pytest.mark.proves("D2")
def test_an_agent_asks_and_goes_on_with_the_answer(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(
        calls(tool("request_input", question="Which colour?", choices=["red", "blue"])), text("Blue it is.")
    )
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Paint it.", "--single")
    terminal.shows(ASKED)
    terminal.types("y")
    terminal.shows("alpha asks", "Which colour?", "[1] red, [2] blue, [r] Answer in your own words:")
    terminal.types("2")
    assert terminal.ended() == 0
    (answer,) = models.requests[1].tool_results
    assert answer.text == "blue"
    assert "Blue it is." in terminal.lines


@pytest.mark.proves("C7")
def test_a_person_reads_the_answers_and_picks_another_presenter(cli: Cli, models: ModelServer) -> None:
    scripted_team(models)
    models.model("gamma").replies(text("Gamma presents this."))
    write_team(cli, models, extra=ASK_WHO_PRESENTS)
    terminal = cli.on_terminal(*RUN, "Say it.")
    terminal.shows(ASKED)
    terminal.types("y")
    terminal.shows("beta was chosen to present.", "alpha's answer", "The answer of alpha.", "[c] Let the vote")
    terminal.types("7")
    terminal.shows("Please type 1, 2, 3 or c.")
    terminal.types("3")
    assert terminal.ended() == 0
    assert "Gamma presents this." in terminal.lines


@pytest.mark.proves("C7")
def test_an_offer_that_is_not_taken_lets_the_vote_stand(cli: Cli, models: ModelServer) -> None:
    scripted_team(models, final="Beta presents this.")
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Say it.")
    terminal.shows(ASKED)
    terminal.types("y")
    terminal.shows("beta was chosen to present.", " s for it.", "Nobody chose another in time: Let beta present")
    assert terminal.ended() == 0
    assert "Beta presents this." in terminal.lines


@pytest.mark.proves("C6")
def test_a_plan_is_shown_and_carried_out_with_further_instructions(cli: Cli, models: ModelServer) -> None:
    plan = tool("submit_plan", title="Two steps", tasks=[{"title": "Look", "detail": "At it."}])
    models.model("alpha").replies(calls(plan), text("Looked."))
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.", "--plan", "--single")
    terminal.shows("a plan", ASKED)
    terminal.types("y")
    terminal.shows("Plan: Two steps", "Look", "[i] Approve with instructions")
    terminal.types("i")
    terminal.shows("Instructions:")
    terminal.types("Look twice.")
    assert terminal.ended() == 0
    assert "Looked." in terminal.lines
    assert "Further instructions: Look twice." in models.requests[1].text


@pytest.mark.proves("C6")
def test_a_plan_can_be_kept_without_carrying_it_out(cli: Cli, models: ModelServer) -> None:
    plan = tool("submit_plan", title="Two steps", tasks=[{"title": "Look", "detail": "At it."}])
    models.model("alpha").replies(calls(plan))
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.", "--plan", "--single")
    terminal.shows(ASKED)
    terminal.types("y")
    terminal.shows("[i] Approve with instructions")
    terminal.types("n")
    assert (terminal.ended(), len(models.requests)) == (0, 1)


@pytest.mark.proves("C14")
def test_a_budget_can_be_extended(cli: Cli, models: ModelServer) -> None:
    scripted_team(models, final="The final answer.")
    write_team(cli, models, extra=NO_OVERRIDE)
    terminal = cli.on_terminal(*RUN, "Do it.", "--budget", "100tokens")
    terminal.shows("Budget", "100 tokens", ASKED)
    terminal.types("y")
    terminal.shows("The run may use 100 tokens; it has used ")
    terminal.types("y")
    assert terminal.ended() == 0
    assert "The final answer." in terminal.lines


def test_ctrl_c_cancels_the_run_and_shows_the_partial_result(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(calls(tool("new_answer", content="The answer of alpha.")))
    models.model("alpha").always(never_answers())
    models.model("beta").always(never_answers())
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.", "--agents", "alpha,beta", "--yes")
    terminal.shows("alpha  answered")
    assert not terminal.echoes, "what is typed unasked does not run into the picture"
    terminal.interrupt()
    assert terminal.ended() == 130
    terminal.shows("Cancelling; Ctrl-C again leaves at once.", "Cancelled", "The answer of alpha.")
    assert_sane(terminal)


def test_ctrl_c_at_a_question_ends_it(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.")
    terminal.shows(ASKED)
    terminal.interrupt()
    assert (terminal.ended(), models.requests) == (130, [])
    assert_sane(terminal)


def test_ctrl_c_leaves_at_once_when_there_is_nothing_left_to_cancel(cli: Cli, models: ModelServer) -> None:
    unread = cli.home / "unread"
    os.mkfifo(unread)
    reader = os.open(unread, os.O_RDONLY | os.O_NONBLOCK)
    models.model("alpha").replies(text("more than a pipe holds", "." * 100_000))
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.", "--single", "--yes", stdout=unread)
    terminal.shows("Completed")
    terminal.interrupt()
    assert terminal.ended() == 130
    assert_sane(terminal)
    os.close(reader)


def test_a_process_that_is_told_to_end_leaves_the_terminal_as_it_was(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").always(never_answers())
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.", "--single")
    terminal.shows(ASKED)
    terminal.types("y")
    terminal.shows("alpha  working")
    terminal.terminate()
    assert terminal.ended() == 128 + 15
    assert_sane(terminal)


def test_the_result_goes_to_a_file_while_the_run_is_seen(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(text("For the file."))
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.", "--single", stdout=cli.home / "result.md")
    terminal.shows(ASKED)
    terminal.types("y")
    assert terminal.ended() == 0
    assert (cli.home / "result.md").read_text(encoding="utf-8") == "For the file.\n"
    terminal.shows("Completed", "Its files are in")


def test_events_go_to_a_file_while_a_person_is_asked(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."))
    write_team(cli, models)
    events = cli.home / "events.jsonl"
    terminal = cli.on_terminal(*RUN, "Do it.", "--single", "--json", stdout=events)
    terminal.shows(ASKED)
    terminal.types("y")
    assert terminal.ended() == 0
    kinds = [json.loads(line)["event"]["type"] for line in events.read_text(encoding="utf-8").splitlines()]
    assert (kinds[0], kinds[-1]) == ("session.created", "run.finished")


def test_an_interrupted_run_ends_its_events_too(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").always(never_answers())
    write_team(cli, models)
    events = cli.home / "events.jsonl"
    terminal = cli.on_terminal(*RUN, "Do it.", "--single", "--yes", "--json", stdout=events)
    models.wait_received(1)
    terminal.interrupt()
    assert terminal.ended() == 130
    last = json.loads(events.read_text(encoding="utf-8").splitlines()[-1])
    assert (last["event"]["type"], last["event"]["outcome"]) == ("run.finished", "cancelled")


def test_a_reader_who_leaves_early_is_no_fault(cli: Cli, models: ModelServer) -> None:
    left = cli.home / "left"
    os.mkfifo(left)
    reader = os.open(left, os.O_RDONLY | os.O_NONBLOCK)
    models.model("alpha").replies(text("Nobody reads this."))
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.", "--single", stdout=left)
    terminal.shows(ASKED)
    os.close(reader)
    terminal.types("y")
    assert terminal.ended() == 0
    assert "Traceback" not in terminal.text
    assert "Completed" in terminal.text


def test_no_colour_is_used_where_none_is_wanted(cli: Cli, models: ModelServer) -> None:
    colours = {}
    for name, env in {"by default": {}, "not wanted": {"NO_COLOR": "1"}}.items():
        models.model("alpha").replies(text("Done."))
        write_team(cli, models)
        terminal = cli.on_terminal(*RUN, "Do it.", "--single", "--yes", env=env)
        assert terminal.ended() == 0
        colours[name] = bool(re.search(rb"\x1b\[[0-9;]*3[0-7]m", terminal.raw))
    assert colours == {"by default": True, "not wanted": False}


def test_a_dumb_terminal_gets_lines_and_no_escape_sequence(cli: Cli, models: ModelServer) -> None:
    scripted_team(models, final="The final answer.")
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Say it.", env={"TERM": "dumb"})
    terminal.shows(ASKED)
    terminal.types("y")
    terminal.shows("[c] Let the vote")
    terminal.types("")
    assert terminal.ended() == 0
    assert b"\x1b" not in terminal.raw
    terminal.shows("alpha: First answer", "The team chose beta, with 3 of 3 votes", "The final answer.")


def test_twenty_columns_are_enough(cli: Cli, models: ModelServer) -> None:
    gates = held_team(models)
    write_team(cli, models, extra=NO_OVERRIDE)
    terminal = cli.on_terminal(*RUN, "Say it.", columns=20)
    terminal.shows("Cancel:")
    terminal.types("y")
    gates["answers"].release()
    gates["votes"].release()
    terminal.shows("The final")
    assert all(len(line) <= 20 for line in terminal.lines)
    gates["end"].release()
    assert terminal.ended() == 0
    assert "The final answer." in terminal.lines


def test_a_model_cannot_steer_the_terminal(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(
        calls(tool("request_input", question="\x1b[2J\x1b[31mRed\u202e?\x07")), text("\x1b]0;title\x07Done\x9b5A.")
    )
    write_team(cli, models)
    terminal = cli.on_terminal(*RUN, "Do it.", "--single")
    terminal.shows(ASKED)
    terminal.types("y")
    terminal.shows("alpha asks", "⟨U+001B⟩[2J⟨U+001B⟩[31mRed⟨U+202E⟩?⟨U+0007⟩")
    terminal.types("no")
    assert terminal.ended() == 0
    assert b"\x07" not in terminal.raw
    assert "⟨U+001B⟩]0;title⟨U+0007⟩Done⟨U+009B⟩5A." in terminal.lines


def test_a_terminal_without_utf_8_is_drawn_without_a_crash(cli: Cli, models: ModelServer) -> None:
    gate = models.gate("end")
    models.model("alpha").replies(text("Größe → ", "3").waits_for(gate, at=1))
    write_team(cli, models)
    ascii_console = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    terminal = cli.on_terminal(*RUN, "Größe?", "--single", "--yes", env=ascii_console)
    terminal.shows("Gr\\xf6\\xdfe \\u2192")
    gate.release()
    assert terminal.ended() == 0
    assert "Gr\\xf6\\xdfe \\u2192 3" in terminal.lines


def held_team(models: ModelServer) -> dict[str, Gate]:
    """The whole team, which goes on only gate by gate."""
    gates = {name: models.gate(name) for name in ("answers", "votes", "end")}
    for name in TEAM:
        models.model(name).replies(
            calls(tool("new_answer", content=f"The answer of {name}.")).waits_for(gates["answers"]),
            calls(tool("vote", agent_id="agent2", reason="It is complete.")).waits_for(gates["votes"]),
        )
    models.model("beta").replies(text("The ", "final ", "answer.").waits_for(gates["end"], at=2))
    return gates


def assert_sane(terminal: PseudoTerminal) -> None:
    assert (terminal.echoes, terminal.cursor_is_hidden) == (True, False)
