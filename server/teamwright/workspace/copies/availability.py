"""Whether commands can be shut in on this machine, and by what means.

A yes is asked for once: a kernel does not change its mind. A no is asked again, for a busy machine does.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, cast

from teamwright.workspace.copies.box import opening_words, program
from teamwright.workspace.copies.confined.plan import (
    FAULT,
    FRAME_HEAD,
    OUTPUT,
    RESULT,
    CommandPlan,
    CommandReport,
    FaultReport,
    FolderPlan,
    LimitsPlan,
)
from teamwright.workspace.copies.toolchains import SYSTEM_PATH, Toolchains

_PROBE_SECONDS: Final = 30.0
# What a tree needs to be able to do: a directory that is removed and made again hides what was in it.
_PROBE: Final = ("/bin/sh", "-c", 'rm -r known && mkdir known && test -z "$(ls known)" && echo new > known/file')
_INSIDE: Final = "/tmp/probe"  # noqa: S108 - a name inside the box, where nobody else is
_SERVER: Final = Path(__file__).parents[3]

# An overlay whose writes lie in memory or on the disk, or a copy; or a copy, and nobody is shut in.
Means = Literal["overlay", "overlay on disk", "copy", "unconfined"]
# What the user's own configuration says.
Sandbox = Literal["auto", "none"]


@dataclass(frozen=True, slots=True)
class Available:
    means: Means


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A sentence for a person."""

    sentence: str


@dataclass(frozen=True, slots=True)
class ProbeFault:
    """Why one means does not work."""

    said: str
    # Of the moment, not of the machine.
    is_passing: bool = False


_known: dict[str, Available | Unavailable] = {}
_probing = threading.Lock()


def availability(sandbox: Sandbox = "auto") -> Available | Unavailable:
    """Blocks until it is known to be available: call it in a worker thread."""
    if sandbox == "none":
        if sys.platform == "win32":
            return Unavailable("Commands and checks are off: on Windows they cannot be run so far.")
        return Available("unconfined")
    if sys.platform != "linux":
        return Unavailable("Commands and checks are off: so far they can be shut in on Linux only.")
    found = program()
    if found is None:
        return Unavailable(
            "Commands and checks are off: they need bubblewrap, which is not installed "
            "(the package is called bubblewrap)."
        )
    with _probing:
        if found not in _known:
            outcome, is_certain = _probed()
            if not is_certain:
                return outcome
            _known[found] = outcome
        return _known[found]


def starting_words() -> list[str]:
    """For the process that builds a tree and watches a command. It loads nothing but what it needs."""
    code = (
        f"import sys; sys.path.insert(0, {str(_SERVER)!r}); "
        "from teamwright.workspace.copies.confined.main import main; main()"
    )
    return [sys.executable, "-I", "-S", "-c", code]


def _probed() -> tuple[Available | Unavailable, bool]:
    """And whether it is worth remembering: what merely took too long may do better next time."""
    faults: list[ProbeFault] = []
    for means in ("overlay", "overlay on disk", "copy"):
        fault = _fault_of(means)
        if fault is None:
            return Available(means), not any(each.is_passing for each in faults)
        faults.append(fault)
    said = faults[-1].said
    return Unavailable(f"Commands and checks are off: bubblewrap does not work here ({said})."), False


def _fault_of(means: Means) -> ProbeFault | None:
    with tempfile.TemporaryDirectory(prefix="teamwright-probe-", ignore_cleanup_errors=True) as directory:
        folder = Path(directory, "folder")
        (folder / "known").mkdir(parents=True)
        (folder / "known" / "file").touch()
        Path(directory, "place").mkdir()
        plan = json.dumps(_plan(means, Path(directory), folder)).encode()
        try:
            probe = subprocess.run(
                starting_words(), input=plan, capture_output=True, timeout=_PROBE_SECONDS, check=False, env={}
            )
        except subprocess.TimeoutExpired:
            return ProbeFault(f"it did not answer within {_PROBE_SECONDS:g} seconds", is_passing=True)
        except OSError as error:
            return ProbeFault((error.strerror or "it could not be started").lower(), is_passing=True)
        said = _fault_in(probe.stdout)
        return None if said is None else ProbeFault(said)


def _plan(means: Means, directory: Path, folder: Path) -> CommandPlan:
    return CommandPlan(
        parent=os.getpid(),
        overlay=means != "copy",
        upper_on_disk=means == "overlay on disk",
        place=str(directory / "place"),
        folders=[
            FolderPlan(
                path=str(folder),
                inside=_INSIDE,
                layers=[],
                hidden=[],
                removed=[],
                shared=[],
                kept=None,
            )
        ],
        bubblewrap=opening_words(Toolchains(search=dict.fromkeys(SYSTEM_PATH)), {}, ()),
        over=[],
        environment={},
        argv=list(_PROBE),
        cwd=_INSIDE,
        limits=LimitsPlan(seconds=_PROBE_SECONDS, memory=1 << 30, processes=64, disk=1 << 24, output=1_000, tail=1_000),
        wanted=[],
    )


def _fault_in(told: bytes) -> str | None:
    said, position = "", 0
    while position + FRAME_HEAD.size <= len(told):
        kind, length = FRAME_HEAD.unpack_from(told, position)
        data = told[position + FRAME_HEAD.size :][:length]
        position += FRAME_HEAD.size + length
        if kind == OUTPUT:
            said += data.decode("utf-8", "replace")
        elif kind == FAULT:
            fault = cast("FaultReport", json.loads(data))
            return f"{fault['stage']}: {fault['said'].lower()}"
        elif kind == RESULT:
            report = cast("CommandReport", json.loads(data))
            return None if report["how"] == "exited" and report["code"] == 0 else said.strip() or report["how"]
    return "it ended without a word"
