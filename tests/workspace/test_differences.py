"""Hunks, diffs, minimal edits and three-way merges."""

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from teamwright.protocol.changes import Hunk
from teamwright.workspace.changes.hunks import Conflicted, Merged, diff_of, hunks_of, merge, unified, with_hunks
from teamwright.workspace.changes.text_edits import text_edits
from teamwright.workspace.files.lines import line_edits
from teamwright.workspace.files.positions import PositionUnit
from tests.workspace.texts import apply_as_editor, plain_texts, texts

TWENTY = "".join(f"{number}\n" for number in range(20))


@given(texts, texts)
def test_all_hunks_make_the_new_text_and_none_the_old(old: str, new: str) -> None:
    diff = diff_of(old, new)
    assert with_hunks(diff, range(len(diff.groups))) == new
    assert with_hunks(diff, ()) == old


def test_hunks_are_chosen_one_by_one() -> None:
    diff = diff_of(TWENTY, TWENTY.replace("2\n3\n", "2\nthree\n").replace("17\n", ""))
    assert hunks_of(diff) == (
        Hunk(index=0, old_start=1, old_lines=7, new_start=1, new_lines=7),
        Hunk(index=1, old_start=15, old_lines=6, new_start=15, new_lines=5),
    )
    assert with_hunks(diff, {0}) == TWENTY.replace("2\n3\n", "2\nthree\n")
    assert with_hunks(diff, {1}) == TWENTY.replace("17\n", "")


def test_a_unified_diff_reads_as_git_writes_it() -> None:
    assert unified(diff_of("a\nb\nc", "a\nB\nc\n"), "a/x", "b/x") == (
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n\\ No newline at end of file\n+B\n+c\n"
    )
    assert unified(diff_of("", "new\n"), "/dev/null", "b/x") == "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+new\n"
    assert unified(diff_of("same", "same"), "a", "b") == ""


@settings(max_examples=40)
@given(plain_texts, plain_texts)
@example("a", "a\n")
@example("", "b\na")
def test_git_applies_our_diffs(tmp_path_factory: pytest.TempPathFactory, old: str, new: str) -> None:
    if old == new or not old or not new:
        return
    directory: Path = tmp_path_factory.mktemp("patch")
    (directory / "x").write_bytes(old.encode())
    patch = unified(diff_of(old, new), "a/x", "b/x").encode()
    subprocess.run(["git", "apply", "-"], cwd=directory, input=patch, check=True, timeout=30)
    assert (directory / "x").read_bytes() == new.encode()


@given(texts, texts, st.sampled_from(["utf-8", "utf-16", "utf-32"]))
@example("a\r\nb", "a\nb", "utf-16")
@example("a\r", "a\r\nb", "utf-16")
@example("😀x", "😀y", "utf-16")
def test_minimal_edits_make_the_new_text_in_an_editor(old: str, new: str, unit: PositionUnit) -> None:
    assert apply_as_editor(old, text_edits(old, new, unit), unit) == new


def test_an_edit_touches_only_the_characters_that_differ() -> None:
    (edit,) = text_edits("let 😀 = old;\nrest\n", "let 😀 = new;\nrest\n")
    positions = (edit.range.start.line, edit.range.start.character, edit.range.end.line, edit.range.end.character)
    assert (positions, edit.new_text) == ((0, 9, 0, 12), "new")


@given(texts, texts)
def test_when_only_one_side_changed_the_merge_is_that_side(base: str, changed: str) -> None:
    assert merge(base, changed, base) == Merged(changed)
    assert merge(base, base, changed) == Merged(changed)
    assert merge(base, changed, changed) == Merged(changed)


@given(texts, texts, texts)
def test_a_merge_does_not_depend_on_whose_side_comes_first(base: str, ours: str, theirs: str) -> None:
    match merge(base, ours, theirs), merge(base, theirs, ours):
        case Merged(one), Merged(other):
            assert one == other
        case Conflicted(one, other), result:
            assert result == Conflicted(other, one)
        case result:
            raise AssertionError(result)


def test_changes_in_different_places_merge_and_in_the_same_place_conflict() -> None:
    typed, proposed = TWENTY.replace("3\n4\n", "3\nfour\n"), TWENTY.replace("9\n10\n", "9\nten\n")
    assert merge(TWENTY, typed, proposed) == Merged(typed.replace("9\n10\n", "9\nten\n"))
    rival = TWENTY.replace("3\n4\n", "3\nFOUR\n")
    assert merge(TWENTY, typed, rival) == Conflicted(typed, rival)
    neighbour = TWENTY.replace("4\n5\n", "4\nFIVE\n")
    assert merge(TWENTY, typed, neighbour) == Conflicted(typed, neighbour)


def test_merging_what_is_already_there_changes_nothing() -> None:
    proposed = TWENTY.replace("9\n10\n", "9\nten\n")
    applied_and_typed = proposed.replace("3\n4\n", "3\nfour\n")
    assert merge(TWENTY, applied_and_typed, proposed) == Merged(applied_and_typed)


def test_texts_made_to_be_hard_to_compare_are_compared_in_bounded_time() -> None:
    old = [f"{number % 150}\n" for number in range(60_000)]
    new = [f"{number % 149}\n" for number in range(60_000)]
    started = time.process_time()
    edits = line_edits(old, new)
    assert time.process_time() - started < 20
    assert edits
