"""An agent's working copy: one view for tools and commands, what differs in it, and what stays behind."""

from pathlib import Path

import pytest

from teamwright.permissions.paths import WorkspacePath
from teamwright.permissions.rules import Roots
from teamwright.workspace.copies.cleaning import own_copies, remove_left_copies
from teamwright.workspace.copies.left_out import LeftOut
from teamwright.workspace.copies.sandbox import CommandLimits
from teamwright.workspace.copies.scratch import AgentFiles
from teamwright.workspace.copies.staging import StagedFile
from teamwright.workspace.copies.working_copy import CopyCommand, WorkingCopy
from tests.support.patience import PATIENCE_SECONDS
from tests.workspace.desk import Desk

EVERYWHERE = Roots(write=(WorkspacePath("app"),))


async def shell(agent: AgentFiles, script: str, roots: Roots = EVERYWHERE) -> tuple[str, list[LeftOut]]:
    """What it says, and what of its writes stays in the copy alone."""
    limits = CommandLimits(seconds=PATIENCE_SECONDS)
    command = CopyCommand(("sh", "-c", script), WorkspacePath("app"), limits)
    end, left_out = await WorkingCopy(agent, roots).run(command)
    assert (end.how, end.exit_code) == ("exited", 0), end.output
    return end.output, left_out


def test_what_ends_as_it_began_and_what_is_ignored_is_no_difference(desk: Desk) -> None:
    desk.put("a.py", "a\n")
    desk.put("b.py", "b\n")
    desk.put(".gitignore", "*.log\n")
    agent = desk.agent()
    agent.write(desk.path("a.py"), "b\n")
    agent.write(desk.path("a.py"), "a\n")
    agent.write(desk.path("b.py"), "changed\n")
    agent.write(desk.path("out.log"), "changed\n")
    assert agent.difference() == (StagedFile(desk.path("b.py"), "b\n", "changed\n"),)


@pytest.mark.asyncio
@pytest.mark.usefixtures("bubblewrap")
async def test_what_a_command_writes_is_part_of_the_difference(desk: Desk) -> None:
    desk.put("a.py", "a\n")
    desk.put("old/b.py", "b\n")
    desk.put("old/c.py", "c\n")
    desk.put(".gitignore", "build/\n")
    agent = desk.agent()
    agent.write(desk.path("a.py"), "by tool\n")
    _, left_out = await shell(
        agent,
        "echo by command >> a.py; rm -r old; mkdir old build __pycache__; echo d > old/d.py; echo o > build/out.txt;"
        "printf 'a\\0b' > image.bin; ln -s a.py link.py; echo x > __pycache__/x.txt; echo SECRET > .env",
    )
    assert agent.difference() == (
        StagedFile(desk.path("a.py"), "a\n", "by tool\nby command\n"),
        StagedFile(desk.path("old/b.py"), "b\n", None),
        StagedFile(desk.path("old/c.py"), "c\n", None),
        StagedFile(desk.path("old/d.py"), None, "d\n"),
    )
    assert left_out == [
        LeftOut(desk.path(".env"), "holds secrets or steers other programs"),
        LeftOut(desk.path("image.bin"), "is binary"),
        LeftOut(desk.path("link.py"), "is a link"),
    ]
    # What is no change of texts stays where commands and, if it is text, file tools find it.
    assert agent.read(desk.path("build/out.txt")).text == "o\n"
    assert (await shell(agent, "wc -c < image.bin; ls old; cat build/out.txt"))[0] == "3\nd.py\no\n"
    assert [entry.name for entry in agent.entries(desk.path("old"))] == ["d.py"]


@pytest.mark.asyncio
@pytest.mark.usefixtures("bubblewrap")
async def test_a_tool_takes_back_what_a_command_did(desk: Desk) -> None:
    desk.put("a.py", "a\n")
    desk.put("b.py", "b\n")
    agent = desk.agent()
    await shell(agent, "echo changed > a.py; rm b.py")
    agent.write(desk.path("a.py"), "a\n")
    agent.write(desk.path("b.py"), "b\n")
    assert (agent.difference(), agent.is_unchanged) == ((), True)
    assert (await shell(agent, "cat a.py b.py"))[0] == "a\nb\n"


@pytest.mark.asyncio
@pytest.mark.usefixtures("bubblewrap")
async def test_what_a_command_writes_elsewhere_stays_in_the_copy(desk: Desk) -> None:
    desk.put("src/a.py", "a\n")
    desk.put("docs/b.md", "b\n")
    agent = desk.agent()
    roots = Roots(write=(desk.path("src"),), protected=(desk.path("src/kept.py"),))
    script = "for each in src/a.py src/kept.py docs/b.md; do echo changed > $each; done"
    assert await shell(agent, script, roots) == (
        "",
        [
            LeftOut(desk.path("docs/b.md"), "is not among the write paths of this run"),
            LeftOut(desk.path("src/kept.py"), "is protected by the configuration"),
        ],
    )
    assert agent.difference() == (StagedFile(desk.path("src/a.py"), "a\n", "changed\n"),)
    assert agent.read(desk.path("docs/b.md")).text == "changed\n"


@pytest.mark.asyncio
@pytest.mark.usefixtures("bubblewrap")
async def test_adopting_makes_the_copy_the_answers_whole(desk: Desk) -> None:
    desk.put("a.py", "a\n")
    desk.put("b.py", "b\n")
    author, adopter = desk.agent("agent1"), desk.agent("agent2")
    author.write(desk.path("a.py"), "better\n")
    changes = author.difference()
    adopter.write(desk.path("b.py"), "own\n")
    await shell(adopter, "echo own > own.py; printf 'a\\0' > own.bin")
    adopter.adopt(changes)
    assert adopter.difference() == changes
    assert (await shell(adopter, "cat a.py b.py; ls"))[0] == "better\nb\na.py\nb.py\n"


def test_documents_are_as_they_were_when_the_run_began(desk: Desk) -> None:
    desk.put("a.py", "saved\n")
    desk.put("b.py", "as on disk\n")
    desk.edit("a.py", "typed before\n")
    shown = desk.live.as_of_now()
    agent = AgentFiles(desk.live, desk.run_directory, "agent1", shown=shown)
    desk.edit("a.py", "typed later\n", version=2)
    desk.put("b.py", "as on disk now\n")
    assert [agent.read(desk.path(path)).text for path in ("a.py", "b.py")] == ["typed before\n", "as on disk now\n"]


@pytest.mark.asyncio
@pytest.mark.usefixtures("bubblewrap")
async def test_copies_end_with_their_process(desk: Desk, tmp_path: Path) -> None:
    desk.put("a.py", "a\n")
    gone = tmp_path / "copies" / "999999999" / "run_1"
    # What overlays leave behind when they are broken off.
    (gone / "work" / "work").mkdir(parents=True)
    (gone / "work" / "work").chmod(0)
    (gone / "out").symlink_to(desk.folder)
    agent = AgentFiles(desk.live, desk.run_directory, "agent1", copies=own_copies(tmp_path))
    await shell(agent, "echo x > build.log")
    remove_left_copies(tmp_path)
    assert sorted(path.name for path in (tmp_path / "copies").iterdir()) == [own_copies(tmp_path).name]
    assert agent.read(desk.path("build.log")).text == "x\n"
    assert desk.folder.joinpath("a.py").read_text(encoding="utf-8") == "a\n"


@pytest.mark.asyncio
@pytest.mark.usefixtures("bubblewrap")
async def test_what_commands_left_is_not_read_after_a_crash(desk: Desk) -> None:
    agent = desk.agent()
    await shell(agent, "printf 'a\\0' > left.bin; echo text > text.py")
    again = desk.agent()
    assert (await shell(again, "ls"))[0] == "text.py\n"
    again.adopt(())
    assert (await shell(again, "ls"))[0] == ""
