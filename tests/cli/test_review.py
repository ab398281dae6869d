"""`teamwright review`: what the team found, how many stand behind it, and its fixes, shown before they are made."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.teams import write_team
from tests.runtime.lines import gives, votes
from tests.support.model_server import ModelServer, calls, text, tool
from tests.support.patience import PATIENCE_SECONDS

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
SHOP = "def average(items):\n    return sum(items) / len(items)\n"
MENDED = FAULTY.replace("import os\n", "")
UNUSED = "  Warning, 1 of 3 agents: `os` imported but unused (app.py, line 2)"
SECRET = "  Error, 3 of 3 agents: Secret written into the source (app.py, line 5)"


@pytest.fixture
def faulty(cli: Cli) -> Path:
    path = cli.home / "app.py"
    path.write_text(FAULTY, encoding="utf-8")
    return path


def findings_in(text: str) -> list[str]:
    return [line for line in text.splitlines() if " of 3 agents: " in line]


@pytest.mark.proves("F4")
def test_the_report_says_how_many_agents_stand_behind_each_finding(cli: Cli, faulty: Path) -> None:
    outcome = cli("review", "app.py", "--yes")
    assert (outcome.code, outcome.err) == (0, "")
    assert findings_in(outcome.out) == [
        SECRET,
        "  Error, 3 of 3 agents: Command goes through a shell (app.py, line 10)",
        "  Warning, 2 of 3 agents: Exception is swallowed without a trace (app.py, lines 11\N{EN DASH}12)",
        UNUSED,
    ]
    assert len([line for line in outcome.out.splitlines() if " Voted for " in line]) == 3
    assert faulty.read_text(encoding="utf-8") == FAULTY


def test_some_lines_of_a_file_can_be_asked_about(cli: Cli, faulty: Path) -> None:
    outcome = cli("review", "app.py:1-5", "--yes")
    assert outcome.code == 0
    assert findings_in(outcome.out) == [SECRET, UNUSED]


def test_a_directory_is_reviewed_file_by_file(cli: Cli) -> None:
    source = cli.home / "src"
    source.mkdir()
    (source / "app.py").write_text(FAULTY, encoding="utf-8")
    outcome = cli("review", "src", "--yes")
    assert outcome.code == 0
    assert "  Error, 3 of 3 agents: Secret written into the source (src/app.py, line 5)" in outcome.out


def test_fixes_are_shown_and_made_by_a_word_given_beforehand(cli: Cli, faulty: Path) -> None:
    outcome = cli("review", "app.py", "--fix", "--yes")
    assert outcome.code == 0
    assert "\nedit app.py, by lint\n@@ -1,5 +1,4 @@\n" in outcome.out
    assert "\n-import os\n" in outcome.out
    assert "\nChanged 1 file\n" in outcome.out
    assert faulty.read_text(encoding="utf-8") == MENDED


@pytest.mark.proves("C8", "D1")
def test_a_person_sees_findings_votes_and_the_diff_before_they_are_asked(cli: Cli, faulty: Path) -> None:
    terminal = cli.on_terminal("review", "app.py", "--fix")
    terminal.shows(
        "Run: Review `app.py`.", "Files   app.py may be changed, 1 file", "[a] Approve, [e] Edit, [c] Cancel:"
    )
    assert "report_finding" not in terminal.text
    assert terminal.text.count("Review `app.py`.") == 1
    terminal.types("y")
    terminal.shows("security's answer", "[1] Present lint's answer")
    terminal.types("")
    terminal.shows(SECRET, "-import os", "[a] Apply, [c] Discard:")
    assert b"\x1b[31m-import os" in terminal.raw
    assert faulty.read_text(encoding="utf-8") == FAULTY, "nothing is written before a yes"
    terminal.types("n")
    assert terminal.ended() == 3
    assert faulty.read_text(encoding="utf-8") == FAULTY
    assert (terminal.echoes, terminal.cursor_is_hidden) == (True, False)


def test_what_has_changed_since_a_revision_is_reviewed(cli: Cli, faulty: Path) -> None:
    git = shutil.which("git")
    assert git is not None
    (cli.home / "bin" / "git").symlink_to(git)
    (cli.home / "old.py").write_text(FAULTY, encoding="utf-8")
    who = ["-c", "user.name=someone", "-c", "user.email=someone@example.org"]
    for command in (["init", "-q"], ["add", "old.py"], [*who, "commit", "-q", "-m", "old"]):
        subprocess.run([git, *command], cwd=cli.home, check=True, timeout=PATIENCE_SECONDS)
    outcome = cli("review", "--diff", "HEAD", "--yes")
    assert outcome.code == 0
    assert SECRET in findings_in(outcome.out)
    assert not [line for line in findings_in(outcome.out) if "old.py" in line]


def test_events_are_printed_for_programs(cli: Cli, faulty: Path) -> None:
    outcome = cli("review", "app.py", "--yes", "--json")
    events = [json.loads(line)["event"] for line in outcome.out.splitlines()]
    (*_, updated) = (event for event in events if event["type"] == "findings.updated")
    assert [(finding["title"], len(finding["agents"])) for finding in updated["findings"]][:1] == [
        ("Secret written into the source", 3)
    ]
    assert events[-1]["type"] == "run.finished"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "name files to review, or give --diff BASE"),
        (("app.py", "--diff", "HEAD"), "one of the two"),
        (("gone.py",), "teamwright review: gone.py does not exist"),
        (("app.py:9-3",), "lines count from 1, and the first comes first; write app.py:3-9"),
        (("../elsewhere.py",), "cannot be used"),
        (("app.py", "--budget", "much"), "'much' is not a limit"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_runs(
    cli: Cli, faulty: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    outcome = cli("review", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("teamwright review: ")
    assert complaint in outcome.err


def test_a_review_that_nobody_approves_does_not_start(cli: Cli, faulty: Path) -> None:
    outcome = cli("review", "app.py")
    assert outcome.code == 3
    assert "use --yes to give it beforehand" in outcome.out
    assert findings_in(outcome.out) == []


@pytest.mark.proves("G6")
def test_a_finding_says_whether_it_was_reproduced(cli: Cli, models: ModelServer) -> None:
    (cli.home / "project").mkdir()
    (cli.home / "project" / "shop.py").write_text(SHOP, encoding="utf-8")
    write_team(cli, models, "alpha")
    # The project's tools are the machine's.
    cli.environ["PATH"] = os.environ["PATH"]
    script = {"path": "proof.py", "content": "import shop\nshop.average([])\n"}
    proof, at = {"argv": ["python3", "proof.py"], "files": [script]}, {"path": "shop.py", "detail": ""}
    missing = {"argv": ["no-such-program"]}
    models.model("alpha").replies(
        calls(
            tool("report_finding", **at, line=2, severity="error", title="Division by zero", reproduce=proof),
            tool("report_finding", **at, line=1, severity="hint", title="No types", reproduce=missing),
        ),
        gives("A fault."),
        votes("agent1"),
        text("Mind empty lists."),
    )
    review = ("review", "project/shop.py", "--config", "team.yaml", "--workspace", "project", "--trusted", "--yes")
    outcome = cli(*review, "--allow-commands")
    assert outcome.code == 0, outcome
    assert [line for line in outcome.out.splitlines() if "1 of 1 agent" in line] == [
        "  Error, 1 of 1 agent, reproduced: Division by zero (shop.py, line 2)",
        "  Hint, 1 of 1 agent, reproduction not run: No types (shop.py, line 1)",
    ]
    assert "    Its reproduction could not be judged: `no-such-program` was not found" in outcome.out
