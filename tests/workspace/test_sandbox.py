"""What a command can do in its box, what it cannot reach, and that it takes nothing along when it runs wild."""

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import anyio
import pytest

from teamwright.protocol.errors import NotPermitted
from teamwright.workspace.copies import sandbox
from teamwright.workspace.copies.availability import Available
from tests.workspace.boxes import Box, files_below, sandbox_tree
from tests.workspace.desk import Desk

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("bubblewrap")]


async def test_this_kind_of_machine_has_overlays(box: Box) -> None:
    assert sandbox.availability() == Available("overlay")


# What it sees


async def test_a_command_works_on_a_copy_at_the_workspaces_own_path(any_box: Box) -> None:
    any_box.desk.put("src/a.py", "a\n")
    any_box.desk.put("b.py", "b\n")
    before = files_below(any_box.desk.folder)
    script = "pwd; cat src/a.py; echo changed > src/a.py; rm b.py; rm -r src; mkdir src; ls -A . src"
    said = await any_box.says(script)
    assert said == f"{any_box.desk.folder}\na\n.:\nsrc\n\nsrc:\n"
    assert files_below(any_box.desk.folder) == before
    assert await any_box.says("cat src/a.py b.py") == "a\nb\n"


async def test_unsaved_text_is_in_it(any_box: Box) -> None:
    any_box.desk.put("a.py", "saved\n")
    any_box.desk.edit("a.py", "typed\n")
    any_box.desk.edit("new.py", "not saved yet\n")
    assert await any_box.says("cat a.py new.py") == "typed\nnot saved yet\n"


async def test_closed_files_are_not_there(any_box: Box) -> None:
    desk = any_box.desk
    for path in (".env", "deep/down/.env.local", "tls/server.key", ".ssh/id_ed25519", "ok.py"):
        desk.put(path, "content\n")
    desk.edit(".env", "typed secret")
    found = await any_box.says("find . -type f | sort")
    assert found == "./ok.py\n"
    needed = await any_box.says("cat .env; find . -type f | sort", needs=(desk.folder / ".env",))
    assert needed == "content\n./.env\n./ok.py\n"


@pytest.mark.parametrize("mark", ["pyvenv.cfg", "conda-meta/history", "package.json", "node_modules/x/package.json"])
async def test_no_file_of_a_folder_opens_the_closed_ones_beside_it(any_box: Box, mark: str) -> None:
    """Whoever sends a pull request decides which files there are; the secrets are the user's."""
    for path in (mark, f"deep/{mark}", ".env", "deep/.env", "deep/down/id_rsa"):
        any_box.desk.put(path, "content\n")
    assert await any_box.says("find . -name '.env' -o -name id_rsa") == ""


async def test_certificates_of_installed_packages_are_there(box: Box) -> None:
    box.desk.put("node_modules/tls/ca.pem", "certificate\n")
    box.desk.put("own/pyvenv.cfg", "")
    box.desk.put("own/lib/python3/site-packages/certifi/cacert.pem", "certificate\n")
    assert await box.says("cat node_modules/tls/ca.pem own/lib/python3/site-packages/certifi/cacert.pem") == (
        "certificate\ncertificate\n"
    )


async def test_a_report_is_brought_out_and_a_link_in_its_place_is_not_followed(any_box: Box) -> None:
    folder = any_box.desk.folder
    wanted = (folder / "out" / "report.xml", folder / "leak", folder / "missing")
    end = await any_box.shell("mkdir out; printf '<x/>' > out/report.xml; ln -s /etc/passwd leak", wanted=wanted)
    assert end.files == {folder / "out" / "report.xml": b"<x/>"}
    assert not (folder / "out").exists()


async def test_output_is_told_as_it_comes(box: Box) -> None:
    with sandbox_tree(box) as (tree, folder):
        told: list[str] = []
        command = sandbox.SandboxedCommand(("sh", "-c", "echo one; echo two >&2"), folder, tree)
        end = await sandbox.run(command, told.append)
    assert "".join(told) == end.output == "one\ntwo\n"


# What it cannot reach


async def test_the_home_is_not_there(any_box: Box, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home, real_home = tmp_path / "home", Path.home()
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_rsa").write_text("key", encoding="utf-8")
    (home / "notes.txt").write_text("private", encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SOME_API_KEY", "secret")
    looked = f"ls -A {home} {real_home} /home; env; echo ~; cat /etc/shadow /proc/1/environ"
    said = await any_box.says(f"({looked}) 2>/dev/null; true")
    assert "id_rsa" not in said
    assert "notes.txt" not in said
    assert "secret" not in said
    assert "/tmp/home" in said
    assert not any(line.startswith("root:") for line in said.splitlines())


async def test_no_sign_ins_are_shown_with_the_programs_beside_them(
    any_box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not below /tmp, which the box has of its own.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as directory:
        home = Path(directory)
        node, python, tools = home / ".nvm/versions/node/v20", home / ".pyenv/versions/3.12.0", home / "work/tools"
        files = {
            node / "bin/node": "program",
            node / "lib/node_modules/.keep": "",
            node / "etc/npmrc": "secret",
            python / "bin/python3": "program",
            python / "lib/python3.12/os.py": "",
            python / "pip.conf": "secret",
            python / ".pypirc": "secret",
            tools / "bin/tool": "program",
            tools / "lib/tool.txt": "part",
            tools / ".env": "secret",
            tools / ".git/config": "secret",
            home / ".cargo/bin/cargo": "program",
            home / ".cargo/credentials.toml": "secret",
            home / ".cargo/registry/index": "part",
            home / ".pyenv/shims/python": "shim",
            home / ".pypirc": "secret",
        }
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            path.chmod(0o755)
        monkeypatch.setenv("HOME", str(home))
        programs = (node / "bin", tools / "bin", home / ".cargo/bin", home / ".pyenv/shims")
        monkeypatch.setenv("PATH", os.pathsep.join([*map(str, programs), os.environ["PATH"]]))
        said = await any_box.says(f"find {home} -type f -exec cat {{}} +; echo; find {home} -name config")
    assert said.count("program") == 4
    assert "secret" not in said
    assert "config" not in said


async def test_the_network_is_not_there(any_box: Box) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        connect = f"exec 3<>/dev/tcp/{host}/{port} && echo connected"
        outside = await anyio.run_process(["bash", "-c", connect])
        inside = await any_box.run("bash", "-c", connect)
    assert outside.stdout == b"connected\n"
    assert (inside.exit_code, "refused" in inside.output or "unreachable" in inside.output) == (1, True)


async def test_nothing_outside_the_copy_can_be_written(any_box: Box, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("as it was", encoding="utf-8")
    any_box.desk.folder.joinpath("link").symlink_to(outside)
    places = [str(outside), "/etc/passwd", "/usr/new", "/new", "/opt/new", "link"]
    script = "; ".join(f"(echo x >> {place}) 2>/dev/null && echo wrote {place}" for place in places)
    said = await any_box.says(f"{script}; echo own > /tmp/own && cat /tmp/own")
    # The link leads to a path that exists nowhere but in the box.
    assert {line for line in said.splitlines() if line not in {"wrote link", f"wrote {outside}"}} == {"own"}
    assert outside.read_text(encoding="utf-8") == "as it was"


async def test_other_processes_are_not_seen(box: Box) -> None:
    said = await box.says("for each in /proc/[0-9]*; do cat $each/comm; done")
    assert set(said.split()) <= {"bwrap", "sh", "cat"}


async def test_links_out_lead_nowhere(any_box: Box, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    any_box.desk.folder.joinpath("out").symlink_to(secret)
    any_box.desk.folder.joinpath("up").symlink_to("../secret.txt")
    any_box.desk.put("a.txt", "a\n")
    any_box.desk.folder.joinpath("in").symlink_to("a.txt")
    assert await any_box.says("cat in; cat out up 2>/dev/null; true") == "a\n"


async def test_a_file_that_the_user_may_not_read_is_closed_to_the_command(any_box: Box) -> None:
    any_box.desk.put("closed.txt", "secret").chmod(0)
    any_box.desk.put("open.txt", "open\n")
    end = await any_box.shell("cat open.txt closed.txt")
    assert end.exit_code == 1
    assert end.output.startswith("open\n")
    assert "secret" not in end.output


# What it cannot use up


async def test_git_can_be_asked_and_cannot_change_the_repository(any_box: Box) -> None:
    _repository(any_box.desk.folder)
    before = files_below(any_box.desk.folder)
    asked = "git status --short; git diff --stat; git log --format=%s; git config --get remote.origin.url"
    assert await any_box.says(f"echo more >> a.txt; {asked}") == (
        " M a.txt\n a.txt | 1 +\n 1 file changed, 1 insertion(+)\nfirst\nhttps://example.com/r.git\n"
    )
    await any_box.shell("git commit -aqm second; git branch -D main; rm -rf .git/objects; git gc -q")
    assert files_below(any_box.desk.folder) == before
    end = await any_box.shell("cat .git/config; git config --list")
    assert "token" not in end.output


async def test_a_working_tree_of_a_repository_elsewhere(any_box: Box, tmp_path: Path) -> None:
    main = tmp_path / "main"
    main.mkdir()
    _repository(main)
    any_box.desk.folder.rmdir()
    _git(main, "worktree", "add", "-q", "-b", "other", str(any_box.desk.folder))
    before = files_below(main)
    said = await any_box.says("echo more >> a.txt; git status --short; git branch --show-current; git config --list")
    assert said.startswith(" M a.txt\nother\n")
    assert "token" not in said
    assert files_below(main) == before
    assert await any_box.says(f"cat {main}/a.txt 2>/dev/null || echo unseen") == "unseen\n"


async def test_a_repository_that_knows_nothing_of_the_folder_is_not_there(any_box: Box, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    _repository(other)
    own = any_box.desk.folder / "own"
    own.mkdir()
    any_box.desk.put(".git", "gitdir: own\n")
    any_box.desk.put("own/gitdir", f"{any_box.desk.folder}/.git\n")
    any_box.desk.put("own/commondir", f"{other}/.git\n")
    any_box.desk.put("own/HEAD", "ref: refs/heads/main\n")
    assert await any_box.says(f"ls {other}/.git 2>/dev/null || git log 2>/dev/null || echo unseen") == "unseen\n"


async def test_objects_that_a_repository_borrows_are_there_if_the_user_says_so(any_box: Box) -> None:
    """Nothing in the lender says who may borrow: a folder could name anybody's."""
    # Not below /tmp, which the box has of its own.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as directory:
        lender = Path(directory)
        _repository(lender)
        any_box.desk.folder.rmdir()
        _git(lender, "clone", "-q", "--shared", ".", str(any_box.desk.folder))
        unseen = await any_box.shell("git log --format=%s")
        seen = await any_box.says(
            "echo more >> a.txt; git log --format=%s; git status --short", toolchains=(lender / ".git/objects",)
        )
    assert (unseen.exit_code != 0, "first" in unseen.output) == (True, False)
    assert seen == "first\n M a.txt\n"


async def test_a_submodule(any_box: Box, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    _repository(inner)
    _repository(any_box.desk.folder)
    _git(any_box.desk.folder, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "part")
    assert await any_box.says("echo x >> part/a.txt; git -C part status --short; git -C part log --format=%s") == (
        " M a.txt\nfirst\n"
    )


async def test_a_python_project_with_a_virtual_environment_is_tested_in_the_copy(any_box: Box) -> None:
    desk = any_box.desk
    desk.put("src/shop/__init__.py", "PRICE = 1\n")
    await anyio.run_process(["python3", "-m", "venv", "--without-pip", str(desk.folder / ".venv")])
    packages = next((desk.folder / ".venv" / "lib").glob("python3*/site-packages"))
    # What an editable install leaves.
    (packages / "__editable__.shop-1.pth").write_text(f"{desk.folder}/src\n", encoding="utf-8")
    desk.put(".gitignore", ".venv/\n")
    script = (
        "echo 'PRICE = 2' > src/shop/__init__.py; cd /tmp; "
        "python -c 'import shop, sys; print(shop.PRICE, shop.__file__, sys.prefix)'"
    )
    assert await any_box.says(script) == f"2 {desk.folder}/src/shop/__init__.py {desk.folder}/.venv\n"
    assert desk.folder.joinpath("src/shop/__init__.py").read_text(encoding="utf-8") == "PRICE = 1\n"


async def test_a_python_project_without_one(any_box: Box) -> None:
    any_box.desk.put("test_sum.py", "import unittest\nclass T(unittest.TestCase):\n    def test(self): pass\n")
    end = await any_box.run("python3", "-m", "unittest")
    assert (end.exit_code, "Ran 1 test" in end.output) == (0, True)


async def test_a_node_project(any_box: Box) -> None:
    desk = any_box.desk
    desk.put(".gitignore", "node_modules/\n")
    desk.put("node_modules/left/index.js", "module.exports = (text) => text.padStart(3)\n")
    tool = desk.put("node_modules/left/cli.js", '#!/usr/bin/env node\nconsole.log("tool")\n')
    tool.chmod(0o755)
    (desk.folder / "node_modules" / ".bin").mkdir()
    (desk.folder / "node_modules" / ".bin" / "left").symlink_to("../left/cli.js")
    desk.put("package.json", '{"scripts": {"test": "left && node -p \\"require(\'left\')(\'x\')\\""}}')
    assert await any_box.says("npm test --silent") == "tool\n  x\n"
    assert await any_box.says("left") == "tool\n"


async def test_a_makefile(any_box: Box) -> None:
    any_box.desk.put("Makefile", "check:\n\t@echo checked > out; cat out\n")
    assert await any_box.says("make check") == "checked\n"


async def test_a_folder_inside_another_and_a_path_with_odd_characters(desk: Desk, tmp_path: Path) -> None:
    odd = tmp_path / "a,b:c\\d e"
    odd.mkdir()
    (odd / "x").write_text("odd\n", encoding="utf-8")
    inner = desk.folder / "inner"
    inner.mkdir()
    (inner / "y").write_text("inner\n", encoding="utf-8")
    desk.folders = type(desk.folders).at(desk.folder, inner, odd)
    assert (
        await Box(desk).says(f"cat inner/y; cat '{odd}/x'; echo x >> inner/y; cat inner/y") == "inner\nodd\ninner\nx\n"
    )


# Where it cannot be


async def test_a_full_disk_is_told_in_a_sentence(desk: Desk, tmp_path: Path) -> None:
    desk.put("large.bin", b"x" * 1_000_000)
    room = tmp_path / "room"
    room.mkdir()
    script = (
        "import anyio; from pathlib import Path\n"
        "from teamwright.protocol.errors import UserError\n"
        "from teamwright.workspace.copies import sandbox\n"
        "from teamwright.workspace.copies.trees import Tree, TreeFolder\n"
        "sandbox.availability = lambda _: sandbox.Available('copy')\n"
        f"folder = Path({str(desk.folder)!r})\n"
        f"tree = Tree(Path({str(room)!r}), (TreeFolder(folder, folder),))\n"
        "command = sandbox.SandboxedCommand(('true',), folder, tree)\n"
        "try: anyio.run(sandbox.run, command)\n"
        "except UserError as error: print(error.message)\n"
    )
    small = f'mount -t tmpfs -o size=200k none "{room}" && exec "$0" "$@"'
    argv = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", small, sys.executable, "-c", script]
    told = await anyio.run_process(argv)
    assert told.stdout.decode() == (
        "There is no room left on the disk for a working copy; free some space and try again.\n"
    )


async def test_a_command_needs_a_folder_of_the_workspace(box: Box) -> None:
    with pytest.raises(NotPermitted, match="is in no folder of the workspace"):
        await box.run("ls", cwd="..")


def _git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, timeout=100, capture_output=True)


def _repository(folder: Path) -> None:
    _git(folder, "init", "-q")
    _git(folder, "remote", "add", "origin", "https://user:token@example.com/r.git")
    _git(folder, "config", "http.extraheader", "Authorization: token")
    (folder / "a.txt").write_text("a\n", encoding="utf-8")
    _git(folder, "add", ".")
    _git(folder, "commit", "-qm", "first")
