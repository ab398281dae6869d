"""`teamwright eval`: one agent against the team, on tasks whose faults are known."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.cli.teams import write_team
from tests.support.model_server import ModelServer, calls, text, tool

OWN_TASK = """\
language: python
about: Two numbers are added.
check: [python3, -m, unittest, -q]
needs: [python3]
faults: [{path: calc.py, line: 2, about: it takes away}]
files:
  calc.py: |
    def add(a, b):
        return a - b
  test_calc.py: |
    import unittest

    from calc import add


    class AddTest(unittest.TestCase):
        def test_adds(self):
            self.assertEqual(add(2, 3), 5)
"""
MENDS = tool("edit_file", path="calc.py", old="a - b", new="a + b")
MENDS_NOT = tool("edit_file", path="calc.py", old="a - b", new="a * b")
FINDS = tool("report_finding", path="calc.py", line=2, severity="error", title="It takes away", detail="Not a sum.")
ERRS = tool("report_finding", path="test_calc.py", line=1, severity="hint", title="Old style", detail="A taste.")
ANSWERS = tool("new_answer", content="Looked at.")
VOTES = tool("vote", agent_id="agent1", reason="It passes.")


@pytest.fixture
def tools(cli: Cli) -> None:
    """The checks of a task run with what the machine has."""
    cli.environ["PATH"] = os.environ["PATH"]


@pytest.fixture
def suite(cli: Cli, tools: None) -> Path:
    del tools
    path = cli.home / "suite"
    path.mkdir()
    (path / "sum.yaml").write_text(OWN_TASK, encoding="utf-8")
    return path


def kept(cli: Cli, name: str = "figures.json") -> dict[str, Any]:
    return json.loads((cli.home / name).read_text(encoding="utf-8"))


def test_without_a_key_the_offline_team_is_rated_in_a_table_and_a_file(cli: Cli, tools: None) -> None:
    del tools
    outcome = cli(
        "eval", "python-invoices", "--output", "figures.json", env={"TEAMWRIGHT_STATE_DIR": str(cli.home / "history")}
    )
    assert outcome.code == 0, outcome
    heading, *rows = outcome.out.splitlines()
    assert heading.split() == ["Found", "False", "Fixed", "Tokens", "Cost", "Time"]
    assert [re.split(r"\s{2,}", row.strip())[:5] for row in rows[:3]] == [
        ["One agent", "3 of 5", "0", "0 of 1", "0"],
        ["The team, without refinement", "3 of 5", "0", "0 of 1", "0"],
        ["The team, with refinement", "3 of 5", "0", "0 of 1", "0"],
    ]
    assert rows[3:] == [
        "The team, without refinement: 0 more faults found and 0 more tasks fixed than by one agent.",
        "The team, with refinement: 0 more faults found and 0 more tasks fixed than by one agent.",
    ]
    assert outcome.err.splitlines() == [
        "python-invoices, one agent: completed, found 3 of 5, 0 false, not fixed",
        "python-invoices, the team, without refinement: completed, found 3 of 5, 0 false, not fixed",
        "python-invoices, the team, with refinement: completed, found 3 of 5, 0 false, not fixed",
        "The figures are in figures.json",
    ]
    figures = kept(cli)
    assert (figures["format"], figures["version"]) == ("teamwright.eval", 1)
    assert [(each["set_up"], each["found"], each["fixed"]) for each in figures["trials"]] == [
        ("single", 3, False),
        ("team", 3, False),
        ("refined", 3, False),
    ]
    # It is no work of the user's: their history knows nothing of it.
    assert not (cli.home / "history").exists()


def test_who_mends_the_fault_is_told_from_who_does_not(cli: Cli, models: ModelServer, suite: Path) -> None:
    # What the user has checked elsewhere is not asked of a task.
    write_team(cli, models, "alpha", "beta", extra="checks: [{name: mine, argv: [python3, -c, exit(1)]}]\n")
    models.model("alpha").replies(
        # Alone: a finding that is none, and a change that does not help.
        calls(ERRS, MENDS_NOT, ANSWERS),
        calls(VOTES),
        text("Multiplied."),
        # In the team.
        calls(FINDS, MENDS, ANSWERS),
        calls(VOTES),
        text("It adds."),
    )
    models.model("beta").replies(calls(FINDS, ANSWERS), calls(VOTES))
    outcome = cli(
        "eval", "--suite", suite, "--config", "team.yaml", "--by", "single", "--by", "refined", "--json",
        "--output", "figures.json",
    )  # fmt: skip
    assert outcome.code == 0, outcome
    figures = kept(cli)["trials"]
    assert json.loads(outcome.out) == figures
    told = [(each["set_up"], each["found"], each["false"], each["fixed"]) for each in figures]
    assert told == [("single", 0, 1, False), ("refined", 1, 0, True)], outcome
    assert all(each["tokens"] > 0 and each["outcome"] == "completed" for each in figures)
    assert {request.model for request in models.requests[:3]} == {"alpha"}


def test_what_reaches_beyond_the_copy_is_not_agreed_to(cli: Cli, models: ModelServer, suite: Path) -> None:
    write_team(cli, models, "alpha", extra="commands: {enabled: true}\n")
    models.model("alpha").replies(
        calls(tool("run_command", argv=["python3", "-c", "print('was ' + 'run')"])),
        calls(FINDS, MENDS, ANSWERS),
        calls(VOTES),
        text("It adds."),
    )
    outcome = cli("eval", "sum", "--suite", suite, "--config", "team.yaml", "--by", "single")
    assert outcome.code == 0, outcome
    assert "sum, one agent: completed, found 1 of 1, 0 false, fixed" in outcome.err
    assert models.requests[1].text.endswith("The user said no. Go on without it, or do it another way.")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("language: python\nfiles: {", "The task sum.yaml cannot be read as YAML."),
        (OWN_TASK.replace("check: [", "chek: ["), "The task sum.yaml is not sound at check: Field required."),
        (
            OWN_TASK.replace("  calc.py: |", "  ../calc.py: |"),
            "The task sum.yaml is not sound at files: '../calc.py' does not lie below the task's repository.",
        ),
        (
            OWN_TASK.replace("{path: calc.py", "{path: sum.py"),
            "The task sum.yaml is not sound at its top: a fault is said to be in 'sum.py', which is none of its files.",
        ),
    ],
)
def test_a_task_that_is_not_sound_is_refused_in_a_sentence(cli: Cli, suite: Path, content: str, said: str) -> None:
    (suite / "sum.yaml").write_text(content, encoding="utf-8")
    outcome = cli("eval", "--suite", suite)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"teamwright eval: {said}\n")


def test_what_cannot_be_rated_is_said(cli: Cli, suite: Path) -> None:
    def refused(*arguments: str | Path) -> str:
        outcome = cli("eval", *arguments)
        assert (outcome.code, outcome.out) == (2, "")
        return outcome.err.removeprefix("teamwright eval: ")

    assert refused("sums", "--suite", suite) == "there is no task sums; there are sum.\n"
    assert refused("--suite", "missing") == "missing is not a directory; name one with a file for each task.\n"
    assert "--agent: there is no agent 'nobody'" in refused("--suite", suite, "--agent", "nobody", "--by", "single")
    (suite / "sum.yaml").write_text(OWN_TASK.replace("[python3]\n", "[no-such-program]\n"), encoding="utf-8")
    assert refused("--suite", suite) == (
        "sum is left out: no-such-program cannot be found here.\n"
        "teamwright eval: no task is left that can be done here.\n"
    )


def test_a_check_that_says_nothing_counts_neither_way(cli: Cli, suite: Path) -> None:
    (suite / "green.yaml").write_text(OWN_TASK.replace("a - b", "a + b"), encoding="utf-8")
    (suite / "sum.yaml").write_text(OWN_TASK.replace("check: [python3", "check: [no-such-program"), encoding="utf-8")
    outcome = cli("eval", "--suite", suite, "--by", "single", "--output", "figures.json")
    assert outcome.code == 0, outcome
    assert [each["fixed"] for each in kept(cli)["trials"]] == [None, None]
    assert "0 of 2      0  not checked" in outcome.out


def edit(path: str, old: str, new: str) -> Any:
    return tool("edit_file", path=path, old=old, new=new)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "edits"),
    [
        (
            "python-invoices",
            [
                edit("invoices.py", "range(len(prices) - 1)", "range(len(prices))"),
                edit("invoices.py", "amount + amount", "amount - amount"),
            ],
        ),
        (
            "javascript-cart",
            [
                edit("cart.js", "cart.slice(0, index);", "[...cart.slice(0, index), ...cart.slice(index + 1)];"),
                edit("cart.js", "String(item.quantity)", "item.quantity"),
            ],
        ),
        ("c-words", [edit("words.c", "return words;", "return words + inside;")]),
        (
            "rust-ledger",
            [
                edit("ledger.rs", ".skip(1)", ""),
                edit("ledger.rs", "let mut most = entries[0];", "let mut most = *entries.first()?;"),
            ],
        ),
    ],
)
def test_each_task_of_ours_turns_green_once_it_is_mended(
    cli: Cli, models: ModelServer, tools: None, task: str, edits: list[Any]
) -> None:
    del tools
    write_team(cli, models, "alpha")
    models.model("alpha").replies(calls(*edits, ANSWERS), calls(VOTES), text("Done."))
    # Toolchains lie in the real home; nothing is written there.
    cli.environ |= {"HOME": os.environ["HOME"], "XDG_CACHE_HOME": str(cli.home / ".cache")}
    outcome = cli("eval", task, "--config", "team.yaml", "--by", "single", "--output", "figures.json")
    assert outcome.code == 0, outcome
    assert [each["fixed"] for each in kept(cli)["trials"]] == [True], outcome
