"""A machine with no key, no program and no server: the offline team does what it can, and says what it is."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

FAULTY = '''"""An example."""
import os
import subprocess

PASSWORD = "hunter2-hunter2"


def run(command):
    try:
        subprocess.call(command, shell=True)
    except Exception:
        pass
'''
SAYS_WHAT_IT_IS = (
    "This is Teamwright's offline team: three rule-based analysers (ruff, bandit, lizard) and no language model."
)


@pytest.fixture
def faulty(cli: Cli) -> Path:
    path = cli.home / "app.py"
    path.write_text(FAULTY, encoding="utf-8")
    return path


@pytest.mark.proves("F4")
def test_a_review_names_findings_by_how_many_analysers_agree_and_votes_with_reasons(cli: Cli, faulty: Path) -> None:
    outcome = cli("run", "Review app.py", "--read", faulty, "--yes")

    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "4 findings, most agreed first:",
        "",
        "- `app.py:5` error: Secret written into the source (3 of 3)",
        "- `app.py:10` error: Command goes through a shell (3 of 3)",
        "- `app.py:11` warning: Exception is swallowed without a trace (2 of 3)",
        "- `app.py:2` warning: `os` imported but unused (1 of 3)",
        "",
        SAYS_WHAT_IT_IS,
    ]
    votes = [line for line in outcome.err.splitlines() if " Voted for " in line]
    assert len(votes) == 3
    assert {line.split(" Voted for ")[1].partition(":")[0] for line in votes} == {"lint"}
    assert all("3 of the 3 findings that more than one analyser stands behind" in line for line in votes)
    assert faulty.read_text(encoding="utf-8") == FAULTY


@pytest.mark.proves("F4")
def test_what_ruff_can_fix_safely_is_proposed_and_written_on_approval(cli: Cli, faulty: Path) -> None:
    outcome = cli("run", "Fix app.py", "--write", faulty, "--yes")

    assert outcome.code == 0
    assert "The changes are ruff's safe fixes of `app.py`." in outcome.out
    assert "Files written: app.py" in outcome.err
    assert faulty.read_text(encoding="utf-8") == FAULTY.replace("import os\n", "")


@pytest.mark.proves("F4")
def test_an_explanation_tells_what_the_file_holds_and_where(cli: Cli, faulty: Path) -> None:
    outcome = cli("run", "Explain app.py", "--read", faulty, "--yes")

    assert outcome.code == 0
    assert "It needs `os`, `subprocess`." in outcome.out
    assert "- `app.py:8-12` `run`: 1 parameter, 2 ways through it" in outcome.out


def test_places_that_an_earlier_answer_named_do_not_narrow_a_review(cli: Cli, faulty: Path) -> None:
    said = f"What is in {faulty.name}?\nReview {faulty.name} with the team.\n"

    outcome = cli("chat", "--yes", stdin=said)

    assert outcome.code == 0
    assert "- `app.py:8-12` `run`" in outcome.out
    assert "4 findings: 2 by all 3 analysers" in outcome.out


@pytest.mark.proves("F4")
def test_what_it_cannot_do_it_says(cli: Cli, faulty: Path) -> None:
    outcome = cli("run", "Write tests for app.py", "--read", faulty, "--yes")
    assert outcome.code == 0
    assert outcome.out.startswith("Writing tests needs a language model. For answers to anything else, set a key")


def test_it_never_takes_the_place_of_a_provider_that_fails(cli: Cli, faulty: Path) -> None:
    outcome = cli(
        "run",
        "Review app.py",
        "--read",
        faulty,
        "--yes",
        env={"OPENAI_API_KEY": "sk-wrong", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"},
    )
    assert outcome.code != 0
    assert SAYS_WHAT_IT_IS not in outcome.out + outcome.err


@pytest.mark.proves("F4")
def test_a_review_that_a_chat_launches_tells_its_findings_there(cli: Cli, faulty: Path) -> None:
    terminal = cli.on_terminal("chat")
    terminal.shows(">")
    terminal.types(f"Review {faulty.name}")
    terminal.shows("[c] Cancel:")
    terminal.types("y")
    terminal.shows("[1] Present lint's answer")
    terminal.types("")
    terminal.shows(
        "4 findings, most agreed first",
        "Error, 3 of 3 agents: Secret written into the source (app.py, line 5)",
        "Warning, 1 of 3 agents: `os` imported but unused (app.py, line 2)",
        "4 findings: 2 by all 3 analysers, 1 by 2 of them, 1 by one of them alone.",
        "That is the team's result. Say fix app.py to have proposed what can be fixed safely.",
    )
    assert terminal.text.count("4 findings: 2 by all 3 analysers") == 1


@pytest.mark.parametrize(
    "words",
    ["What is wrong with app.py?", "Any bugs in app.py?", "Is app.py safe?", "look over app.py please"],
)
def test_who_asks_what_is_wrong_with_a_file_is_offered_a_review(cli: Cli, faulty: Path, words: str) -> None:
    del faulty
    terminal = cli.on_terminal("chat")
    terminal.shows(">")
    terminal.types(words)
    terminal.shows("app.py is read, 1 file", "[a] Approve, [e] Edit, [c] Cancel:")


def test_the_offline_assistant_runs_the_checks_and_says_what_needs_a_model(cli: Cli) -> None:
    cli.environ["PATH"] = os.environ["PATH"]
    terminal = cli.on_terminal("chat", "--trusted")
    terminal.shows(">")
    terminal.types("Do the tests pass?")
    terminal.shows("No checks are configured, and none were found", "So nothing was checked.")
    (cli.home / "Makefile").write_text("test:\n\t@true\n", encoding="utf-8")
    terminal.types("Do the tests pass now?")
    terminal.shows("make test", "[a] Run it, [c] Do not:")
    terminal.types("a")
    terminal.shows("passed, ")
    untrusting = cli("chat", stdin="Do the tests pass?\n")
    assert "need a folder that you trust, and this one is not trusted" in untrusting.out
    terminal.types("Write tests for app.py")
    terminal.shows("Writing tests needs a language model.")


def test_a_review_that_is_not_wanted_after_all_is_told_of_without_its_id(cli: Cli, faulty: Path) -> None:
    terminal = cli.on_terminal("chat")
    terminal.shows(">")
    terminal.types(f"Review {faulty.name}")
    terminal.shows("[c] Cancel:")
    terminal.types("c")
    terminal.shows("The run was cancelled; it has no result.")
    assert "Run run_" not in terminal.text
    assert "Cost:" not in terminal.text


def test_what_can_be_done_with_each_finding_is_listed_by_its_name(cli: Cli, faulty: Path) -> None:
    terminal = cli.on_terminal("chat")
    terminal.shows(">")
    terminal.types(f"Review {faulty.name}")
    terminal.shows("[c] Cancel:")
    terminal.types("y")
    terminal.shows("[1] Present lint's answer")
    terminal.types("")
    terminal.shows("That is the team's result.")
    terminal.types("/actions")
    terminal.shows(
        "Fix all that the team agrees on  4 findings, most agreed first",
        "Fix                              Secret written into the source (app.py, line 5)",
        "Dismiss                          Secret written into the source (app.py, line 5)",
        "Dismiss                          `os` imported but unused (app.py, line 2)",
    )
    dismissing = next(line for line in terminal.lines if "Dismiss " in line and "Secret written" in line)
    terminal.types(f"/actions {dismissing.split()[0]}")
    terminal.shows("3 findings, most agreed first")
    terminal.types("/actions")
    terminal.shows_again("Fix                              Command goes through a shell (app.py, line 10)")
    assert terminal.text.count("Dismiss                          Secret written into the source") == 1


def test_a_file_that_is_not_there_is_told_without_the_calls_own_words(cli: Cli) -> None:
    terminal = cli.on_terminal("chat")
    terminal.shows(">")
    terminal.types("Review nope.py")
    terminal.shows("'nope.py' does not exist; correct the path or leave it out", "So nothing was looked at.")
    assert "contextPaths" not in terminal.text


def test_an_undo_that_is_refused_says_why(cli: Cli, faulty: Path) -> None:
    terminal = cli.on_terminal("chat")
    terminal.shows(">")
    terminal.types(f"Fix {faulty.name}")
    terminal.shows("[c] Cancel:")
    terminal.types("a")
    terminal.shows("[1] Present lint's answer")
    terminal.types("")
    terminal.shows("[a] Apply, [c] Discard")
    terminal.types("a")
    terminal.shows("Changed 1 file", "That is the team's result.")
    theirs = faulty.read_text(encoding="utf-8") + "# Mine.\n"
    faulty.write_text(theirs, encoding="utf-8")
    terminal.types("/actions")
    terminal.shows("Undo")
    undoing = next(line for line in terminal.lines if " Undo " in line)
    terminal.types(f"/actions {undoing.split()[0]}")
    terminal.shows("app.py: the file has been changed since and is left as it is")
    assert faulty.read_text(encoding="utf-8") == theirs


def test_one_finding_is_told_of_in_the_singular_and_once(cli: Cli) -> None:
    path = cli.home / "one.py"
    path.write_text("import os\n\n\ndef one(it):\n    return it\n", encoding="utf-8")

    outcome = cli("review", path, "--yes")

    said = outcome.out + outcome.err
    assert "1 finding, by one of the 3 analysers alone." in said
    assert "It names 1 place in the code, no other names more." in said
    assert "most agreed first" not in said
    assert said.count("imported but unused") == 1


@pytest.mark.proves("F4")
def test_what_ruff_mends_goes_with_each_answer_and_the_projects_checks_judge_it(cli: Cli) -> None:
    project = cli.home / "project"
    project.mkdir()
    (project / "app.py").write_text(FAULTY, encoding="utf-8")
    is_clean = "assert 'import os' not in open('app.py').read()"
    checks = f'checks: [{{name: clean, argv: [python3, -c, "{is_clean}"]}}]\n'
    (cli.home / "checks.yaml").write_text(checks, encoding="utf-8")
    where = ("--workspace", "project", "--config", "checks.yaml", "--trusted", "--yes", "--json")
    outcome = cli("fix", *where, "--instructions", "Look at app.py.", env={"PATH": os.environ["PATH"]})

    assert outcome.code == 0, outcome
    events = [json.loads(line)["event"] for line in outcome.out.splitlines()]
    brought = [event["candidate"]["files"] for event in events if event["type"] == "answer.submitted"]
    assert brought == [["app.py"]] * 3
    answers = {event["answerId"] for event in events if event["type"] == "answer.submitted"}
    checked = [event for event in events if event["type"] == "check.finished"]
    of_answers = {
        event["of"]["answerId"]: event["outcome"] for event in checked if event["of"] not in ("base", "final")
    }
    assert of_answers == dict.fromkeys(answers, "passed")
    assert {event["outcome"] for event in checked if event["of"] == "base"} == {"failed"}
    assert "import os" not in (project / "app.py").read_text(encoding="utf-8")
