"""A file that somebody saves, moves or takes away at the moment at which we replace it: what he did stands."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from teamwright.protocol.errors import NotPermitted
from teamwright.workspace.files.exact_writes import ExactWrites
from teamwright.workspace.files.safe_files import ContentChanged, Root, hash_of

BASE, OURS, THEIRS = b"base\n", b"ours\n", b"theirs\n"

# Does what it is told, when it is told: one line a deed.
USER = """
import os, sys, time
for line in sys.stdin:
    deed, path, delay = line.split()
    time.sleep(float(delay))
    try:
        if deed == "save":
            with open(path, "wb") as file:
                file.write(b"theirs\\n")
        elif deed == "atomic_save":
            with open(path + "~", "wb") as file:
                file.write(b"theirs\\n")
            os.replace(path + "~", path)
        elif deed == "append":
            with open(path, "r+b") as file:
                file.seek(0, 2)
                file.write(b"theirs\\n")
        elif deed == "delete":
            os.unlink(path)
        elif deed == "rename":
            os.rename(path, path + ".renamed")
        elif deed == "chmod":
            os.chmod(path, 0o640)
        print("done", flush=True)
    except FileNotFoundError:
        print("too late", flush=True)
"""


def what_stands(deed: str, file: Path) -> bool:
    """Whether the end is what the user did, be it before or after ours."""
    renamed = file.with_name(file.name + ".renamed")
    match deed:
        case "save" | "atomic_save":
            return file.read_bytes() == THEIRS
        case "append":
            return file.read_bytes() in {BASE + THEIRS, OURS + THEIRS}
        case "delete":
            return not file.exists()
        case "rename":
            return not file.exists() and renamed.read_bytes() in {BASE, OURS}
        case _:
            return file.stat().st_mode & 0o777 == 0o640 and file.read_bytes() in {BASE, OURS}


def play(directory: Path, seed: int, times: int) -> None:
    chance = random.Random(seed)
    root, exact = Root(directory / "app"), ExactWrites(directory / "state")
    root.path.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", USER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as user:
        assert user.stdin is not None
        assert user.stdout is not None
        for number in range(times):
            file = root.path / f"file{number}"
            file.write_bytes(BASE)
            deed = chance.choice(["save", "atomic_save", "append", "delete", "rename", "chmod"])
            user.stdin.write(f"{deed} {file} {chance.random() / 500}\n")
            try:
                exact.replace(root, (file.name,), OURS, hash_of(BASE))
                outcome = "applied"
            except ContentChanged:
                outcome = "conflicted"
            assert user.stdout.readline() == "done\n"
            assert what_stands(deed, file), (seed, number, deed, outcome)
        user.stdin.close()
    assert [path.name for path in root.path.iterdir() if path.name.startswith(".")] == []


def test_what_a_user_does_meanwhile_stands(tmp_path: Path) -> None:
    play(tmp_path, seed=1, times=300)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_what_a_user_does_meanwhile_stands_in_ten_thousand_cases(tmp_path: Path, seed: int) -> None:
    play(tmp_path, seed, times=1_000)


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "app").mkdir()
    return Root(tmp_path / "app")


@pytest.fixture
def exact(tmp_path: Path) -> ExactWrites:
    return ExactWrites(tmp_path / "state")


def put(root: Root, data: bytes = BASE, mode: int = 0o644) -> Path:
    file = root.path / "file"
    file.write_bytes(data)
    file.chmod(mode)
    return file


def test_a_file_is_made_replaced_and_taken_away(root: Root, exact: ExactWrites) -> None:
    exact.create(root, ("new", "file"), BASE)
    exact.replace(root, ("new", "file"), OURS, hash_of(BASE))
    assert (root.path / "new" / "file").read_bytes() == OURS
    exact.delete(root, ("new", "file"), hash_of(OURS))
    assert list((root.path / "new").iterdir()) == []


STEPS: dict[str, Callable[[ExactWrites, Root], None]] = {
    "create": lambda exact, root: exact.create(root, ("file",), OURS),
    "replace": lambda exact, root: exact.replace(root, ("file",), OURS, hash_of(BASE)),
    "delete": lambda exact, root: exact.delete(root, ("file",), hash_of(BASE)),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_what_is_not_as_expected_stays(
    root: Root, exact: ExactWrites, step: Callable[[ExactWrites, Root], None]
) -> None:
    file = put(root, THEIRS)
    with pytest.raises(ContentChanged):
        step(exact, root)
    assert file.read_bytes() == THEIRS
    assert list(root.path.iterdir()) == [file]


def test_who_still_writes_to_the_old_file_is_not_cut_off(root: Root, exact: ExactWrites) -> None:
    file = put(root)
    with file.open("ab") as writer:
        with pytest.raises(ContentChanged):
            exact.replace(root, ("file",), OURS, hash_of(BASE))
        writer.write(THEIRS)
    assert file.read_bytes() == BASE + THEIRS


def test_mode_owner_and_attributes_are_kept(root: Root, exact: ExactWrites) -> None:
    file = put(root, mode=0o751)
    os.setxattr(file, "user.note", b"mine")
    before = file.stat()
    exact.replace(root, ("file",), OURS, hash_of(BASE))
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert os.getxattr(file, "user.note") == b"mine"


def test_a_file_of_several_names_is_not_torn_apart(root: Root, exact: ExactWrites) -> None:
    file = put(root)
    (root.path / "other").hardlink_to(file)
    with pytest.raises(NotPermitted, match="2 names"):
        exact.replace(root, ("file",), OURS, hash_of(BASE))
    assert (file.read_bytes(), file.stat().st_nlink) == (BASE, 2)


KILLED = """
import os, signal, sys
from pathlib import Path
from teamwright.workspace.files import exact_writes
from teamwright.workspace.files.safe_files import Root, hash_of

def killed(self, *_):
    Path(sys.argv[1], "app", "file").stat()
    os.kill(os.getpid(), signal.SIGKILL)

step = sys.argv[2]
if step == "before":
    exact_writes.exchange = killed
else:
    swap = exact_writes.exchange
    def late(one, other):
        Path(sys.argv[1], "app", "file").write_bytes(b"theirs\\n")
        swap(one, other)
        killed(None)
    exact_writes.exchange = late
exact = exact_writes.ExactWrites(Path(sys.argv[1], "state"))
exact.replace(Root(Path(sys.argv[1], "app")), ("file",), b"ours\\n", hash_of(b"base\\n"))
"""


@pytest.mark.parametrize(("step", "stands"), [("before", BASE), ("after", THEIRS)])
def test_a_process_that_is_killed_leaves_nothing_and_what_was_saved_goes_back(
    root: Root, exact: ExactWrites, tmp_path: Path, step: str, stands: bytes
) -> None:
    file = put(root)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), step], check=False)
    assert killed.returncode < 0
    assert list(root.path.iterdir()) == [file]
    exact.recover()
    assert file.read_bytes() == stands
    assert list(root.path.iterdir()) == [file]
    assert list((tmp_path / "state").iterdir()) == []
