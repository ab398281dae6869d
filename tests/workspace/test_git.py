"""Facts of a repository, and that nothing in it is ever run."""

import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketListener

from quorate.permissions.paths import WorkspacePath
from quorate.permissions.rules import Rules, whole_workspace
from quorate.protocol.errors import BadParams, LimitReached, NotFound
from quorate.workspace.git import Repository
from quorate.workspace.programs import Output, run_program
from quorate.workspace.repository_diff import RepositoryDiff, diff_since
from tests.workspace.desk import Desk

pytestmark = pytest.mark.asyncio
APP = WorkspacePath("app")


def git(folder: Path, *arguments: str, must_succeed: bool = True) -> str:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *arguments], cwd=folder, check=must_succeed, capture_output=True, timeout=60)
    return done.stdout.decode()


@pytest.fixture
def repository(desk: Desk) -> Desk:
    git(desk.folder, "init", "-q", "-b", "main")
    desk.put("a.py", "one\ntwo\n")
    desk.put("src/b.py", "b\n")
    desk.put("gone.py", "gone\n")
    desk.put("image.png", b"\x00")
    desk.put(".env", "KEY=1\n")
    git(desk.folder, "add", "-A")
    git(desk.folder, "commit", "-q", "-m", "First\n\nWith a body.")
    return desk


async def diff(desk: Desk, start: WorkspacePath = APP, base: str = "HEAD") -> RepositoryDiff:
    places = desk.live.folders.places
    return await diff_since(desk.live, Rules("assistant", places, whole_workspace(places)), start, base)


async def test_the_log_tells_who_did_what(repository: Desk) -> None:
    repository.put("src/b.py", "bb\n")
    git(repository.folder, "commit", "-q", "-a", "-m", "Second")
    log = await Repository(repository.folder).log()
    assert [(commit.author, commit.message) for commit in log] == [("Ada", "Second"), ("Ada", "First\n\nWith a body.")]
    assert log[0].revision == git(repository.folder, "rev-parse", "HEAD").strip()
    assert [commit.message for commit in await Repository(repository.folder).log(parts=("a.py",))] == [log[1].message]
    assert len(await Repository(repository.folder).log(limit=1)) == 1


async def test_a_diff_is_against_what_the_editor_shows(repository: Desk) -> None:
    repository.put("new.py", "new\n")
    repository.put("image.png", b"\x00\x01")
    repository.put(".env", "KEY=2\n")
    (repository.folder / "gone.py").unlink()
    repository.edit("a.py", "one\nTWO\n")
    repository.edit("unsaved.py", "unsaved\n")
    expected = (
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n"
        "--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"
        "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+new\n"
        "--- /dev/null\n+++ b/unsaved.py\n@@ -0,0 +1 @@\n+unsaved\n"
    )
    assert await diff(repository) == RepositoryDiff(expected, ("a.py", "gone.py", "new.py", "unsaved.py"))


async def test_files_that_only_look_changed_are_not(repository: Desk) -> None:
    repository.put("a.py", "one\r\ntwo\r\n")
    os.utime(repository.folder / "src" / "b.py", (1, 1))
    repository.edit("gone.py", "gone\n")
    assert await diff(repository) == RepositoryDiff("", ())


async def test_a_diff_can_be_narrowed_and_can_start_where_histories_part(repository: Desk) -> None:
    git(repository.folder, "checkout", "-q", "-b", "topic")
    repository.put("src/b.py", "topic\n")
    git(repository.folder, "commit", "-q", "-a", "-m", "Topic")
    git(repository.folder, "checkout", "-q", "main")
    repository.put("a.py", "main\n")
    git(repository.folder, "commit", "-q", "-a", "-m", "Main")
    git(repository.folder, "checkout", "-q", "topic")
    assert (await diff(repository, base="main")).files == ("a.py", "src/b.py")
    assert (await diff(repository, base="main...")).files == ("src/b.py",)
    assert (await diff(repository, repository.path("a.py"), base="main")).files == ("a.py",)
    assert await Repository(repository.folder).show("main", ("a.py",)) == b"main\n"


async def test_a_folder_below_the_repositorys_top_has_its_own_paths(repository: Desk) -> None:
    repository.put("src/b.py", "changed\n")
    repository.put("a.py", "changed\n")
    below = Repository(repository.folder / "src")
    candidates = await below.candidates(await below.commit("HEAD"))
    assert [file.parts for file in candidates] == [("b.py",)]
    assert await below.show("HEAD", ("b.py",)) == b"b\n"


@pytest.mark.parametrize("base", ["--output=x", "-p", "HEAD:a.py", "a b", "", ":/First", "HEAD\n", "..."])
async def test_only_names_of_revisions_reach_git(repository: Desk, base: str) -> None:
    with pytest.raises(BadParams):
        await Repository(repository.folder).commit(base)


async def test_what_is_missing_is_said_plainly(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotFound, match="git has no repository here"):
        await Repository(desk.folder).log()
    git(desk.folder, "init", "-q")
    with pytest.raises(NotFound, match="no commit yet"):
        await Repository(desk.folder).log()
    desk.put("a.py")
    git(desk.folder, "add", "-A")
    git(desk.folder, "commit", "-q", "-m", "First")
    with pytest.raises(NotFound, match="no revision `nowhere`"):
        await Repository(desk.folder).commit("nowhere")
    with pytest.raises(NotFound, match=r"`b\.py` is not in `HEAD`"):
        await Repository(desk.folder).show("HEAD", ("b.py",))
    monkeypatch.setenv("PATH", str(desk.folder))
    desk.put("git").chmod(0o755)
    with pytest.raises(NotFound, match="git was not found"):
        await Repository(desk.folder).log()


async def test_nothing_that_the_repository_configures_is_run(repository: Desk, tmp_path: Path) -> None:
    folder, proof = repository.folder, tmp_path / "it ran"
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{proof}'\ncat\n", encoding="utf-8")
    trap.chmod(0o755)
    for key in (
        "core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.askPass", "diff.external",
        "diff.trap.textconv", "diff.trap.command", "filter.trap.clean", "filter.trap.smudge", "filter.trap.process",
        "gpg.program", "credential.helper", "pager.log", "pager.diff", "core.alternateRefsCommand",
    ):  # fmt: skip
        git(folder, "config", key, str(trap))
    git(folder, "config", "log.showSignature", "true")
    git(folder, "config", "filter.trap.required", "true")
    git(folder, "config", "core.hooksPath", str(tmp_path))
    for hook in ("post-index-change", "reference-transaction", "pre-auto-gc"):
        (tmp_path / hook).write_bytes(trap.read_bytes())
        (tmp_path / hook).chmod(0o755)
    repository.put(".gitattributes", "* filter=trap diff=trap\n")
    repository.put("a.py", "changed\n")
    os.utime(folder / "src" / "b.py", (1, 1))
    proof.unlink(missing_ok=True)
    index = (folder / ".git" / "index").read_bytes()

    reading = Repository(folder)
    assert len(await reading.log()) == 1
    assert (await diff(repository)).files == (".gitattributes", "a.py")
    assert await reading.show("HEAD", ("a.py",)) == b"one\ntwo\n"

    assert not proof.exists()
    assert (folder / ".git" / "index").read_bytes() == index
    git(folder, "diff", must_succeed=False)
    assert proof.exists(), "the trap works, or this test proves nothing"


async def run(program: str, *, seconds: float = 60, most_bytes: int = 100, stdin: bytes = b"") -> Output:
    argv = [sys.executable, "-c", program]
    return await run_program(
        argv, cwd=Path.cwd(), env=dict(os.environ), seconds=seconds, most_bytes=most_bytes, stdin=stdin
    )


async def test_a_programs_output_is_bounded() -> None:
    assert await run("print('x' * 99)") == Output(0, b"x" * 99 + b"\n", "", truncated=False)
    endless = await run("while True: print('x' * 1000)")
    assert (endless.stdout, endless.truncated) == (b"x" * 100, True)


async def test_a_program_gets_its_input_and_reports_its_failure() -> None:
    echo = "import sys; sys.stdout.write(sys.stdin.read()); sys.exit('failed')"
    assert await run(echo, stdin=b"hello") == Output(1, b"hello", "failed\n", truncated=False)


async def test_a_program_that_takes_too_long_ends_with_its_children(tmp_path: Path) -> None:
    """The program's child keeps a connection open for as long as it lives."""
    child = tmp_path / "child.py"
    child.write_text(
        "import socket, sys\n"
        "connection = socket.socket(socket.AF_UNIX)\n"
        "connection.connect(sys.argv[1])\n"
        "connection.sendall(b'up')\n"
        "connection.recv(1)\n",
        encoding="utf-8",
    )
    argv = [str(child), str(tmp_path / "socket")]
    program = f"import subprocess, sys; subprocess.run([sys.executable, *{argv!r}])"
    heard: list[bytes] = []

    async def listen(listener: SocketListener) -> None:
        async with await listener.accept() as connection:
            heard.extend([data async for data in connection])

    async with await anyio.create_unix_listener(tmp_path / "socket") as listener:
        with anyio.fail_after(60):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(listen, listener)
                with pytest.raises(LimitReached, match="took longer than 5 seconds"):
                    await run(program, seconds=5)
    assert heard == [b"up"]
