"""A program that swaps a directory for a link out of the root, over and over, never leads us out."""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from teamwright.protocol.errors import NotFound, NotPermitted
from teamwright.workspace.files.safe_files import Root

# A write may make the directory anew while it is parked; then that one gives way.
SWAPPER = """
import os, shutil, sys
os.chdir(sys.argv[1])

def put(source, make):
    while True:
        try:
            return make(source, "root/inside")
        except OSError:
            shutil.rmtree("root/inside", ignore_errors=True)

print("swapping", flush=True)
while True:
    os.rename("root/inside", "parked")
    put("../outside", os.symlink)
    os.unlink("root/inside")
    put("parked", os.rename)
"""
DEADLINE_SECONDS = 60
ENOUGH = 300
ENOUGH_WRITES = 50  # each one waits for the disk


@contextmanager
def swapping(directory: Path) -> Generator[None]:
    with subprocess.Popen([sys.executable, "-c", SWAPPER, str(directory)], stdout=subprocess.PIPE) as swapper:
        try:
            assert swapper.stdout is not None
            swapper.stdout.readline()
            yield
        finally:
            swapper.kill()


@pytest.fixture
def root(tmp_path: Path) -> Root:
    for place in ("outside", "root/inside"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "file").write_text(place, encoding="utf-8")
    return Root(tmp_path / "root")


def test_reading_never_leaves_the_root(root: Root) -> None:
    seen: Counter[str] = Counter()
    deadline = time.monotonic() + DEADLINE_SECONDS
    with swapping(root.path.parent):
        while (seen["root/inside"] < ENOUGH or seen["refused"] < ENOUGH) and time.monotonic() < deadline:
            try:
                seen[root.read(("inside", "file")).decode()] += 1
            except (NotPermitted, NotFound):
                seen["refused"] += 1
    assert seen["outside"] == 0
    assert seen["root/inside"] >= ENOUGH
    assert seen["refused"] >= ENOUGH


def test_writing_never_leaves_the_root(root: Root) -> None:
    seen: Counter[str] = Counter()
    deadline = time.monotonic() + DEADLINE_SECONDS
    with swapping(root.path.parent):
        while (seen["written"] < ENOUGH_WRITES or seen["refused"] < ENOUGH_WRITES) and time.monotonic() < deadline:
            try:
                root.write(("inside", "file"), b"mine")
                seen["written"] += 1
            except (NotPermitted, NotFound):
                seen["refused"] += 1
    outside = root.path.parent / "outside"
    assert [path.name for path in outside.iterdir()] == ["file"]
    assert (outside / "file").read_text(encoding="utf-8") == "outside"
    assert seen["written"] >= ENOUGH_WRITES
    assert seen["refused"] >= ENOUGH_WRITES
