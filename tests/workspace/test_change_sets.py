"""From staged writes to the user's files: nothing lost, nothing twice, the truth about each file."""

from pathlib import Path

import pytest

from teamwright.protocol.changes import Change, FileChoice, Hunk, SettledFile
from teamwright.protocol.errors import BadParams, NotFound
from teamwright.protocol.ids import AgentId
from teamwright.workspace.changes.change_ledger import Intent
from teamwright.workspace.changes.change_sets import (
    Clash,
    FileChange,
    Mergeable,
    Standing,
    check_hunks,
    propose,
    resolve,
    to_wire,
    wanted,
)
from tests.workspace.desk import Desk

TWENTY = "".join(f"{number}\n" for number in range(20))
PROPOSED = TWENTY.replace("2\n3\n", "2\nthree\n").replace("16\n17\n", "16\nseventeen\n")


def test_staged_writes_become_created_edited_and_deleted_files(desk: Desk) -> None:
    desk.put("edit.py", "a\nb\n")
    desk.put("gone.py", "gone")
    agent = desk.agent()
    agent.write(desk.path("edit.py"), "a\nB\n")
    agent.write(desk.path("new.py"), "new\n")
    agent.delete(desk.path("gone.py"))
    uri = desk.live.uri
    agent_id = AgentId("claude")
    assert [to_wire(change, agent_id) for change in propose(agent.live, agent.difference())] == [
        Change(
            uri=uri(desk.path("edit.py")),
            kind="edit",
            diff="--- a/edit.py\n+++ b/edit.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
            hunks=(Hunk(index=0, old_start=1, old_lines=2, new_start=1, new_lines=2),),
            agent_id=agent_id,
        ),
        Change(
            uri=uri(desk.path("gone.py")),
            kind="delete",
            diff="--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n\\ No newline at end of file\n",
            hunks=(Hunk(index=0, old_start=1, old_lines=1, new_start=0, new_lines=0),),
            agent_id=agent_id,
        ),
        Change(
            uri=uri(desk.path("new.py")),
            kind="create",
            diff="--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+new\n",
            hunks=(Hunk(index=0, old_start=0, old_lines=0, new_start=1, new_lines=1),),
            agent_id=agent_id,
        ),
    ]


def test_a_proposal_is_against_what_the_editor_shows_now(desk: Desk) -> None:
    desk.put("a.txt", TWENTY)
    agent = desk.agent()
    agent.write(desk.path("a.txt"), PROPOSED)
    typed = TWENTY.replace("9\n10\n", "9\nten\n")
    desk.edit("a.txt", typed)
    assert propose(agent.live, agent.difference()) == (
        FileChange(
            desk.path("a.txt"), desk.live.uri(desk.path("a.txt")), typed, PROPOSED.replace("9\n10\n", "9\nten\n")
        ),
    )


def test_a_long_diff_is_cut_between_lines_and_says_so(desk: Desk) -> None:
    change = FileChange(desk.path("a"), "file:///a", None, "x" * 99 + "\n" + "y" * 99_999 + "\n")
    wire = to_wire(change, AgentId("claude"))
    assert wire.truncated
    assert wire.diff.endswith("x\n")


@pytest.fixture
def change(desk: Desk) -> FileChange:
    return FileChange(desk.path("a"), "file:///a", TWENTY, PROPOSED)


def test_hunks_choose_what_is_wanted(change: FileChange) -> None:
    assert wanted(change, None) == PROPOSED
    assert wanted(change, (1,)) == TWENTY.replace("16\n17\n", "16\nseventeen\n")
    assert wanted(change, ()) == TWENTY


def test_a_hunk_that_is_not_there_is_named_by_its_place_in_the_choice(change: FileChange) -> None:
    with pytest.raises(BadParams) as refusal:
        check_hunks([(change, None), (change, (0, 2)), (change, (1,))])
    assert [(fault.path, fault.message) for fault in refusal.value.errors] == [
        ("files.1.hunks", "file:///a has no hunk 2")
    ]


def test_a_file_is_ready_standing_merged_or_in_conflict(change: FileChange) -> None:
    typed = TWENTY.replace("9\n10\n", "9\nten\n")
    rival = TWENTY.replace("2\n3\n", "2\nTHREE\n")
    assert resolve(change, TWENTY) == Mergeable(PROPOSED)
    assert resolve(change, PROPOSED) == Standing()
    assert resolve(change, typed) == Mergeable(PROPOSED.replace("9\n10\n", "9\nten\n"))
    assert resolve(change, PROPOSED.replace("9\n10\n", "9\nten\n")) == Standing()
    assert resolve(change, rival) == Clash("the same lines have been changed meanwhile", rival, PROPOSED)
    assert resolve(change, None) == Clash("the file has been deleted meanwhile", None, PROPOSED)


def test_creating_over_a_file_or_deleting_a_changed_one_is_a_conflict(desk: Desk) -> None:
    created = FileChange(desk.path("a"), "file:///a", None, "new")
    deleted = FileChange(desk.path("a"), "file:///a", "old", None)
    assert isinstance(resolve(created, "something"), Clash)
    assert resolve(created, "new") == Standing()
    assert isinstance(resolve(deleted, "changed"), Clash)
    assert resolve(deleted, None) == Standing()
    assert resolve(deleted, "old") == Mergeable(None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a\r\nb\r\n", b"a\r\nB\r\n"),
        (b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\nB\n"),
        ("a\r\nb".encode("utf-16"), "a\r\nB\r\n".encode("utf-16")),
        (b"a\r\nx\nb\r\n", b"a\r\nB\r\n"),
    ],
)
def test_encoding_mark_and_line_endings_survive_being_applied_and_undone(desk: Desk, old: bytes, new: bytes) -> None:
    file = desk.put("a.txt", old)
    file.chmod(0o755)
    agent = desk.agent()
    agent.write(desk.path("a.txt"), "a\nB\n")
    desk.proposed(agent)
    uri = desk.live.uri(desk.path("a.txt"))
    assert desk.apply() == (SettledFile(uri=uri, outcome="applied"),)
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (new, 0o755)
    assert desk.undo() == (SettledFile(uri=uri, outcome="applied", reason="undone"),)
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (old, 0o755)


def staged_trio(desk: Desk) -> tuple[Path, Path, Path]:
    edit, gone = desk.put("edit.txt", TWENTY), desk.put("gone.txt", "gone".encode("utf-16"))
    agent = desk.agent()
    agent.write(desk.path("edit.txt"), PROPOSED)
    agent.delete(desk.path("gone.txt"))
    agent.write(desk.path("new/new.txt"), "new\n")
    desk.proposed(agent)
    return edit, gone, desk.folder / "new" / "new.txt"


def test_creations_and_deletions_are_applied_and_undone(desk: Desk) -> None:
    edit, gone, new = staged_trio(desk)
    assert [settled.outcome for settled in desk.apply()] == ["applied"] * 3
    assert (edit.read_text(encoding="utf-8"), gone.exists(), new.read_text(encoding="utf-8")) == (
        PROPOSED,
        False,
        "new\n",
    )
    assert desk.apply() == ()
    assert [settled.outcome for settled in desk.undo()] == ["applied"] * 3
    assert (edit.read_text(encoding="utf-8"), gone.read_bytes(), new.exists()) == (
        TWENTY,
        "gone".encode("utf-16"),
        False,
    )
    assert desk.undo() == ()


def test_only_chosen_files_and_hunks_are_applied(desk: Desk) -> None:
    edit, gone, new = staged_trio(desk)
    uri = {name: desk.live.uri(desk.path(name)) for name in ("edit.txt", "gone.txt", "new/new.txt")}
    choices = [FileChoice(uri=uri["edit.txt"], hunks=(1,)), FileChoice(uri=uri["gone.txt"], hunks=())]
    assert desk.apply(choices) == (
        SettledFile(uri=uri["edit.txt"], outcome="applied"),
        SettledFile(uri=uri["gone.txt"], outcome="rejected", reason="none of its hunks was chosen"),
    )
    assert edit.read_text(encoding="utf-8") == TWENTY.replace("16\n17\n", "16\nseventeen\n")
    assert (gone.exists(), new.exists()) == (True, False)
    assert desk.ledger().states() == {
        uri["edit.txt"]: "applied",
        uri["gone.txt"]: "rejected",
        uri["new/new.txt"]: "proposed",
    }


def test_a_choice_that_makes_no_sense_changes_nothing(desk: Desk) -> None:
    edit, _, _ = staged_trio(desk)
    uri = desk.live.uri(desk.path("edit.txt"))
    with pytest.raises(NotFound, match="proposes no change"):
        desk.apply([FileChoice(uri=uri), FileChoice(uri="file:///other")])
    with pytest.raises(BadParams):
        desk.apply([FileChoice(uri=uri, hunks=(7,))])
    assert edit.read_text(encoding="utf-8") == TWENTY


def test_each_file_tells_its_own_truth(desk: Desk) -> None:
    edit, gone, new = staged_trio(desk)
    edit.write_text(TWENTY.replace("2\n3\n", "2\nmine\n"), encoding="utf-8")
    new.parent.mkdir()
    new.parent.joinpath("new.txt").mkdir()
    outcomes = {settled.uri.rsplit("/", 1)[1]: settled for settled in desk.apply()}
    kept = desk.run_directory / "ours" / "app" / "edit.txt"
    assert {name: (settled.outcome, settled.reason) for name, settled in outcomes.items()} == {
        "edit.txt": ("conflicted", f"the same lines have been changed meanwhile; the proposed text is kept in {kept}"),
        "gone.txt": ("applied", None),
        "new.txt": ("rejected", "`new/new.txt` is a folder; name a file in it."),
    }
    assert edit.read_text(encoding="utf-8") == TWENTY.replace("2\n3\n", "2\nmine\n")
    assert kept.read_text(encoding="utf-8") == PROPOSED
    assert not gone.exists()


def test_a_file_that_is_open_in_the_editor_is_never_written_behind_its_back(desk: Desk) -> None:
    edit, _, _ = staged_trio(desk)
    desk.edit("edit.txt", TWENTY)
    choice = FileChoice(uri=desk.live.uri(desk.path("edit.txt")))
    (settled,) = desk.apply([choice])
    assert (settled.outcome, edit.read_text(encoding="utf-8")) == ("conflicted", TWENTY)


def test_undo_leaves_a_file_that_was_changed_since(desk: Desk) -> None:
    edit, gone, new = staged_trio(desk)
    desk.apply()
    edit.write_text(PROPOSED + "more\n", encoding="utf-8")
    outcomes = {settled.uri.rsplit("/", 1)[1]: settled.outcome for settled in desk.undo()}
    assert outcomes == {"edit.txt": "conflicted", "gone.txt": "applied", "new.txt": "applied"}
    assert edit.read_text(encoding="utf-8") == PROPOSED + "more\n"
    assert (gone.exists(), new.exists()) == (True, False)


def test_after_a_crash_the_files_say_what_was_done(desk: Desk) -> None:
    edit, _, _ = staged_trio(desk)
    uri = {name: desk.live.uri(desk.path(name)) for name in ("edit.txt", "gone.txt", "new/new.txt")}
    ledger = desk.ledger()
    ledger.intend(Intent(uri["edit.txt"], TWENTY, PROPOSED))
    ledger.intend(Intent(uri["gone.txt"], "gone", None, "utf-16-le"))
    ledger.intend(Intent(uri["new/new.txt"], None, "new\n"))
    edit.write_text(PROPOSED, encoding="utf-8")
    desk.put("new/new.txt", "somebody else's")
    resumed = desk.ledger()
    assert resumed.recover(desk.live.read_if_present) == (
        SettledFile(uri=uri["edit.txt"], outcome="applied"),
        SettledFile(
            uri=uri["new/new.txt"], outcome="conflicted", reason="changed by somebody while it was being applied"
        ),
    )
    assert resumed.states() == {
        uri["edit.txt"]: "applied",
        uri["gone.txt"]: "proposed",
        uri["new/new.txt"]: "conflicted",
    }


def test_a_file_that_turned_into_something_else_meanwhile_is_told_in_the_end(desk: Desk) -> None:
    desk.put("a.txt", "old\n")
    agent = desk.agent()
    agent.write(desk.path("a.txt"), "new\n")
    desk.put("a.txt", b"\x00")
    desk.proposed(agent)
    uri = desk.live.uri(desk.path("a.txt"))
    (settled,) = desk.apply()
    kept = desk.run_directory / "ours" / "app" / "a.txt"
    reason = f"the file is no longer text; the proposed text is kept in {kept}"
    assert settled == SettledFile(uri=uri, outcome="conflicted", reason=reason)
    ledger = desk.ledger()
    ledger.intend(Intent(uri, "old\n", "new\n"))
    (recovered,) = ledger.recover(desk.live.read_if_present)
    assert recovered.outcome == "conflicted"


def test_a_file_is_chosen_by_any_spelling_of_its_uri(desk: Desk) -> None:
    file = desk.put("a (b).txt", "one\n")
    agent = desk.agent()
    agent.write(desk.path("a (b).txt"), "two\n")
    desk.proposed(agent)
    proposed = desk.live.uri(desk.path("a (b).txt"))
    spelled = proposed.replace("%28", "(").replace("%29", ")")
    assert spelled != proposed
    assert desk.apply([FileChoice(uri=spelled)]) == (SettledFile(uri=proposed, outcome="applied"),)
    assert file.read_bytes() == b"two\n"


def test_a_file_that_its_owner_made_read_only_is_left_alone(desk: Desk) -> None:
    file = desk.put("a.txt", "one\n")
    agent = desk.agent()
    agent.write(desk.path("a.txt"), "two\n")
    desk.proposed(agent)
    file.chmod(0o444)
    (settled,) = desk.apply()
    assert (settled.outcome, settled.reason) == ("rejected", "`a.txt` is read-only and is left as it is.")
    assert file.read_bytes() == b"one\n"
