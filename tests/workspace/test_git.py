"""Facts of a repository, and that nothing in it is ever run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketListener

from teamwright.permissions.paths import WorkspacePath
from teamwright.permissions.rules import Rules, whole_workspace
from teamwright.protocol.errors import BadParams, LimitReached, NotFound, NotPermitted
from teamwright.workspace.git.diff import RepositoryDiff, diff_since
from teamwright.workspace.git.repository import Repository
from teamwright.workspace.programs import Output, run_program
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


async def test_no_name_of_a_filter_escapes(repository: Desk, tmp_path: Path) -> None:
    """Names that are no text, that are too many to be listed, that come by way of an include or the user's own file."""
    folder, proof = repository.folder, tmp_path / "it ran"
    trap = f"sh -c 'touch {proof}; cat'"
    config = folder / ".git" / "config"
    odd = b"".join(b'[filter "%d"]\n\tclean = cat\n' % number for number in range(20_000))
    named = b'[filter "tr\xffap"]\n\tclean = %s\n[filter "a=b"]\n\tclean = %s\n' % ((trap.encode(),) * 2)
    config.write_bytes(config.read_bytes() + odd + named + b"[include]\n\tpath = ../more\n")
    (folder / "more").write_text(f'[filter "more"]\n\tclean = {trap}\n\trequired = true\n', encoding="utf-8")
    for number, driver in enumerate([b"tr\xffap", b"a=b", b"more"]):
        (folder / ".gitattributes").write_bytes(b"* filter=%s\n" % driver)
        repository.put("a.py", f"changed {number}\n")
        os.utime(folder / "src" / "b.py", (number + 1, number + 1))
        assert "a.py" in (await diff(repository)).files
        assert not proof.exists()


async def test_the_users_own_filters_are_not_run_for_a_repository_either(
    repository: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof, own = tmp_path / "it ran", tmp_path / "gitconfig"
    ignored = tmp_path / "ignored"
    ignored.write_text("*.tmp\n", encoding="utf-8")
    named = f"[core]\n\texcludesFile = {ignored}\n"
    own.write_text(f'{named}[filter "mine"]\n\tclean = sh -c "touch {proof}; cat"\n', encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    repository.put(".gitattributes", "* filter=mine\n")
    repository.put("a.py", "changed\n")
    repository.put("b.tmp", "never worth a look\n")
    assert (await diff(repository)).files == (".gitattributes", "a.py")
    assert not proof.exists()


async def test_git_is_given_no_keys(repository: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, told = shutil.which("git"), tmp_path / "told"
    (tmp_path / "programs").mkdir()
    spy = tmp_path / "programs" / "git"
    spy.write_text(f"#!/bin/sh\nenv >> '{told}'\nexec '{real}' \"$@\"\n", encoding="utf-8")
    spy.chmod(0o755)
    repository.put("a.py", "changed\n")
    monkeypatch.setenv("PATH", f"{spy.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    assert (await diff(repository)).files == ("a.py",)
    assert "PATH=" in told.read_text(encoding="utf-8")
    assert "sk-secret" not in told.read_text(encoding="utf-8")
    assert not (tmp_path / "trace").exists()


async def test_a_pointer_to_another_repository_is_not_followed(repository: Desk, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    git(victim, "init", "-q")
    (victim / "secret.py").write_text("secret\n", encoding="utf-8")
    git(victim, "add", "-A")
    git(victim, "commit", "-q", "-m", "A secret")
    git(victim, "gc", "-q")
    ways = (
        _as_file, _as_link, _as_objects, _as_alternates, _as_working_tree, _as_packs, _as_single_packs, _as_index,
    )  # fmt: skip
    for make in ways:
        folder = tmp_path / make.__name__
        folder.mkdir()
        make(victim / ".git", folder / ".git")
        with pytest.raises(NotPermitted):
            await Repository(folder).log()


def _as_file(victim: Path, at: Path) -> None:
    at.write_text(f"gitdir: {victim}\n", encoding="utf-8")


def _as_link(victim: Path, at: Path) -> None:
    at.symlink_to(victim)


def _as_objects(victim: Path, at: Path) -> None:
    git(at.parent, "init", "-q")
    shutil.rmtree(at / "objects")
    (at / "objects").symlink_to(victim / "objects")


def _as_alternates(victim: Path, at: Path) -> None:
    git(at.parent, "init", "-q")
    (at / "objects" / "info" / "alternates").write_text(f"{victim / 'objects'}\n", encoding="utf-8")


def _as_working_tree(victim: Path, at: Path) -> None:
    """One that says itself where it belongs: its own directory is forged together with the pointer."""
    own = at.parent / "own"
    own.mkdir()
    at.write_text("gitdir: own\n", encoding="utf-8")
    (own / "gitdir").write_text(f"{at}\n", encoding="utf-8")
    (own / "commondir").write_text(f"{victim}\n", encoding="utf-8")
    shutil.copy(victim / "HEAD", own / "HEAD")


def _as_packs(victim: Path, at: Path) -> None:
    git(at.parent, "init", "-q")
    shutil.copy(victim / "packed-refs", at / "packed-refs")
    (at / "objects" / "pack").rmdir()
    (at / "objects" / "pack").symlink_to(victim / "objects" / "pack")


def _as_single_packs(victim: Path, at: Path) -> None:
    git(at.parent, "init", "-q")
    shutil.copy(victim / "packed-refs", at / "packed-refs")
    for pack in (victim / "objects" / "pack").iterdir():
        (at / "objects" / "pack" / pack.name).symlink_to(pack)


def _as_index(victim: Path, at: Path) -> None:
    git(at.parent, "init", "-q")
    git(at.parent, "commit", "-q", "--allow-empty", "-m", "Ours")
    (at / "index").unlink(missing_ok=True)
    (at / "index").symlink_to(victim / "index")


async def test_working_trees_and_submodules_that_their_repository_knows_are_read(
    repository: Desk, tmp_path: Path
) -> None:
    git(repository.folder, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert [commit.author for commit in await Repository(tmp_path / "tree").log()] == ["Ada"]
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repository.folder), "inner")
    assert [commit.author for commit in await Repository(outer / "inner").log()] == ["Ada"]


async def test_a_repository_with_long_names_is_read(desk: Desk) -> None:
    git(desk.folder, "init", "-q", "--object-format=sha256")
    desk.put("a.py", "one\n")
    git(desk.folder, "add", "-A")
    git(desk.folder, "commit", "-q", "-m", "First")
    desk.put("a.py", "two\n")
    assert (await diff(desk)).files == ("a.py",)


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
