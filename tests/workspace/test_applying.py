"""Changes made by an editor's hand: whatever it says, the files tell what came of each."""

import pytest

from teamwright.workspace.changes.file_writes import EditAccepted, Write
from teamwright.workspace.files.documents import Document
from tests.workspace.desk import Desk
from tests.workspace.screen import REFUSED, Screen, nothing

TWENTY = "".join(f"{number}\n" for number in range(20))
PROPOSED = TWENTY.replace("\n3\n", "\nthree\n")


@pytest.fixture
def screen(desk: Desk) -> Screen:
    """An editor that shows `a.txt`, to which a change is proposed."""
    screen = desk.editor = Screen(desk)
    desk.put("a.txt", TWENTY)
    desk.edit("a.txt", TWENTY, version=7)
    agent = desk.agent()
    agent.write(desk.path("a.txt"), PROPOSED)
    desk.proposed(agent)
    return screen


def outcome(desk: Desk) -> tuple[str, str | None]:
    (settled,) = desk.apply()
    return settled.outcome, settled.reason


def shown(desk: Desk) -> str:
    document = desk.live.document(desk.path("a.txt"))
    assert document is not None
    return document.text


def types(desk: Desk, old: str, new: str) -> None:
    document = desk.live.document(desk.path("a.txt"))
    assert document is not None
    desk.documents.show(Document(document.uri, document.version + 1, document.text.replace(old, new, 1)))


def test_a_change_is_made_over_the_version_that_was_read(desk: Desk, screen: Screen) -> None:
    assert outcome(desk) == ("applied", None)
    assert (screen.steps, shown(desk)) == ([[("a.txt", 7)]], PROPOSED)
    assert [file.reason for file in desk.undo()] == ["undone"]
    assert (screen.steps, shown(desk)) == ([[("a.txt", 7)], [("a.txt", 8)]], TWENTY)


def test_typing_right_after_the_change_does_not_hide_it(desk: Desk, screen: Screen) -> None:
    def made_and_typed(write: Write) -> None:
        screen.show(write)
        types(desk, "three\n", "three!\n")

    screen.says(EditAccepted(), made_and_typed)
    assert outcome(desk) == ("applied", None)
    (refused,) = desk.undo()
    assert (refused.outcome, shown(desk)) == ("conflicted", PROPOSED.replace("three\n", "three!\n"))


def test_a_change_that_arrives_together_with_typing_elsewhere_is_recognised(desk: Desk, screen: Screen) -> None:
    screen.says(EditAccepted(), lambda _: desk.edit("a.txt", PROPOSED.replace("17\n", "xvii\n"), version=8))
    assert outcome(desk) == ("applied", None)


def test_a_step_that_is_declined_because_of_typing_is_asked_again_over_what_was_typed(
    desk: Desk, screen: Screen
) -> None:
    screen.says(REFUSED, lambda _: types(desk, "17\n", "xvii\n"))
    assert outcome(desk) == ("applied", None)
    assert (screen.steps, shown(desk)) == ([[("a.txt", 7)], [("a.txt", 8)]], PROPOSED.replace("17\n", "xvii\n"))


def test_whoever_types_without_a_pause_is_left_alone_in_the_end(desk: Desk, screen: Screen) -> None:
    for number in ("11\n", "12\n", "13\n"):
        screen.says(REFUSED, lambda _, number=number: types(desk, number, f"!{number}"))
    state, reason = outcome(desk)
    assert (state, len(screen.steps)) == ("conflicted", 3)
    assert reason is not None
    assert reason.startswith("the file was being changed all the while; the proposed text is kept in ")


def test_an_editor_that_makes_something_else_of_it_is_not_believed(desk: Desk, screen: Screen) -> None:
    screen.says(EditAccepted(), lambda _: desk.edit("a.txt", TWENTY.replace("\n8\n", "\nthree\n"), version=8))
    state, reason = outcome(desk)
    assert state == "conflicted"
    assert reason is not None
    assert reason.startswith("the editor holds another text than was intended; ")


def test_an_editor_that_says_no_but_did_it_has_done_it(desk: Desk, screen: Screen) -> None:
    screen.says(REFUSED, screen.show)
    assert outcome(desk) == ("applied", None)


def test_an_editor_that_says_yes_and_shows_nothing_is_believed_with_a_remark(desk: Desk, screen: Screen) -> None:
    screen.says(EditAccepted(), nothing)
    assert outcome(desk) == ("applied", "unverified")


def test_line_endings_of_the_editors_own_are_no_difference_and_undo_knows_them(desk: Desk, screen: Screen) -> None:
    screen.says(EditAccepted(), lambda _: desk.edit("a.txt", PROPOSED.replace("\n", "\r\n"), version=8))
    assert outcome(desk) == ("applied", None)
    assert [file.reason for file in desk.undo()] == ["undone"]
    assert shown(desk) == TWENTY


def test_a_last_line_that_the_editor_ends_is_no_difference_either(desk: Desk, screen: Screen) -> None:
    agent = desk.agent()
    agent.write(desk.path("new.txt"), "new")
    desk.proposed(agent)
    screen.says(EditAccepted(), screen.show, lambda _: desk.put("new.txt", "new\n") and None)
    assert set(outcomes(desk).values()) == {("applied", None)}
    assert [file.reason for file in desk.undo()] == ["undone"] * 2


@pytest.fixture
def trio(desk: Desk, screen: Screen) -> Screen:
    """Beside it a file that is created and one that is deleted, both not open."""
    desk.put("gone.txt", "gone\n")
    agent = desk.agent()
    agent.write(desk.path("new.txt"), "new\n")
    agent.delete(desk.path("gone.txt"))
    desk.proposed(agent)
    return screen


def outcomes(desk: Desk) -> dict[str, tuple[str, str | None]]:
    return {file.uri.rsplit("/", 1)[1]: (file.outcome, file.reason) for file in desk.apply()}


def test_a_step_is_declined_as_a_whole_but_what_was_made_of_it_is_told(desk: Desk, trio: Screen) -> None:
    trio.says(REFUSED, trio.show, trio.show, nothing)
    assert outcomes(desk) == {"a.txt": ("applied", None), "gone.txt": ("applied", None), "new.txt": ("rejected", "no")}


def test_files_that_are_not_open_may_be_opened_or_written_by_the_editor(desk: Desk, trio: Screen) -> None:
    trio.says(EditAccepted(), trio.show, trio.show, lambda _: desk.put("new.txt", "new\n") and None)
    assert outcomes(desk) == dict.fromkeys(("a.txt", "gone.txt", "new.txt"), ("applied", None))
    assert [file.reason for file in desk.undo()] == ["undone"] * 3


def test_a_file_that_is_still_there_was_not_deleted(desk: Desk, trio: Screen) -> None:
    trio.says(EditAccepted(), trio.show, nothing, trio.show)
    assert outcomes(desk)["gone.txt"] == ("rejected", "the editor has not deleted it")


def test_where_one_file_moved_on_the_others_get_their_chance_with_it(desk: Desk, trio: Screen) -> None:
    trio.says(REFUSED, lambda _: types(desk, "17\n", "xvii\n"), nothing, nothing)
    assert set(outcomes(desk).values()) == {("applied", None)}
    assert [len(step) for step in trio.steps] == [3, 3]


def test_what_an_editor_cannot_make_is_written_on_disk(desk: Desk, screen: Screen) -> None:
    desk.put("gone.txt", "gone\n".encode("utf-16"))
    agent = desk.agent()
    agent.delete(desk.path("gone.txt"))
    desk.proposed(agent)
    assert set(outcomes(desk).values()) == {("applied", None)}
    desk.undo()
    assert (desk.folder / "gone.txt").read_bytes() == "gone\n".encode("utf-16"), "no editor would know its encoding"
