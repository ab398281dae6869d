"""run_command: what a command can do in its box, what it cannot reach, and that nothing of it outlives its time."""

import fcntl
import os
import socket
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread

from quorate.tools.command.run_command import RunCommand
from quorate.tools.command.sandbox import Sandbox
from quorate.tools.port import Failed, Outcome, Succeeded
from tests.tools.desk import Caller, Desk

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("bubblewrap")]

ENABLED: dict[str, Any] = {"commands": True, "trusted": True}
DEADLINE = 30.0


def caller(
    desk: Desk, *, timeout: float = DEADLINE, sandbox: Sandbox | None = None, allowed: bool = True, **rules: Any
) -> Caller:
    closed = (Path.home(), desk.run_directory.parent, desk.app, desk.lib)
    tool = RunCommand(desk.files().lend_scratch(), sandbox or Sandbox(closed), timeout)
    return Caller(desk.rules(rules.pop("role", "agent"), **(ENABLED | rules)), [tool], allowed=allowed)


async def shell(desk: Desk, script: str) -> Outcome:
    return await caller(desk)("run_command", argv=["sh", "-c", script])


async def test_a_command_runs_in_the_scratch_folder_after_a_person_agreed(desk: Desk) -> None:
    agent = caller(desk)
    outcome = await agent(
        "run_command", argv=["sh", "-c", "echo made > here.txt; cat here.txt; echo aloud >&2; exit 3"]
    )
    assert outcome == Succeeded("exit code 3\nmade\naloud")
    assert (desk.files().lend_scratch() / "here.txt").read_text(encoding="utf-8") == "made\n"
    assert agent.questions == [
        "Run `sh -c 'echo made > here.txt; cat here.txt; echo aloud >&2; exit 3'` in the scratch folder?"
    ]


async def test_arguments_are_words_and_no_shell_reads_them(desk: Desk) -> None:
    argv = ["printf", "%s|", "$HOME", "a b", "; ls", "*", "größer"]
    assert await caller(desk)("run_command", argv=argv) == Succeeded("exit code 0\n$HOME|a b|; ls|*|größer|")


@pytest.mark.parametrize("path", ["/etc/passwd", "/usr/new", "/new", "/opt/new"])
async def test_nothing_but_scratch_and_the_boxs_own_tmp_can_be_written(desk: Desk, path: str) -> None:
    outcome = await shell(desk, f"echo x >> {path}")
    assert isinstance(outcome, Succeeded)
    assert outcome.text.startswith("exit code ")
    assert not outcome.text.startswith("exit code 0")
    assert await shell(desk, "echo x > /tmp/own && cat /tmp/own") == Succeeded("exit code 0\nx")


async def test_homes_state_and_workspace_are_not_there(desk: Desk) -> None:
    desk.put("main.py", "secret")
    places = [Path.home(), desk.app / "main.py", desk.run_directory, Path("/home"), Path("/root"), Path("/run")]
    seen = await shell(desk, "; ".join(f"test -e '{place}' && echo '{place}'" for place in places) + "; true")
    assert seen == Succeeded("exit code 0")


async def test_a_closed_folder_among_the_programs_is_empty(desk: Desk) -> None:
    documentation = Path("/usr/share/doc")
    assert [each async for each in anyio.Path(documentation).iterdir()]
    agent = caller(desk, sandbox=Sandbox((documentation,)))
    assert await agent("run_command", argv=["ls", "-A", str(documentation)]) == Succeeded("exit code 0")


async def test_secrets_of_root_and_of_our_environment_are_not_there(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    outcome = await shell(desk, "cat /etc/shadow /etc/sudoers 2> /dev/null; tr '\\0' '\\n' < /proc/1/environ; env")
    assert isinstance(outcome, Succeeded)
    status, *variables = outcome.text.split("\n")
    assert status == "exit code 0"
    assert {line.partition("=")[0] for line in variables} == {"PATH", "HOME", "LANG", "TERM", "NO_COLOR", "PWD"}


async def test_the_network_is_not_there(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        connect = f"exec 3<>/dev/tcp/{host}/{port} && echo connected"
        outside = await anyio.run_process(["bash", "-c", connect])
        inside = await caller(desk)("run_command", argv=["bash", "-c", connect])
    assert outside.stdout == b"connected\n"
    assert isinstance(inside, Succeeded)
    assert inside.text.startswith("exit code 1\n")


async def test_other_processes_are_not_seen(desk: Desk) -> None:
    outcome = await shell(desk, "for each in /proc/[0-9]*; do cat $each/comm; done")
    assert isinstance(outcome, Succeeded)
    assert set(outcome.text.split("\n")) <= {"exit code 0", "bwrap", "sh", "cat"}


async def test_long_output_is_shown_from_both_ends(desk: Desk) -> None:
    outcome = await shell(desk, "seq 1 100000")
    assert isinstance(outcome, Succeeded)
    assert outcome.text.startswith("exit code 0\n1\n2\n3\n")
    assert outcome.text.endswith("\n99999\n100000")
    assert "characters left out; write it to a file in scratch and read that …]" in outcome.text
    assert len(outcome.text) < 17_000


async def test_output_that_is_no_text_is_shown_as_well_as_can_be(desk: Desk) -> None:
    assert await caller(desk)("run_command", argv=["printf", r"a\377b"]) == Succeeded("exit code 0\na\ufffdb")


async def test_a_command_and_its_children_are_killed_when_the_time_is_up(desk: Desk) -> None:
    script = "exec 9> lock; flock 9; trap '' TERM; sleep 1000 & setsid sleep 1000 & echo begun; wait"
    outcome = await caller(desk, timeout=1.5)("run_command", argv=["sh", "-c", script])
    assert outcome == Failed("Killed after 1.5 s. It had said:\nbegun")
    await _until_unlocked(desk.files().lend_scratch() / "lock")


async def test_a_command_and_its_children_are_killed_when_nobody_waits_for_them_any_more(desk: Desk) -> None:
    scratch = desk.files().lend_scratch()
    os.mkfifo(scratch / "begun")
    script = "exec 9> lock; flock 9; sleep 1000 & echo now > begun; wait"
    with anyio.fail_after(DEADLINE):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: caller(desk)("run_command", argv=["sh", "-c", script]))
            assert await anyio.Path(scratch / "begun").read_text(encoding="utf-8") == "now\n"
            tasks.cancel_scope.cancel()
    await _until_unlocked(scratch / "lock")


async def test_a_link_that_a_command_leaves_behind_leads_nowhere(desk: Desk) -> None:
    assert await shell(desk, "ln -s /etc/passwd leak") == Succeeded("exit code 0")
    told = Failed(
        "`leak` leads through the link `leak` to `/etc/passwd`, and links are not followed; name the real path."
    )
    assert await desk.agent()("read_file", path="scratch/leak") == told


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
    assert await caller(desk, **rules)("run_command", argv=["touch", "here"]) == Failed(told)
    assert list(desk.files().lend_scratch().iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"argv": []}, "`run_command`: argv: list should have at least 1 item after validation, not 0"),
        ({"argv": "ls"}, "`run_command`: argv: input should be a valid list"),
        ({"argv": ["ls"], "cwd": "/"}, "`run_command`: cwd: extra inputs are not permitted"),
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
    told = "No command can be run here: {}. Go on without."
    assert [on_macos, without_program, forbidden] == [
        Failed(told.format("commands are run only on Linux, where they can be shut in")),
        Failed(told.format("commands need bubblewrap, which is not installed (the package is called bubblewrap)")),
        Failed(told.format("bubblewrap does not work here (bwrap: No permissions to create a new namespace)")),
    ]
    assert list(desk.files().lend_scratch().iterdir()) == []


async def _until_unlocked(path: Path) -> None:
    """Returns when the last process that held the lock has ended."""

    def wait() -> None:
        with path.open("w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)

    with anyio.fail_after(DEADLINE):
        await to_thread.run_sync(wait, abandon_on_cancel=True)
