"""The plan comes on the input, frames go out on the output.

Whatever ends the server ends this process, and whatever ends this process ends the command with all that it started.
"""

import json
import os
import stat
import sys
from collections.abc import Iterator
from typing import Final

from teamwright.workspace.copies.confined.control_groups import ControlGroups
from teamwright.workspace.copies.confined.copied_tree import CopiedTree
from teamwright.workspace.copies.confined.overlay_tree import OverlayTree
from teamwright.workspace.copies.confined.plan import (
    FAULT,
    FILE,
    FILE_NAME,
    FRAME_HEAD,
    OUTPUT,
    RESULT,
    CommandPlan,
    CommandReport,
)
from teamwright.workspace.copies.confined.system_calls import Fault, end_with_parent
from teamwright.workspace.copies.confined.watch import CommandWatch

_MOST_WANTED_BYTES: Final = 32_000_000
# Beside the folders, in the same bounded room.
_TEMPORARY: Final = ("tmp", "tmp/home", "shm")


def main() -> None:
    end_with_parent()
    plan: CommandPlan = json.load(sys.stdin.buffer)
    if os.getppid() != plan["parent"]:
        return
    try:
        _carry_out(plan)
    except Fault as fault:
        _send(FAULT, json.dumps(fault.report).encode())
    except OSError as error:
        _send(FAULT, json.dumps(Fault("unexpected", error).report).encode())


def _carry_out(plan: CommandPlan) -> None:
    tree = OverlayTree(plan) if plan["overlay"] else CopiedTree(plan)
    groups = ControlGroups(plan["limits"])
    try:
        tree.build()
        for name in _TEMPORARY:
            os.mkdir(f"{tree.place}/{name}")
        report = CommandReport(how="exited", code=0, seconds=0.0, left_out=0, changes=[])
        if plan["argv"]:
            _require_directory(plan, tree)
            watch = CommandWatch(plan["limits"], tree, groups, lambda data: _send(OUTPUT, data))
            report = watch.run(lambda info: _words(plan, tree, info))
    finally:
        groups.remove()
    for name, data in _wanted(plan, tree):
        _send(FILE_NAME, name.encode())
        _send(FILE, data)
    # What was broken off by a limit has left nothing worth keeping; time that is up is no reason to lose work.
    if report["how"] in {"exited", "timed_out"}:
        report["changes"] = tree.keep()
    _send(RESULT, json.dumps(report).encode())


def _require_directory(plan: CommandPlan, tree: OverlayTree | CopiedTree) -> None:
    """Not through a link that leads out of the tree: inside there may be nothing at its end."""
    for folder, source in zip(plan["folders"], tree.sources, strict=True):
        inside, cwd = folder["inside"], plan["cwd"]
        if cwd == inside or cwd.startswith(f"{inside}/"):
            try:
                os.listdir(source + cwd.removeprefix(inside))
            except OSError as error:
                raise Fault("cwd", error) from error


def _words(plan: CommandPlan, tree: OverlayTree | CopiedTree, info: int) -> list[str]:
    if not plan["bubblewrap"]:
        return _unconfined_words(plan, tree)
    words = [*plan["bubblewrap"], "--info-fd", str(info)]
    words += ["--bind", f"{tree.place}/tmp", "/tmp", "--bind", f"{tree.place}/shm", "/dev/shm"]  # noqa: S108 - inside
    folders = zip(plan["folders"], tree.sources, strict=True)
    # What lies inside another folder is mounted after it.
    for folder, source in sorted(folders, key=lambda each: len(each[0]["inside"])):
        words += ["--bind", source, folder["inside"]]
        if not plan["overlay"]:
            for path in folder["shared"]:
                words += ["--ro-bind", f"{folder['path']}/{path}", f"{folder['inside']}/{path}"]
    return [*words, *plan["over"], "--remount-ro", "/", "--chdir", plan["cwd"], "--", *plan["argv"]]


def _unconfined_words(plan: CommandPlan, tree: OverlayTree | CopiedTree) -> list[str]:
    """In the copy, where it lies."""
    places = {folder["inside"]: source for folder, source in zip(plan["folders"], tree.sources, strict=True)}
    cwd = next(
        places[inside] + plan["cwd"].removeprefix(inside)
        for inside in sorted(places, key=len, reverse=True)
        if plan["cwd"] == inside or plan["cwd"].startswith(f"{inside}/")
    )
    told = [f"{name}={places.get(value, value)}" for name, value in plan["environment"].items()]
    return ["/usr/bin/env", "-i", *told, "/bin/sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", cwd, *plan["argv"]]


def _wanted(plan: CommandPlan, tree: OverlayTree | CopiedTree) -> Iterator[tuple[str, bytes]]:
    for name, number, path in plan["wanted"]:
        try:
            descriptor = _opened_below(tree.sources[number], path)
        except OSError:
            continue
        with os.fdopen(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                data = file.read(_MOST_WANTED_BYTES + 1)
                if len(data) <= _MOST_WANTED_BYTES:
                    yield name, data


def _opened_below(root: str, path: str) -> int:
    """No link is followed: the command may have left one that leads out."""
    *above, name = path.split("/")
    directory = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in above:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=directory)
            os.close(directory)
            directory = below
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=directory)
    finally:
        os.close(directory)


def _send(kind: bytes, data: bytes) -> None:
    view = memoryview(FRAME_HEAD.pack(kind, len(data)) + data)
    while view:
        view = view[os.write(1, view) :]
