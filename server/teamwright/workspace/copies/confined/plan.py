"""What the server asks of the program that runs one command, and what it is told. Plain JSON goes between the two."""

import struct
from typing import Literal, TypedDict

# How a command came to its end.
Ending = Literal["exited", "timed_out", "out_of_memory", "too_many_processes", "disk_full", "killed"]
# A file or a link was written; something is gone; a directory was made anew and hides what was in it.
ChangeKind = Literal["file", "link", "gone", "emptied"]
# The number of the folder, what happened, and the path in it.
Change = tuple[int, ChangeKind, str]
# Each frame is one of these letters, a length, and that many bytes.
OUTPUT, RESULT, FILE_NAME, FILE, FAULT = b"o", b"r", b"n", b"f", b"e"
FRAME_HEAD = struct.Struct(">cI")


class FolderPlan(TypedDict):
    # Where it lies, and where the command sees it.
    path: str
    inside: str
    # Over the folder, the topmost first; what is kept among them.
    layers: list[str]
    # What is not there for the command, relative to the folder: below the layers, and on top of them.
    hidden: list[str]
    removed: list[str]
    # Directories that a copy does not copy: they are seen as they are, and cannot be written.
    shared: list[str]
    # Where what is written is kept; None: it is thrown away. The folder itself: it may be written to.
    kept: str | None


class LimitsPlan(TypedDict):
    seconds: float
    memory: int
    processes: int
    disk: int
    # Bytes that are passed on as they come, and of what follows them the last ones.
    output: int
    tail: int


class CommandPlan(TypedDict):
    # The process that waits for it.
    parent: int
    overlay: bool
    upper_on_disk: bool
    # An empty directory of ours.
    place: str
    folders: list[FolderPlan]
    # What to start, up to the folders; and what is laid over them. Empty `argv`: the tree is built, and that is all.
    bubblewrap: list[str]
    over: list[str]
    # Of a command that is not shut in, because the user says so: then `bubblewrap` is empty.
    environment: dict[str, str]
    argv: list[str]
    cwd: str
    limits: LimitsPlan
    # A name, the folder's number and the path in it.
    wanted: list[tuple[str, int, str]]


class CommandReport(TypedDict):
    how: Ending
    code: int
    seconds: float
    left_out: int
    changes: list[Change]


class FaultReport(TypedDict):
    stage: str
    said: str
    errno: int | None
