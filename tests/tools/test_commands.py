"""run_command: it runs in the agent's copy of the workspace, and the file tools see what it did."""

import sys
from pathlib import Path
from typing import Any

import pytest

from teamwright.tools.command import RunCommandTool
from teamwright.tools.files.reading import reading_tools
from teamwright.tools.files.writing import writing_tools
from teamwright.tools.port import Failed, Outcome, Succeeded
from teamwright.workspace.copies.working_copy import WorkingCopy
from tests.support.patience import PATIENCE_SECONDS
from tests.tools.desk import Caller, Desk

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("bubblewrap")]

ENABLED: dict[str, Any] = {"commands": True, "trusted": True}


def caller(desk: Desk, *, timeout: float = PATIENCE_SECONDS, allowed: bool = True, **more: Any) -> Caller:
    """Plays the presenter, who may write everywhere."""
    files = desk.files()
    rules = desk.rules(more.pop("role", "presenter"), desk.roots(write=[".", "lib"]), **(ENABLED | more))
    tool = RunCommandTool(WorkingCopy(files, rules.roots), rules.places, timeout)
    return Caller(rules, [tool, *reading_tools(files, rules), *writing_tools(files, rules)], allowed=allowed)


async def shell(agent: Caller, script: str) -> Outcome:
    return await agent("run_command", argv=["sh", "-c", script])


async def test_a_command_runs_in_a_copy_of_the_workspace_after_a_person_agreed(desk: Desk) -> None:
    file = desk.put("main.py", "old\n")
    agent = caller(desk)
    script = "cat main.py; echo new > main.py; echo aloud >&2; exit 3"
    assert await shell(agent, script) == Succeeded("exit code 3\nold\naloud")
    assert await agent("read_file", path="main.py") == Succeeded("1\tnew")
    assert file.read_text(encoding="utf-8") == "old\n"
    assert agent.questions == [f"Run `sh -c '{script}'` in a copy of the workspace?"]


async def test_tools_and_commands_see_one_copy(desk: Desk) -> None:
    desk.put("a.py", "a\n")
    desk.put("b.py", "b\n")
    desk.put("c.py", "saved\n")
    desk.show("c.py", "typed\n")
    agent = caller(desk)
    await agent("write_file", path="a.py", content="written\n")
    await agent("write_file", path="deep/new.py", content="made\n")
    await agent("delete_file", path="b.py")
    assert await shell(agent, "cat a.py c.py deep/new.py; ls") == Succeeded(
        "exit code 0\nwritten\ntyped\nmade\na.py\nc.py\ndeep"
    )
    await shell(agent, "echo again > a.py; echo b > b.py; rm c.py; rm -r deep; echo made > made.py")
    assert await agent("list_files", path=".") == Succeeded("a.py\nb.py\nmade.py")
    assert await agent("read_file", path="a.py") == Succeeded("1\tagain")
    assert await agent("search_files", pattern="made") == Succeeded("made.py\n1\tmade")
    await agent("edit_file", path="made.py", old="made", new="edited")
    assert await shell(agent, "cat made.py b.py; test -e c.py || echo gone") == Succeeded(
        "exit code 0\nedited\nb\ngone"
    )


async def test_each_folder_lies_at_its_own_path_and_a_command_may_begin_in_any_directory(desk: Desk) -> None:
    desk.put("src/x.py", "x\n")
    desk.put("y.py", "y\n", below=desk.lib)
    agent = caller(desk)
    inside = [await agent("run_command", argv=["pwd"], cwd=cwd) for cwd in (".", "src", "lib", "scratch")]
    assert inside == [
        Succeeded(f"exit code 0\n{path}") for path in (desk.app, desk.app / "src", desk.lib, "/tmp/scratch")
    ]
    assert await shell(agent, f"cat {desk.lib}/y.py") == Succeeded("exit code 0\ny")


async def test_scratch_is_reached_by_name(desk: Desk) -> None:
    agent = caller(desk)
    await agent("write_file", path="scratch/note.md", content="noted\n")
    script = 'cat "$TEAMWRIGHT_SCRATCH/note.md"; echo more > "$TEAMWRIGHT_SCRATCH/more.md"; ls'
    assert await shell(agent, script) == Succeeded("exit code 0\nnoted")
    assert await agent("read_file", path="scratch/more.md") == Succeeded("1\tmore")


async def test_arguments_are_words_and_no_shell_reads_them(desk: Desk) -> None:
    argv = ["printf", "%s|", "$HOME", "a b", "; ls", "*", "größer"]
    assert await caller(desk)("run_command", argv=argv) == Succeeded("exit code 0\n$HOME|a b|; ls|*|größer|")


async def test_long_output_is_shown_from_both_ends(desk: Desk) -> None:
    outcome = await shell(caller(desk), "seq 1 100000")
    assert isinstance(outcome, Succeeded)
    assert outcome.text.startswith("exit code 0\n1\n2\n3\n")
    assert outcome.text.endswith("\n99999\n100000")
    assert "characters left out; write it to a file and read that …]" in outcome.text
    assert len(outcome.text) < 17_000


async def test_output_that_is_no_text_is_shown_as_well_as_can_be(desk: Desk) -> None:
    assert await caller(desk)("run_command", argv=["printf", r"a\377b"]) == Succeeded("exit code 0\na\ufffdb")


async def test_a_command_whose_time_is_up_is_told_as_that(desk: Desk) -> None:
    outcome = await shell(caller(desk, timeout=3), "echo begun; echo kept > kept.txt; sleep 1000")
    assert outcome == Failed("Killed after 3 s. It had said:\nbegun")
    assert await caller(desk)("read_file", path="kept.txt") == Succeeded("1\tkept")


async def test_a_link_that_a_command_leaves_behind_leads_nowhere(desk: Desk) -> None:
    agent = caller(desk)
    assert await shell(agent, "ln -s /etc/passwd leak; ln -s /etc/passwd /tmp/scratch/leak") == Succeeded(
        "exit code 0\nNot part of your changes: `leak` is a link."
    )
    told = Failed(
        "`leak` leads through the link `leak` to `/etc/passwd`, and links are not followed; name the real path."
    )
    assert [await agent("read_file", path=path) for path in ("leak", "scratch/leak")] == [told, told]


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"role": "assistant"}, "the assistant runs no commands"),
        ({"commands": False}, "commands are not enabled in the user's configuration"),
        ({"trusted": False}, "this workspace is not trusted; trust it in the editor first"),
        ({"autonomy": "autonomous"}, "commands are not run in autonomous mode, because nobody is asked"),
        ({"allowed": False}, "The user said no. Go on without it, or do it another way."),
    ],
)
async def test_a_command_that_may_not_run_does_not(desk: Desk, rules: dict[str, Any], told: str) -> None:
    assert await caller(desk, **rules)("run_command", argv=["touch", "/tmp/scratch/here"]) == Failed(told)
    assert list(desk.files().lend_scratch().iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"argv": []}, "`run_command`: argv: list should have at least 1 item after validation, not 0"),
        ({"argv": "ls"}, "`run_command`: argv: input should be a valid list"),
        ({"argv": ["ls"], "cwd": "/"}, "cwd: `/` is outside the workspace."),
        ({"argv": ["ls"], "cwd": "answers"}, "cwd: answers do not change; run it in the workspace or in `scratch`."),
        (
            {"argv": ["ls"], "cwd": "missing"},
            "The command's folder cannot be used: no such file or directory; name another one.",
        ),
        ({"argv": ["ls", "\0"]}, "argv: a word may not hold a NUL character."),
    ],
)
async def test_a_call_that_does_not_fit_runs_nothing(desk: Desk, arguments: dict[str, Any], told: str) -> None:
    assert await caller(desk)("run_command", **arguments) == Failed(told)


async def test_where_there_is_no_box_no_command_runs(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    agent = caller(desk)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "platform", "darwin")
        on_macos = await agent("run_command", argv=["touch", "here"])
    monkeypatch.setenv("PATH", str(tmp_path))
    without_program = await agent("run_command", argv=["touch", "here"])
    broken = tmp_path / "bwrap"
    broken.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n", encoding="utf-8"
    )
    broken.chmod(0o755)
    forbidden = await agent("run_command", argv=["touch", "here"])
    told = "Commands and checks are off: {}."
    assert [on_macos, without_program, forbidden] == [
        Failed(told.format("so far they can be shut in on Linux only")),
        Failed(told.format("they need bubblewrap, which is not installed (the package is called bubblewrap)")),
        Failed(told.format("bubblewrap does not work here (bwrap: No permissions to create a new namespace)")),
    ]
