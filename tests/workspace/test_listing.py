"""Listings: what git ignores, links and secrets are left out; what is open or staged is there."""

import os
import subprocess
import time

import pytest

from teamwright.permissions.paths import AnswerPath, ScratchPath, WorkspacePath
from teamwright.permissions.rules import Rules, whole_workspace
from teamwright.protocol.errors import BadParams, NotFound
from teamwright.workspace.files.listing import Listing, count_files, list_files
from tests.workspace.desk import Desk

APP = WorkspacePath("app")


def rules(desk: Desk) -> Rules:
    places = desk.live.folders.places
    return Rules("agent", places, whole_workspace(places))


def listed(desk: Desk, **options: str | int) -> list[str]:
    return list(list_files(desk.live, APP, rules(desk), **options).paths)  # pyright: ignore[reportArgumentType]


def test_files_come_nearest_first_in_order_of_names(desk: Desk) -> None:
    for path in ("b.py", "a/x.py", "a/deep/y.py", "c/z.py"):
        desk.put(path)
    assert list_files(desk.live, APP, rules(desk)) == Listing(("b.py", "a/x.py", "c/z.py", "a/deep/y.py"))


def test_ignored_files_are_left_out_exactly_as_git_does(desk: Desk) -> None:
    files = [
        "keep.py", "a.log", "important.log", "build/x", "src/build/y", "src/out.txt", "src/gen/z.py", "out.txt",
        "src/gen/keep.py", "docs/a.log", "docs/deep/b.tmp", "logs/deep/c", "top-only", "src/top-only", "local/secret",
        "sp ace/x.log", "src/#hash", "a.pyc", "src/B.PYC", "foo/bar/baz/q", "foo/q",
    ]  # fmt: skip
    for path in files:
        desk.put(path)
    desk.put(
        ".gitignore", "*.log\n!important.log\nbuild/\n/top-only\nlogs/**\nfoo/**/q\n*.py[cod]\n\\#hash\n!\n# note\n\n"
    )
    desk.put("src/.gitignore", "gen/*\r\n!gen/keep.py\r\nout.txt\r\n")
    desk.put("docs/.gitignore", "!a.log\n*.tmp\n")
    subprocess.run(["git", "init", "-q"], cwd=desk.folder, check=True, timeout=30)
    desk.put(".git/info/exclude", "local/\n")
    git = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "-z"],
        cwd=desk.folder, check=True, capture_output=True, timeout=30,
    )  # fmt: skip
    assert sorted(listed(desk)) == sorted(git.stdout.decode().strip("\0").split("\0"))


def test_rules_above_the_start_hold_below_it(desk: Desk) -> None:
    desk.put(".gitignore", "*.log\n")
    desk.put("src/a.log")
    desk.put("src/a.py")
    assert list_files(desk.live, desk.path("src"), rules(desk)).paths == ("src/a.py",)


def test_links_special_files_and_secrets_are_left_out(desk: Desk) -> None:
    desk.put("a.py")
    desk.put(".env", "KEY=1")
    desk.put(".ssh/config")
    desk.put("keys/server.pem")
    (desk.folder / "link.py").symlink_to("a.py")
    (desk.folder / "loop").symlink_to(".")
    os.mkfifo(desk.folder / "pipe")
    assert listed(desk) == ["a.py"]


def test_unsaved_and_staged_files_are_listed(desk: Desk) -> None:
    desk.put("a.py")
    desk.put("b.py")
    desk.edit("unsaved.py", "x")
    agent = desk.agent()
    agent.write(desk.path("new/staged.py"), "x")
    agent.delete(desk.path("b.py"))
    agent.write(ScratchPath(("notes.md",)), "x")
    agent.submit_answer("agent1.1")
    assert list_files(agent, APP, rules(desk)).paths == ("a.py", "unsaved.py", "new/staged.py")
    assert list_files(agent, ScratchPath(), rules(desk)).paths == ("scratch/notes.md",)
    answer = ("answers/agent1.1/notes.md", "answers/agent1.1/new/staged.py")
    assert list_files(agent, AnswerPath(), rules(desk)).paths == answer


def test_a_glob_narrows_the_listing(desk: Desk) -> None:
    for path in ("a.py", "src/b.py", "src/test_c.py", "src/d.md"):
        desk.put(path)
    assert listed(desk, pattern="*.py") == ["a.py", "src/b.py", "src/test_c.py"]
    assert listed(desk, pattern="src/**/test_*") == ["src/test_c.py"]
    with pytest.raises(BadParams, match="too many wildcards"):
        listed(desk, pattern="*a*a*a*a*a*")


def test_a_listing_is_bounded_and_says_so(desk: Desk) -> None:
    for number in range(5):
        desk.put(f"{number}.py")
    assert list_files(desk.live, APP, rules(desk), limit=3) == Listing(
        ("0.py", "1.py", "2.py"), "there are more than 3 files"
    )
    assert list_files(desk.live, APP, rules(desk), seconds=0) == Listing((), "it took too long")
    assert count_files(desk.live, APP, rules(desk), limit=100) == 5


def test_a_start_that_is_a_file_is_all_there_is_and_a_missing_one_is_an_error(desk: Desk) -> None:
    desk.put("a.py")
    assert list_files(desk.live, desk.path("a.py"), rules(desk)).paths == ("a.py",)
    with pytest.raises(NotFound):
        list_files(desk.live, desk.path("none"), rules(desk))


def test_an_ignore_file_made_to_be_slow_is_not(desk: Desk) -> None:
    desk.put("a" * 200, "")
    desk.put(".gitignore", "*a*a*a*a*a*a*a*a*b\n" * 5 + "*.log\n")
    desk.put("x.log")
    started = time.process_time()
    assert listed(desk) == [".gitignore", "a" * 200]
    assert time.process_time() - started < 5
