"""What agents read is what the editor shows."""

from pathlib import Path

import pytest

from teamwright.permissions.paths import ScratchPath, WorkspacePath
from teamwright.protocol.errors import NotFound, NotPermitted
from teamwright.workspace.files.beneath import DirectoryEntry
from teamwright.workspace.files.documents import Document, Documents
from teamwright.workspace.files.folders import Folders, uri_of_path
from teamwright.workspace.files.live_files import LiveFiles, LiveText
from tests.workspace.desk import Desk


def test_an_open_document_hides_the_disk_until_it_is_closed(desk: Desk) -> None:
    desk.put("a.py", "saved")
    path = desk.path("a.py")
    assert desk.live.read(path) == LiveText("saved", "disk")
    desk.edit("a.py", "typed")
    desk.edit("a.py", "typed more", version=2)
    assert desk.live.read(path) == LiveText("typed more", "document")
    desk.documents.close(desk.live.uri(path))
    assert desk.live.read(path) == LiveText("saved", "disk")


def test_a_document_that_was_never_saved_is_read_and_listed(desk: Desk) -> None:
    desk.put("src/a.py")
    desk.edit("src/new.py", "new")
    desk.edit("fresh/deep/x.py", "x")
    assert desk.live.read(desk.path("src/new.py")).text == "new"
    assert desk.live.entries(desk.path("src")) == (DirectoryEntry("a.py", "file"), DirectoryEntry("new.py", "file"))
    assert desk.live.entries(WorkspacePath("app")) == (
        DirectoryEntry("fresh", "directory"),
        DirectoryEntry("src", "directory"),
    )
    assert desk.live.entries(desk.path("fresh")) == (DirectoryEntry("deep", "directory"),)
    with pytest.raises(NotFound):
        desk.live.entries(desk.path("nowhere"))
    with pytest.raises(NotFound):
        # A file is no folder, also while it is open.
        desk.live.entries(desk.path("src/new.py"))


def test_files_that_are_no_text_are_refused(desk: Desk) -> None:
    desk.put("image.png", b"\x89PNG\x00")
    with pytest.raises(NotPermitted, match="is binary"):
        desk.live.read(desk.path("image.png"))


def test_a_document_is_found_whichever_way_the_editor_spells_it(tmp_path: Path) -> None:
    real = tmp_path / "real folder"
    real.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real)
    folders = Folders.opened([(uri_of_path(link), "app")])
    documents = Documents()
    live = LiveFiles(lambda: folders, documents)
    for directory in (link, real):
        documents.show(Document(uri_of_path(directory / "ü.py"), 1, directory.name))
        assert live.read(WorkspacePath("app", ("ü.py",))).text == directory.name
    assert live.uri(WorkspacePath("app", ("ü.py",))) == uri_of_path(real / "ü.py")
    assert live.uri(WorkspacePath("app", ("x y.py",))) == uri_of_path(link / "x y.py")


def test_folders_have_names_that_can_stand_in_a_path(tmp_path: Path) -> None:
    uri = uri_of_path(tmp_path / "one")
    folders = Folders.opened([(uri, "one"), (uri, "one"), (uri, "a/b"), (uri, ""), ("untitled:x", "x")])
    assert [folder.name for folder in folders.folders] == ["one", "one-2", "one-3", "one-4"]


def test_a_document_outside_the_folders_is_in_no_place(desk: Desk) -> None:
    folders = desk.live.folders
    assert folders.locate("file:///elsewhere/x.py") is None
    assert folders.locate("untitled:Untitled-1") is None
    assert folders.locate(folders.uri(desk.path("a/b.py"))) == desk.path("a/b.py")


def test_scratch_is_not_part_of_the_live_workspace(desk: Desk) -> None:
    with pytest.raises(NotFound):
        desk.live.read(ScratchPath(("x",)))


def test_folders_come_and_go_but_a_run_keeps_those_it_began_with(tmp_path: Path) -> None:
    app, lib = tmp_path / "app", tmp_path / "lib"
    for folder in (app, lib):
        folder.mkdir()
        (folder / "a.txt").write_text(f"{folder.name}\n", encoding="utf-8")
    folders, documents = Folders.at(app), Documents()
    live = LiveFiles(lambda: folders, documents)
    documents.show(Document((lib / "a.txt").as_uri(), 1, "shown\n"))
    pinned = live.pinned()
    in_app, in_lib = WorkspacePath("app", ("a.txt",)), WorkspacePath("lib", ("a.txt",))
    assert (live.read(in_app).text, live.open_paths()) == ("app\n", ())

    folders = Folders.at(lib)
    assert (live.read(in_lib).text, live.open_paths()) == ("shown\n", (in_lib,))
    with pytest.raises(NotFound, match="no longer open"):
        live.read(in_app)
    assert (pinned.read(in_app).text, pinned.open_paths()) == ("app\n", ())
