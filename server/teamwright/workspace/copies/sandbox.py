"""Commands in a copy of the workspace, shut in: no network, no home, and limits on all that they could use up.

The one module that knows how: by overlays in a namespace of the command's own, where the kernel has them for users, and
by clones or copies where it has not. The server itself never mounts; `confined` does, in a process for each command.
"""

import codecs
import errno
import json
import os
import signal
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

import anyio
from anyio import to_thread
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from teamwright.protocol.errors import BadParams, FieldError, LimitReached, NotPermitted, UserError
from teamwright.workspace.copies.availability import (
    Available,
    Means,
    Sandbox,
    Unavailable,
    availability,
    starting_words,
)
from teamwright.workspace.copies.box import opening_words, own_environment, repository_words
from teamwright.workspace.copies.cleaning import remove_copies
from teamwright.workspace.copies.closed_files import find_closed
from teamwright.workspace.copies.confined.plan import (
    FAULT,
    FILE,
    FILE_NAME,
    FRAME_HEAD,
    OUTPUT,
    RESULT,
    Change,
    CommandPlan,
    CommandReport,
    Ending,
    FaultReport,
    FolderPlan,
    LimitsPlan,
)
from teamwright.workspace.copies.shared_directories import find_shared
from teamwright.workspace.copies.toolchains import find_toolchains
from teamwright.workspace.copies.trees import Tree, TreeFolder

__all__ = [
    "Available",
    "CommandEnd",
    "CommandLimits",
    "Ending",
    "Sandbox",
    "SandboxedCommand",
    "Unavailable",
    "availability",
    "run",
]

_GIGABYTE: Final = 1 << 30
# To build the tree, and to take away what was written: beside the time that the command has itself.
_GRACE_SECONDS: Final = 120.0
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_FULL: Final = "There is no room left on the disk for a working copy; free some space and try again."

# Told what a command prints, as it comes.
OnOutput = Callable[[str], None]


def _memory() -> int:
    pages = os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
    return pages * os.sysconf("SC_PAGE_SIZE") if pages > 0 else 8 * _GIGABYTE


@dataclass(frozen=True, slots=True)
class CommandLimits:
    """`output_bytes` are the first that are told, `tail_bytes` the last; what is printed between the two is not."""

    seconds: float = 600.0
    memory_bytes: int = field(default_factory=lambda: min(4 * _GIGABYTE, _memory() * 3 // 4))
    processes: int = 512
    disk_bytes: int = field(default_factory=lambda: min(2 * _GIGABYTE, _memory() // 4))
    output_bytes: int = 1_000_000
    tail_bytes: int = 200_000


@dataclass(frozen=True, slots=True)
class SandboxedCommand:
    """All paths are absolute, as the command sees them."""

    argv: tuple[str, ...]
    cwd: Path
    tree: Tree
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    limits: CommandLimits = field(default_factory=CommandLimits)
    # From the user's own configuration: directories of programs that are not found without it.
    toolchains: tuple[Path, ...] = ()
    # Closed files that it may read all the same, by the user's own configuration.
    needs: tuple[Path, ...] = ()
    # Files that it writes and that are brought out, such as a report.
    wanted: tuple[Path, ...] = ()
    # Unseen even where programs live.
    closed: tuple[Path, ...] = ()
    sandbox: Sandbox = "auto"


@dataclass(frozen=True, slots=True)
class CommandEnd:
    how: Ending
    # 128 and the signal's number for a command that a signal has ended.
    exit_code: int
    seconds: float
    output: str
    files: dict[Path, bytes]
    # What it has done to folders whose writes are kept.
    changes: tuple[Change, ...] = ()


async def run(command: SandboxedCommand, on_output: OnOutput | None = None) -> CommandEnd:
    """To its end, whatever that is; one that is cancelled is killed with all that it has started.

    Raises a user error where it cannot be begun.
    """
    match await to_thread.run_sync(availability, command.sandbox):
        case Unavailable(sentence):
            raise NotPermitted(sentence)
        case Available(means):
            return await _run(command, means, on_output or _unheard)


def _unheard(text: str) -> None:
    del text


async def _run(command: SandboxedCommand, means: Means, on_output: OnOutput) -> CommandEnd:
    _check(command)
    own = await to_thread.run_sync(_own_directory, command.tree.directory)
    try:
        plan = await to_thread.run_sync(_plan, command, means, own)
        conversation = _Conversation(on_output)
        with anyio.move_on_after(command.limits.seconds + _GRACE_SECONDS):
            async with _confined() as process:
                await conversation.hold(process, json.dumps(plan).encode("utf-8", "surrogateescape"))
        return conversation.end(command)
    finally:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(remove_copies, own)


def _check(command: SandboxedCommand) -> None:
    words = (*command.argv, *command.environment, *command.environment.values())
    if not command.argv or any("\0" in word for word in words):
        raise BadParams([FieldError(path="argv", message="a word may not hold a NUL character, and one is needed")])
    is_inside = any(command.cwd.is_relative_to(folder.inside) for folder in command.tree.folders)
    if not is_inside or ".." in command.cwd.parts:
        raise NotPermitted(f"`{command.cwd}` is in no folder of the workspace; commands run in one.")


def _own_directory(parent: Path) -> Path:
    try:
        parent.mkdir(parents=True, exist_ok=True)
        own = Path(tempfile.mkdtemp(prefix="command-", dir=parent))
        (own / "place").mkdir()
    except OSError as error:
        raise _fault(FaultReport(stage="directory", said=error.strerror or "", errno=error.errno)) from error
    return own


def _plan(command: SandboxedCommand, means: Means, own: Path) -> CommandPlan:
    tree = command.tree
    folders = [folder for folder in tree.folders if folder.kept != folder.path]
    paths = list(dict.fromkeys(path for folder in folders for path in (folder.path, folder.path.resolve())))
    is_shut_in = means != "unconfined"
    toolchains = find_toolchains([folder.path for folder in folders], command.cwd, command.toolchains)
    over = repository_words(paths, own) if is_shut_in else []
    planned: list[FolderPlan] = []
    for folder in tree.folders:
        plan, words = _planned(folder, command.needs, means, own / f"git-{len(planned)}")
        planned.append(plan)
        over += words
    return CommandPlan(
        parent=os.getpid(),
        overlay=means in {"overlay", "overlay on disk"},
        upper_on_disk=means == "overlay on disk",
        place=str(own / "place"),
        folders=planned,
        bubblewrap=opening_words(
            toolchains, command.environment, (Path.home(), tree.directory, *paths, *command.closed)
        )
        if is_shut_in
        else [],
        environment={} if is_shut_in else own_environment(toolchains, command.environment),
        over=over,
        argv=list(command.argv),
        cwd=str(command.cwd),
        limits=_planned_limits(command.limits),
        wanted=list(_wanted(command)),
    )


def _planned(folder: TreeFolder, needs: Iterable[Path], means: Means, own: Path) -> tuple[FolderPlan, list[str]]:
    """The folder, and what is laid over it: git's configuration without credentials."""
    is_workspace = folder.kept != folder.path
    needed = {path.relative_to(folder.inside).as_posix() for path in needs if path.is_relative_to(folder.inside)}
    closed = find_closed(folder.path, needed) if is_workspace else None
    words: list[str] = []
    if closed is not None and closed.configurations:
        own.mkdir()
        for number, (path, text) in enumerate(closed.configurations.items()):
            shown = own / str(number)
            shown.write_text(text, encoding="utf-8", errors="surrogateescape")
            words += ["--ro-bind", str(shown), f"{folder.inside}/{path}"]
    plan = FolderPlan(
        path=str(folder.path),
        inside=str(folder.inside),
        layers=[str(layer) for layer in folder.layers],
        hidden=[] if closed is None else list(closed.hidden),
        removed=list(folder.removed),
        shared=list(find_shared(folder.path)) if means in {"copy", "unconfined"} and is_workspace else [],
        kept=None if folder.kept is None else str(folder.kept),
    )
    return plan, words


def _planned_limits(limits: CommandLimits) -> LimitsPlan:
    return LimitsPlan(
        seconds=limits.seconds,
        memory=limits.memory_bytes,
        processes=limits.processes,
        disk=limits.disk_bytes,
        output=limits.output_bytes,
        tail=limits.tail_bytes,
    )


def _wanted(command: SandboxedCommand) -> Iterable[tuple[str, int, str]]:
    for path in command.wanted:
        for number, folder in enumerate(command.tree.folders):
            if path.is_relative_to(folder.inside) and path != folder.inside:
                yield str(path), number, path.relative_to(folder.inside).as_posix()
                break


@asynccontextmanager
async def _confined() -> AsyncGenerator[Process]:
    """A process beside ours, in a group of its own that ends with this."""
    process = await anyio.open_process(
        starting_words(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None, env={}, start_new_session=True
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        with anyio.CancelScope(shield=True):
            await process.aclose()


class _Conversation:
    """What the process beside ours has told so far."""

    def __init__(self, on_output: OnOutput) -> None:
        self._on_output = on_output
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._output: list[str] = []
        self._files: dict[Path, bytes] = {}
        self._report: CommandReport | None = None
        self._fault: FaultReport | None = None

    async def hold(self, process: Process, plan: bytes) -> None:
        if process.stdin is None or process.stdout is None:
            return
        with suppress(anyio.BrokenResourceError):
            await process.stdin.send(plan)
        await process.stdin.aclose()
        stream = BufferedByteReceiveStream(process.stdout)
        name = b""
        with suppress(anyio.IncompleteRead):
            while self._report is None and self._fault is None:
                kind, length = FRAME_HEAD.unpack(await stream.receive_exactly(FRAME_HEAD.size))
                data = await stream.receive_exactly(length) if length else b""
                if kind == FILE_NAME:
                    name = data
                else:
                    self._take(kind, data, name)

    def end(self, command: SandboxedCommand) -> CommandEnd:
        if self._fault is not None:
            raise _fault(self._fault)
        if tail := self._decoder.decode(b"", final=True):
            self._output.append(tail)
        output = "".join(self._output)
        if self._report is None:
            # It took too long to build or to clear away, or somebody has killed it.
            return CommandEnd("killed", -signal.SIGKILL, command.limits.seconds, output, self._files)
        return CommandEnd(
            self._report["how"],
            self._report["code"],
            self._report["seconds"],
            output,
            self._files,
            tuple((number, kind, path) for number, kind, path in self._report["changes"]),
        )

    def _take(self, kind: bytes, data: bytes, name: bytes) -> None:
        if kind == OUTPUT:
            text = self._decoder.decode(data)
            self._output.append(text)
            self._on_output(text)
        elif kind == FILE:
            self._files[Path(os.fsdecode(name))] = data
        elif kind == RESULT:
            self._report = cast("CommandReport", json.loads(data))
        elif kind == FAULT:
            self._fault = cast("FaultReport", json.loads(data))


def _fault(report: FaultReport) -> UserError:
    if report["errno"] in _NO_ROOM:
        return LimitReached(_FULL, 0)
    if report["stage"] == "cwd":
        return NotPermitted(f"The command's folder cannot be used: {report['said'].lower()}; name another one.")
    return NotPermitted(f"The sandbox could not be set up ({report['stage']}: {report['said'].lower()}).")
