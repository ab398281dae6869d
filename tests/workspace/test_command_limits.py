"""What no command can take: time, processes, memory, disk and output have a measure. It ends with all it started."""

import os
import secrets
import signal
import sys

import anyio
import pytest
from anyio import to_thread

from teamwright.workspace.copies import sandbox
from teamwright.workspace.copies.sandbox import CommandLimits
from tests.support.patience import PATIENCE_SECONDS
from tests.workspace.boxes import Box, processes_with, sandbox_tree

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("bubblewrap")]


async def test_a_command_that_hangs_is_ended_with_all_that_it_started(any_box: Box) -> None:
    word = f"77{secrets.randbelow(10**9)}"
    script = f"trap '' TERM; sleep {word} & setsid sleep {word} & echo begun; wait"
    end = await any_box.shell(script, limits=CommandLimits(seconds=3))
    assert (end.how, end.output) == ("timed_out", "begun\n")
    await _until_none(word)


async def test_what_a_command_leaves_running_ends_with_it(any_box: Box) -> None:
    word = f"77{secrets.randbelow(10**9)}"
    assert await any_box.says(f"setsid sleep {word} & echo bye") == "bye\n"
    await _until_none(word)


async def test_a_command_that_nobody_waits_for_is_ended(box: Box) -> None:
    word = f"77{secrets.randbelow(10**9)}"
    begun = anyio.Event()

    def hear(text: str) -> None:
        assert text == "begun\n"
        begun.set()

    with anyio.fail_after(PATIENCE_SECONDS), sandbox_tree(box) as (tree, folder):
        async with anyio.create_task_group() as tasks:
            command = sandbox.SandboxedCommand(("sh", "-c", f"sleep {word} & echo begun; wait"), folder, tree)
            tasks.start_soon(sandbox.run, command, hear)
            await begun.wait()
            tasks.cancel_scope.cancel()
    await _until_none(word)


async def test_a_command_ends_with_the_server(box: Box) -> None:
    word = f"77{secrets.randbelow(10**9)}"
    script = (
        "import anyio; from pathlib import Path\n"
        "from teamwright.workspace.copies.sandbox import SandboxedCommand, run\n"
        "from teamwright.workspace.copies.trees import Tree, TreeFolder\n"
        f"folder = Path({str(box.desk.folder)!r})\n"
        f"tree = Tree(Path({str(box.directory)!r}), (TreeFolder(folder, folder),))\n"
        f"command = SandboxedCommand(('sh', '-c', 'setsid sleep {word} & echo begun; wait'), folder, tree)\n"
        "anyio.run(run, command, lambda text: print(text, flush=True))\n"
    )
    with anyio.fail_after(PATIENCE_SECONDS):
        async with await anyio.open_process([sys.executable, "-c", script]) as server:
            assert server.stdout is not None
            # A pipe may hand over less than was written.
            assert (await server.stdout.receive()).startswith(b"begun")
            assert processes_with(word)
            os.kill(server.pid, signal.SIGKILL)
            await server.wait()
    await _until_none(word)


async def test_a_command_that_forks_without_end_is_ended(any_box: Box) -> None:
    word = f"77{secrets.randbelow(10**9)}"
    script = f"while true; do sleep {word} & done"
    assert (await any_box.shell(script, limits=CommandLimits(processes=50))).how == "too_many_processes"
    await _until_none(word)


async def test_a_command_that_takes_all_memory_is_ended(any_box: Box) -> None:
    script = "held = []\nwhile True: held.append(b'x' * 10_000_000)"
    limits = CommandLimits(memory_bytes=300_000_000, disk_bytes=100_000_000)
    assert (await any_box.run("python3", "-c", script, limits=limits)).how == "out_of_memory"


async def test_a_command_that_fills_the_disk_is_ended(any_box: Box) -> None:
    limits = CommandLimits(disk_bytes=30_000_000)
    end = await any_box.shell("cat /dev/zero > full; sleep 1000", limits=limits)
    assert end.how == "disk_full"
    elsewhere = await any_box.shell("cat /dev/zero > /tmp/full; sleep 1000", limits=limits)
    assert elsewhere.how == "disk_full"
    assert list(any_box.directory.iterdir()) == []


async def test_of_a_gigabyte_of_output_both_ends_are_told(box: Box) -> None:
    end = await box.shell("echo first; head -c 1000000000 /dev/zero | tr '\\0' x; echo; echo last")
    assert (end.how, end.exit_code) == ("exited", 0)
    assert end.output.startswith("first\nxxx")
    assert end.output.endswith("xxx\nlast\n")
    assert "bytes left out" in end.output
    assert len(end.output) < 2_000_000


async def test_a_command_cannot_kill_who_watches_it(any_box: Box) -> None:
    end = await any_box.shell("{ kill -9 $PPID; kill -9 1; kill -9 -1; } 2>/dev/null; echo still here")
    assert (end.how, end.output) == ("exited", "still here\n")


# Workspaces of all kinds


async def test_a_workspace_of_many_files(box: Box) -> None:
    for number in range(200):
        directory = box.desk.folder / f"d{number}"
        directory.mkdir()
        for name in range(100):
            (directory / f"{name}.txt").touch()
    (box.desk.folder / "d7" / ".env").touch()
    assert await box.says("find . -type f | wc -l") == "20000\n"


async def _until_none(word: str) -> None:
    """Returns when the last process with this word has ended."""
    with anyio.fail_after(PATIENCE_SECONDS):
        while await to_thread.run_sync(processes_with, word):
            await anyio.lowlevel.checkpoint()
