"""Agents see the workspace through their own writes, and each other only through answers."""

import sys
from pathlib import Path

import pytest

from teamwright.permissions.paths import AnswerPath, ScratchPath, WorkspacePath
from teamwright.protocol.errors import LimitReached, NotFound, NotPermitted
from teamwright.workspace.files.beneath import DirectoryEntry
from teamwright.workspace.files.live_files import LiveText
from tests.workspace.desk import Desk


def test_reads_see_staged_writes_then_open_documents_then_the_disk(desk: Desk) -> None:
    agent, path = desk.agent(), desk.path("a.py")
    desk.put("a.py", "disk\n")
    assert agent.read(path) == LiveText("disk\n", "disk")
    desk.edit("a.py", "typed\n")
    assert agent.read(path) == LiveText("typed\n", "document")
    agent.write(path, "staged\n")
    assert agent.read(path) == LiveText("staged\n", "staged")


def test_staged_writes_are_seen_by_nobody_else_and_touch_no_file(desk: Desk) -> None:
    file = desk.put("a.py", "disk\n")
    one, other = desk.agent("agent1"), desk.agent("agent2")
    one.write(desk.path("a.py"), "mine\n")
    one.write(desk.path("new/b.py"), "new\n")
    one.write(ScratchPath(("notes.md",)), "private\n")
    assert file.read_text(encoding="utf-8") == "disk\n"
    assert [path.name for path in desk.folder.iterdir()] == ["a.py"]
    assert other.read(desk.path("a.py")).text == "disk\n"
    with pytest.raises(NotFound):
        other.read(desk.path("new/b.py"))
    with pytest.raises(NotFound):
        other.read(ScratchPath(("notes.md",)))


def test_listings_show_what_is_staged(desk: Desk) -> None:
    desk.put("src/a.py")
    desk.put("src/b.py")
    agent = desk.agent()
    agent.write(desk.path("src/c.py"), "c")
    agent.write(desk.path("lib/deep/d.py"), "d")
    agent.delete(desk.path("src/a.py"))
    assert agent.entries(WorkspacePath("app")) == (
        DirectoryEntry("lib", "directory"),
        DirectoryEntry("src", "directory"),
    )
    assert agent.entries(desk.path("src")) == (DirectoryEntry("b.py", "file"), DirectoryEntry("c.py", "file"))
    assert agent.entries(desk.path("lib")) == (DirectoryEntry("deep", "directory"),)
    with pytest.raises(NotFound, match="deleted in this run"):
        agent.read(desk.path("src/a.py"))
    with pytest.raises(NotFound):
        agent.delete(desk.path("src/a.py"))


def test_what_ends_as_it_began_is_not_staged(desk: Desk) -> None:
    desk.put("a.py", "a\r\n")
    agent = desk.agent()
    agent.write(desk.path("a.py"), "b\n")
    agent.write(desk.path("a.py"), "a\n")
    agent.write(desk.path("b.py"), "b\n")
    agent.delete(desk.path("b.py"))
    assert agent.staged.all() == ()


def test_staged_writes_survive_a_crash(desk: Desk) -> None:
    desk.put("a.py", "old\n")
    agent = desk.agent()
    agent.write(desk.path("a.py"), "new\n")
    agent.write(ScratchPath(("notes.md",)), "notes")
    resumed = desk.agent()
    assert resumed.staged.all() == agent.staged.all()
    assert resumed.read(desk.path("a.py")).text == "new\n"
    assert resumed.read(ScratchPath(("notes.md",))).text == "notes"


def test_a_file_that_is_no_text_cannot_be_overwritten_with_text(desk: Desk) -> None:
    desk.put("image.png", b"\x00")
    desk.agent().lend_scratch().joinpath("b.bin").write_bytes(b"\x00")
    with pytest.raises(NotPermitted):
        desk.agent().write(desk.path("image.png"), "text")
    with pytest.raises(NotPermitted):
        desk.agent().write(ScratchPath(("b.bin",)), "text")


def test_texts_that_no_file_can_hold_are_refused(desk: Desk) -> None:
    agent = desk.agent()
    for path in (desk.path("a.txt"), ScratchPath(("a.txt",))):
        with pytest.raises(NotPermitted, match="no file can store"):
            agent.write(path, "\ud800")
        with pytest.raises(LimitReached):
            agent.write(path, "x" * 3_000_000)


def test_an_answer_keeps_what_the_agent_had_written_and_never_changes(desk: Desk) -> None:
    agent = desk.agent()
    agent.write(ScratchPath(("notes.md",)), "first")
    agent.write(ScratchPath(("src", "a.py")), "a")
    agent.lend_scratch().joinpath("link").symlink_to("/etc/passwd")
    first = agent.submit_answer("agent1.1")
    agent.write(ScratchPath(("notes.md",)), "second")
    agent.delete(ScratchPath(("src", "a.py")))
    agent.submit_answer("agent1.2")
    peer = desk.agent("agent2")
    assert (sorted(first.files), first.complete) == (["notes.md", "src/a.py"], True)
    assert agent.submit_answer("agent1.1") == first
    assert peer.read(AnswerPath(("agent1.1", "notes.md"))).text == "first"
    assert peer.read(AnswerPath(("agent1.2", "notes.md"))).text == "second"
    assert peer.entries(AnswerPath()) == (
        DirectoryEntry("agent1.1", "directory"),
        DirectoryEntry("agent1.2", "directory"),
    )
    assert peer.entries(AnswerPath(("agent1.1",))) == (
        DirectoryEntry("notes.md", "file"),
        DirectoryEntry("src", "directory"),
    )
    assert peer.entries(AnswerPath(("agent1.1", "src"))) == (DirectoryEntry("a.py", "file"),)


def test_asking_for_an_answer_that_is_not_there_names_those_that_are(desk: Desk) -> None:
    agent = desk.agent()
    with pytest.raises(NotFound, match="these have: none yet"):
        agent.read(AnswerPath(("agent2.1", "x")))
    agent.submit_answer("agent1.1")
    with pytest.raises(NotFound, match=r"these have: agent1\.1"):
        agent.read(AnswerPath(("agent2.1", "x")))
    with pytest.raises(NotFound):
        agent.read(AnswerPath(("agent1.1", "x")))
    assert agent.entries(AnswerPath(("agent1.1",))) == ()


def test_an_answer_says_when_it_could_not_carry_everything(desk: Desk) -> None:
    agent = desk.agent()
    agent.write(ScratchPath(("small",)), "x")
    agent.lend_scratch().joinpath("big").write_bytes(b"x" * 3_000_000)
    answer = agent.submit_answer("agent1.1")
    assert (list(answer.files), answer.complete) == (["small"], False)


class Watch:
    """An audit hook cannot be taken away, only be told to look elsewhere."""

    def __init__(self) -> None:
        self.looking = True
        self.opened: list[Path] = []
        sys.addaudithook(self._saw)

    def _saw(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.looking and event in {"open", "os.scandir", "os.listdir"}:
            self.opened.append(Path(str(arguments[0])))

    def below(self, folder: Path) -> list[Path]:
        return [path for path in self.opened if path.is_relative_to(folder)]


def test_views_of_ten_thousand_files_touch_none_of_them(desk: Desk) -> None:
    """Whatever reaches into the workspace opens its folder by its full path first, and Python's audit hooks see it."""
    for directory in range(100):
        (desk.folder / f"d{directory}").mkdir()
        for file in range(100):
            (desk.folder / f"d{directory}" / f"f{file}.py").touch()
    watch = Watch()
    try:
        agents = [desk.agent(f"agent{number}") for number in (1, 2, 3)]
        for number, agent in enumerate(agents, 1):
            agent.write(ScratchPath(("notes.md",)), "x")
            agent.submit_answer(f"agent{number}.1")
        before_the_first_read = watch.below(desk.folder)
        agents[0].read(desk.path("d7/f7.py"))
        after = watch.below(desk.folder)
    finally:
        watch.looking = False
    assert before_the_first_read == []
    assert after == [desk.folder]
