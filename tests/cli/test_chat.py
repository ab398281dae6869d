"""`teamwright chat`: the assistant in the terminal, with the same decisions as a run; and line by line from a pipe."""

import json

import pytest

from tests.cli.conftest import Cli, Outcome
from tests.cli.pseudo_terminal import PseudoTerminal
from tests.cli.teams import write_team
from tests.support.model_server import ModelServer, answer, calls, fails, never_answers, text, thinking, tool

CHAT = ("chat", "--config", "team.yaml")
ASKED = "[c] Cancel:"
NO_OVERRIDE = "orchestrator: {interactive_mode: {override: 'off'}}\n"


def at_prompt(terminal: PseudoTerminal) -> None:
    """All is quiet, and the last line that is not empty is the prompt."""

    def is_quiet(lines: list[str]) -> bool:
        return [line for line in lines if line][-1:] == [">"] and not any(line.startswith("Working;") for line in lines)

    terminal.waits_for(is_quiet, "to be at its prompt")


def says(terminal: PseudoTerminal, words: str) -> None:
    at_prompt(terminal)
    terminal.types(words)


@pytest.mark.proves("A1", "D7")
def test_a_person_talks_and_sees_thoughts_apart_from_the_answer(cli: Cli, models: ModelServer) -> None:
    gate = models.gate("the rest")
    models.model("alpha").replies(
        answer(thinking("Let me see.\nTwo and two."), "It is "), text("Four, I ", "said.").waits_for(gate, at=1)
    )
    write_team(cli, models, "alpha")
    terminal = cli.on_terminal(*CHAT)

    says(terminal, "What is two and two?")
    terminal.shows("> What is two and two?", "Let me see.", "Two and two.", "It is")
    says(terminal, "Say it again.")
    terminal.shows("Four, I")
    assert "said." not in terminal.text
    gate.release()
    terminal.shows("Four, I said.")
    at_prompt(terminal)
    terminal.presses(b"\x04")

    assert terminal.ended() == 0
    assert terminal.echoes
    assert models.requests[1].messages[0] == ("user", "What is two and two?")


@pytest.mark.proves("A2", "A4", "C1", "D1", "D2")
def test_runs_and_questions_of_the_assistant_are_put_to_the_person(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(
        calls(tool("launch_run", task="Name them.")),
        calls(tool("new_answer", content="Three.")),
        calls(tool("vote", agent_id="agent1", reason="Good.")),
        text("The team says three."),
        calls(tool("request_input", question="Which colour?", choices=["red", "blue"])),
        text("So three blue ones."),
    )
    models.model("beta").replies(
        calls(tool("new_answer", content="Four.")), calls(tool("vote", agent_id="agent1", reason="Right."))
    )
    write_team(cli, models, "alpha", "beta", extra=NO_OVERRIDE)
    terminal = cli.on_terminal(*CHAT)

    says(terminal, "Ask the team.")
    terminal.shows("Run: Name them.", "alpha and beta", ASKED)
    terminal.types("y")
    terminal.shows("The team chose alpha, with 2 of 2 votes", "The team says three.", "Completed")
    terminal.shows("The assistant asks", "Which colour?", "[1] red, [2] blue, [r] Answer in your own words:")
    terminal.types("2")
    terminal.shows("So three blue ones.")
    at_prompt(terminal)
    terminal.types("/quit")

    assert terminal.ended() == 0
    assert terminal.lines.count("The team says three.") == 1
    assert "blue" in [message for _, message in models.requests[-1].messages][-2]


@pytest.mark.proves("A1", "E6")
def test_ctrl_c_cancels_the_turn_and_leaves_only_when_pressed_twice(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(never_answers(), text("Here I am."))
    write_team(cli, models, "alpha")
    terminal = cli.on_terminal(*CHAT)

    says(terminal, "Think hard.")
    models.wait_received(1)
    terminal.interrupt()
    terminal.shows("Stopping; Ctrl-C again leaves at once.", "Cancelled")
    says(terminal, "Are you there?")
    terminal.shows("Here I am.")
    at_prompt(terminal)
    terminal.presses(b"half a wo")
    terminal.shows("> half a wo")
    terminal.interrupt()
    at_prompt(terminal)
    terminal.interrupt()
    terminal.shows("Ctrl-D leaves, and so does Ctrl-C once more.")
    terminal.interrupt()

    assert terminal.ended() == 130
    assert terminal.echoes


@pytest.mark.proves("A6", "E6")
def test_earlier_lines_and_sessions_come_back_and_slash_commands_tell_of_them(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(text("First."), text("Second."), text("Third."))
    write_team(cli, models, "alpha")
    first = cli.on_terminal(*CHAT)
    says(first, "Remember me")
    first.shows("First.")
    at_prompt(first)
    first.presses(b"\x1b[A")
    first.shows_again("> Remember me")
    first.types(" well")
    first.shows("Second.")
    says(first, "/rename The memory")
    first.shows("This session is now called “The memory”.")
    says(first, "/quit")
    assert first.ended() == 0

    second = cli.on_terminal(*CHAT, "--continue", columns=160)
    second.shows("Going on with “The memory” (ses_", "> Remember me well", "Second.")
    at_prompt(second)
    second.presses(b"\x1b[A\x1b[A\x1b[A")
    second.waits_for(
        lambda lines: [line for line in lines if line][-1:] == ["> Remember me well"],
        "to show an earlier message at the prompt",
    )
    second.presses(b"\x15")
    says(second, "/help")
    second.shows(*("/help", "/sessions", "/open ID", "/new", "/modes", "/plan", "/compact", "/stats", "/quit"))
    says(second, "/sessions memory")
    second.shows("LAST MESSAGE", "The memory")
    says(second, "/plan")
    second.shows("plan        on", "autonomy    hitl")
    says(second, "/modes agents=single refinement=off")
    second.shows("agents      single", "refinement  off")
    says(second, "/plan maybe")
    second.shows("plan: must be true or false")
    says(second, "/rename")
    second.shows("title: must not be empty")
    says(second, "/modes autonomy=perhaps")
    second.shows("autonomy: must be 'hitl' or 'autonomous'")
    says(second, "/stats")
    second.shows("2 turns, 0 runs, 4 messages, 2 model calls")
    says(second, "/compact")
    second.shows("This session is too short to be summed up")
    says(second, "/open ses_none")
    second.shows("There is no session ses_none")
    says(second, "/dance")
    second.shows("There is no command /dance; /help lists them.")
    says(second, "/plan off")
    second.shows_again("plan        off")
    says(second, "And now?")
    second.shows("Third.")
    says(second, "/exit")
    assert second.ended() == 0
    assert models.requests[2].messages[:2] == [("user", "Remember me"), ("assistant", "First.")]


@pytest.mark.proves("D6", "D1")
def test_a_question_that_was_left_open_is_put_again_before_anything_else(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(calls(tool("launch_run", task="Do it.", agent_mode="single")))
    write_team(cli, models, "alpha")
    first = cli.on_terminal(*CHAT)
    says(first, "Let them do it.")
    first.shows("Run: Do it.", ASKED)
    first.terminate()
    assert first.ended() == 143

    models.model("alpha").replies(text("Done by one."), text("It is done."))
    second = cli.on_terminal(*CHAT, "--continue")
    second.shows("Going on with “Let them do it.”", "Run: Do it.", ASKED)
    second.types("y")
    second.shows("Done by one.", "It is done.")
    at_prompt(second)
    second.types("/quit")
    assert second.ended() == 0


@pytest.mark.proves("A1")
def test_every_line_of_a_pipe_is_a_message_and_the_answers_alone_are_printed(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(
        answer(thinking("Hm."), "Four."), calls(tool("list_files", path=".")), text("Nothing\nhere."), text("Bye.")
    )
    write_team(cli, models, "alpha")

    outcome = cli(*CHAT, stdin="Two and two?\n\nWhat is here?\r\n/stats\nLeave.")

    assert (outcome.code, outcome.out) == (0, "Four.\nNothing\nhere.\nBye.\n")
    assert outcome.err.splitlines() == [
        "Thought about it",
        "Hm.",
        "Listed the workspace",
        *(line for line in outcome.err.splitlines() if line.startswith("2 turns, 0 runs, 4 messages")),
    ]
    session = json.loads(cli("sessions", "list", "--json").out)["sessions"][0]["sessionId"]
    models.model("alpha").replies(text("Yes."))
    assert cli(*CHAT, "--session", session, stdin="Still there?\n").out == "Yes.\n"
    assert models.requests[-1].messages[0] == ("user", "Two and two?")


@pytest.mark.proves("D1", "F3")
def test_the_exit_code_tells_a_pipe_what_went_wrong(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models, "alpha")
    models.model("alpha").replies(fails(401), text("Better."))
    failed = cli(*CHAT, stdin="Hello?\nAgain?\n")
    assert (failed.code, failed.out) == (1, "Better.\n")

    launch = calls(tool("launch_run", task="Do it.", agent_mode="single"))
    models.model("alpha").replies(launch, text("They may not."))
    missed = cli(*CHAT, stdin="Do it.\n")
    assert (missed.code, missed.out) == (3, "They may not.\n")
    assert "nobody is at a terminal to give it; use --yes" in missed.err
    models.model("alpha").replies(launch, text("Done."), text("It is done."))
    granted = cli(*CHAT, "--yes", stdin="Do it.\n")
    assert (granted.code, granted.out) == (0, "Done.\nIt is done.\n")

    unknown = cli(*CHAT, "--session", "ses_none", stdin="Hello?\n")
    assert unknown == Outcome(
        2, "", "teamwright chat: There is no session ses_none; if it was deleted, restore it first.\n"
    )
    assert cli("chat", "--session", "x", "--continue").code == 2
    (cli.home / "bad.yaml").write_text("agents: 3\n", encoding="utf-8")
    assert cli("chat", "--config", "bad.yaml", stdin="Hello?\n").code == 2
    assert cli(*CHAT, stdin="").code == 0


@pytest.mark.proves("A1")
def test_nothing_typed_is_lost_while_it_starts_or_works(cli: Cli, models: ModelServer) -> None:
    gate = models.gate("first")
    models.model("alpha").replies(text("First.").waits_for(gate), text("Second."), text("Third."))
    write_team(cli, models, "alpha")
    terminal = cli.on_terminal(*CHAT)
    terminal.types("Early bird")
    gate.wait_reached()
    terminal.shows("> Early bird", "Working; Ctrl-C stops it.")
    terminal.types("And another")
    terminal.shows("> And another", "(waits for its turn)")
    terminal.presses(b"a draft")
    gate.release()
    terminal.shows("First.", "Second.", "> a draft")
    terminal.types(" goes on")
    terminal.shows("Third.")
    at_prompt(terminal)
    terminal.presses(b"\x04")
    assert terminal.ended() == 0
    assert [request.messages[-2][1] for request in models.requests] == ["Early bird", "And another", "a draft goes on"]


@pytest.mark.proves("A1")
def test_a_paste_of_several_lines_is_one_message_and_keys_break_lines(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(text("Two lines."), text("Three lines."), text("Edited."))
    write_team(cli, models, "alpha")
    editor = cli.home / "bin" / "editor"
    editor.write_text("#!/bin/sh\nprintf 'from the editor' > \"$1\"\n", encoding="utf-8")
    editor.chmod(0o755)
    terminal = cli.on_terminal(*CHAT, env={"EDITOR": str(editor), "PATH": "/usr/bin:/bin"})
    at_prompt(terminal)
    terminal.presses(b"\x1b[200~def f():\n    pass\x1b[201~")
    terminal.shows("> def f():", "      pass")
    terminal.types("")
    terminal.shows("Two lines.")
    at_prompt(terminal)
    terminal.presses(b"one\ntwo\x1b\rthree\r")
    terminal.shows("Three lines.")
    at_prompt(terminal)
    terminal.presses(b"\x18\x05")
    terminal.shows("> from the editor")
    terminal.types("")
    terminal.shows("Edited.")
    at_prompt(terminal)
    terminal.types("/quit")
    assert terminal.ended() == 0
    said = [request.messages[-2][1] for request in models.requests]
    assert said == ["def f():\n    pass", "one\ntwo\nthree", "from the editor"]


@pytest.mark.proves("A1")
def test_markdown_is_drawn_as_it_streams_and_no_word_is_broken(cli: Cli, models: ModelServer) -> None:
    gate = models.gate("rest")
    words = "Several words that do not fit on one line of this terminal, and none of them is broken."
    models.model("alpha").replies(text("# Heading\n\n", f"{words} **Bold** and", " `code`.").waits_for(gate, at=2))
    write_team(cli, models, "alpha")
    terminal = cli.on_terminal(*CHAT, columns=40)
    says(terminal, "Tell me.")
    terminal.shows("Heading", "Several words that do not fit on one")
    assert "# Heading" not in terminal.text
    gate.release()
    terminal.shows("Bold and code.")
    at_prompt(terminal)
    assert all(word in terminal.text.split() for word in words.split())
    terminal.types("/quit")
    assert terminal.ended() == 0


def test_the_commands_are_completed(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models, "alpha")
    terminal = cli.on_terminal(*CHAT)
    at_prompt(terminal)
    terminal.presses(b"/st")
    terminal.shows("/stats", "what this session has used")
    terminal.presses(b"\t")
    terminal.shows("> /stats")
    terminal.types("")
    terminal.shows("There is no session yet; it begins with your first message.")
    terminal.types("/quit")
    assert terminal.ended() == 0


def test_what_an_entry_offers_can_be_done_later(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(fails(401), text("Better."))
    write_team(cli, models, "alpha")
    terminal = cli.on_terminal(*CHAT)
    says(terminal, "Hello?")
    terminal.shows("refused the key")
    at_prompt(terminal)
    terminal.types("/actions")
    terminal.shows("1  Try again")
    terminal.types("/actions 1")
    terminal.shows("Better.")
    at_prompt(terminal)
    terminal.types("/quit")
    assert terminal.ended() == 0


@pytest.mark.proves("A12")
def test_the_list_of_tasks_is_drawn_and_changed(cli: Cli, models: ModelServer) -> None:
    tasks = [{"id": "1", "title": "Write the parser"}, {"id": "2", "title": "Write its tests"}]
    models.model("alpha").replies(calls(tool("task_list", tasks=tasks)), text("That is the plan."))
    write_team(cli, models, "alpha")
    terminal = cli.on_terminal(*CHAT)

    says(terminal, "Plan the parser.")
    terminal.shows("That is the plan.", "0 of 2 tasks done", "to do", "Write its tests")
    says(terminal, "/tasks done 1")
    terminal.shows("1 of 2 tasks done")
    says(terminal, "/tasks drop 7")
    terminal.shows("say add TITLE, done N, drop N or open N")
    says(terminal, "/tasks add Write the guide")
    terminal.shows("1 of 3 tasks done", "Write the guide")
    at_prompt(terminal)
    terminal.presses(b"\x04")
    assert terminal.ended() == 0
