"""Searches: live and staged text, within bounds whatever the pattern."""

import time

import pytest

from teamwright.permissions.paths import ScratchPath, WorkspacePath
from teamwright.permissions.rules import Rules, whole_workspace
from teamwright.protocol.errors import BadParams
from teamwright.workspace.files.searching import Match, Query, SearchResult, search_files
from tests.workspace.desk import Desk

APP = WorkspacePath("app")


def rules(desk: Desk) -> Rules:
    places = desk.live.folders.places
    return Rules("agent", places, whole_workspace(places))


def search(desk: Desk, query: Query) -> SearchResult:
    return search_files(desk.live, APP, rules(desk), query)


@pytest.mark.parametrize("is_regex", [False, True])
def test_matches_are_lines_with_their_numbers(desk: Desk, *, is_regex: bool) -> None:
    desk.put("a.py", "needle\r\nhay\r\nsome needle needle\r\n")
    desk.put("src/b.py", b"\xef\xbb\xbfx\n  Needle")
    desk.put("c.bin", b"needle\x00")
    desk.put(".env", "needle")
    first, third = Match("a.py", 1, "needle"), Match("a.py", 3, "some needle needle")
    assert search(desk, Query("needle", is_regex)) == SearchResult((first, third))
    assert search(desk, Query("NEEDLE", is_regex, ignore_case=True)) == SearchResult(
        (first, third, Match("src/b.py", 2, "  Needle"))
    )


def test_a_plain_pattern_has_no_special_characters_and_a_regex_has(desk: Desk) -> None:
    desk.put("a.txt", "a.c\nabc\n")
    assert [match.line for match in search(desk, Query("a.c")).matches] == [1]
    assert [match.line for match in search(desk, Query("a.c", is_regex=True)).matches] == [1, 2]


@pytest.mark.parametrize(
    ("pattern", "lines"), [("^b$", [2]), ("^", [1, 2, 3]), ("$", [1, 2, 3]), (r"a\nb", [1]), (r"\Z", []), ("c", [3])]
)
def test_a_regex_works_by_lines(desk: Desk, pattern: str, lines: list[int]) -> None:
    desk.put("a.txt", "a\nb\nc\n")
    assert [match.line for match in search(desk, Query(pattern, is_regex=True)).matches] == lines


def test_open_documents_and_staged_writes_are_searched_instead_of_the_disk(desk: Desk) -> None:
    desk.put("open.py", "on disk")
    desk.put("staged.py", "on disk")
    desk.edit("open.py", "typed needle")
    agent = desk.agent()
    agent.write(desk.path("staged.py"), "staged needle")
    agent.write(ScratchPath(("x",)), "scratch needle")
    found = search_files(agent, APP, rules(desk), Query("needle")).matches
    assert [match.text for match in found] == ["typed needle", "staged needle"]
    assert search_files(agent, APP, rules(desk), Query("on disk")).matches == ()
    assert search_files(agent, ScratchPath(), rules(desk), Query("needle")).matches == (
        Match("scratch/x", 1, "scratch needle"),
    )


def test_a_search_can_be_narrowed_to_files_and_folders(desk: Desk) -> None:
    for path in ("a.py", "a.md", "src/b.py"):
        desk.put(path, "needle")
    assert [match.path for match in search(desk, Query("needle", glob="*.py")).matches] == ["a.py", "src/b.py"]
    found = search_files(desk.live, desk.path("src/b.py"), rules(desk), Query("needle"))
    assert found.matches == (Match("src/b.py", 1, "needle"),)


def test_results_and_lines_are_bounded(desk: Desk) -> None:
    desk.put("a.txt", "x" * 5000 + "needle" + "y" * 5000 + "\n" + "needle\n" * 10)
    result = search_files(desk.live, APP, rules(desk), Query("needle"), limit=3)
    assert (len(result.matches), result.stopped) == (3, "there are more than 3 matches")
    assert len(result.matches[0].text) == 300
    assert "needle" in result.matches[0].text
    assert search_files(desk.live, APP, rules(desk), Query("x"), seconds=0).stopped == "it took too long"


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|aa)+$", r"(.*)(.*)(.*)(.*)(.*)\d$"])
def test_a_pattern_that_would_take_for_ever_is_stopped(desk: Desk, pattern: str) -> None:
    desk.put("0.txt", "first aab\n")
    desk.put("a.txt", "a" * 5000 + "b")
    started = time.monotonic()
    result = search_files(desk.live, APP, rules(desk), Query(pattern, is_regex=True), seconds=1)
    assert time.monotonic() - started < 30
    assert result == SearchResult((), "the pattern took too long")


def test_a_pattern_that_counts_to_a_thousand_million_takes_no_memory(desk: Desk) -> None:
    desk.put("a.txt", "a" * 5000 + "b")
    assert search(desk, Query(r"((a{1000}){1000}){1000}", is_regex=True)) == SearchResult(())


@pytest.mark.parametrize(("pattern", "message"), [("(", "is not a regular expression"), ("", "1 to 1000 characters")])
def test_a_faulty_pattern_is_explained(desk: Desk, pattern: str, message: str) -> None:
    desk.put("a.txt", "x")
    with pytest.raises(BadParams, match=message):
        search(desk, Query(pattern, is_regex=True))
