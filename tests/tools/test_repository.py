"""git_log and git_diff: facts of the repository, bounded, and nothing that a read would refuse."""

import subprocess

import pytest

from teamwright.permissions.rules import Roots
from teamwright.tools.port import Failed, Succeeded
from teamwright.tools.repository import GitDiffTool, GitLogTool
from tests.tools.desk import Caller, Desk

pytestmark = pytest.mark.asyncio


def git(desk: Desk, *arguments: str, day: int = 1) -> None:
    when = f"2026-03-{day:02}T12:00:00+00:00"
    author = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.org", "GIT_AUTHOR_DATE": when}
    committer = {"GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@example.org", "GIT_COMMITTER_DATE": when}
    private = {"PATH": "/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    subprocess.run(
        ["git", *arguments], cwd=desk.app, env={**private, **author, **committer}, check=True, capture_output=True
    )


@pytest.fixture
def repository(desk: Desk) -> Desk:
    git(desk, "init", "-q", "-b", "main")
    desk.put("main.py", "one\ntwo\n")
    desk.put("docs/guide.md", "guide\n")
    desk.put(".env", "KEY=old\n")
    git(desk, "add", "-f", ".")
    git(desk, "commit", "-q", "-m", "Begin", day=1)
    desk.put("docs/guide.md", "guide\nmore\n")
    git(desk, "commit", "-q", "-a", "-m", "Say more\n\nPeople asked.", day=2)
    return desk


def caller(desk: Desk, roots: Roots | None = None, *, allowed: bool = True) -> Caller:
    rules = desk.rules("agent", roots, repository=allowed)
    return Caller(rules, (GitLogTool(desk.live, rules), GitDiffTool(desk.live, rules)))


async def test_the_log_is_newest_first_with_whole_messages(repository: Desk) -> None:
    outcome = await caller(repository)("git_log")
    assert isinstance(outcome, Succeeded)
    assert [line[11:] if line[0] != " " else line for line in outcome.text.split("\n")] == [
        "2026-03-02 Ann: Say more",
        "  People asked.",
        "2026-03-01 Ann: Begin",
    ]


async def test_the_log_of_a_path_and_a_number_of_commits(repository: Desk) -> None:
    model = caller(repository)
    of_main = await model("git_log", path="main.py")
    latest = await model("git_log", limit=1)
    assert isinstance(of_main, Succeeded)
    assert isinstance(latest, Succeeded)
    assert of_main.text.endswith("Ann: Begin")
    assert latest.text.endswith("  People asked.\n[the latest 1; for more, a higher `limit`]")
    assert await model("git_log", path="docs/none.md") == Succeeded("[no commits]")


async def test_the_difference_shows_unsaved_and_untracked_text_and_no_secret(repository: Desk) -> None:
    repository.put("new.py", "new\n")
    repository.put(".env", "KEY=new\n")
    repository.show("main.py", "one\n2\n")
    assert await caller(repository)("git_diff") == Succeeded(
        "--- a/main.py\n+++ b/main.py\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
        "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+new"
    )


async def test_the_difference_since_a_revision_of_one_path(repository: Desk) -> None:
    model = caller(repository)
    since = "--- a/docs/guide.md\n+++ b/docs/guide.md\n@@ -1 +1,2 @@\n guide\n+more"
    assert await model("git_diff", base="HEAD~1", path="docs") == Succeeded(since)
    assert await model("git_diff", base="HEAD~1", path="main.py") == Succeeded("[no difference]")
    assert await model("git_diff") == Succeeded("[no difference]")


async def test_a_run_sees_the_difference_in_its_own_paths_only(repository: Desk) -> None:
    repository.put("main.py", "changed\n")
    repository.put("docs/guide.md", "changed\n")
    model = caller(repository, repository.roots(read=["docs"]))
    outcome = await model("git_diff")
    assert isinstance(outcome, Succeeded)
    assert [line for line in outcome.text.split("\n") if line.startswith("+++")] == ["+++ b/docs/guide.md"]
    assert await model("git_diff", path="main.py") == Failed("`main.py` is not among the paths to read.")
    assert await model("git_log", path=".env") == Failed("`.env` is not among the paths to read.")


async def test_a_long_difference_is_cut_and_names_the_files(repository: Desk) -> None:
    repository.put("long.txt", "a line of a long file\n" * 2_000)
    repository.put("main.py", "one\n")
    outcome = await caller(repository)("git_diff")
    assert isinstance(outcome, Succeeded)
    assert len(outcome.text) < 33_000
    assert outcome.text.endswith("[cut off: it is long; name one `path` of these: long.txt, main.py]")


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("git_diff", {"base": "no-such-branch"}, "The repository has no revision `no-such-branch`."),
        ("git_diff", {"base": "--output=x"}, "base: `--output=x` is not the name of a revision"),
        ("git_diff", {"path": "../outside"}, "`..` is not allowed in a path"),
        ("git_diff", {"path": "scratch"}, "Only files of the workspace have a history."),
        ("git_log", {"limit": 0}, "`git_log`: limit: input should be greater than or equal to 1"),
        ("git_log", {"limit": 1_000}, "`git_log`: limit: input should be less than or equal to 100"),
        ("git_log", {"since": "yesterday"}, "`git_log`: since: extra inputs are not permitted"),
    ],
)
async def test_what_cannot_be_answered_is_said(
    repository: Desk, tool: str, arguments: dict[str, object], told: str
) -> None:
    assert await caller(repository)(tool, **arguments) == Failed(told)


@pytest.mark.parametrize("tool", ["git_log", "git_diff"])
async def test_outside_a_repository_and_without_permission_there_is_nothing_to_tell(desk: Desk, tool: str) -> None:
    outcome = await caller(desk)(tool)
    assert isinstance(outcome, Failed)
    assert outcome.text.startswith("git has no repository here:")
    denied = Failed("the repository's history is not part of this run")
    assert await caller(desk, allowed=False)(tool) == denied
