"""A command in a box of the operating system's making: it sees programs, not people's files, and no network.

All that depends on the platform is here. Where there is no such box, no command is run.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PROGRAM: Final = "bwrap"
_PROBE_SECONDS: Final = 10.0
# Where programs live. Whatever is not below these does not exist inside: homes, the state directory, sockets, mounts.
_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu")
# Closed to people anyway, but not to root.
_SECRETS_OF_ROOT: Final = ("/etc/shadow", "/etc/gshadow", "/etc/sudoers")
_SCRATCH_INSIDE: Final = "/tmp/scratch"  # noqa: S108 - a name inside the box, where nobody else is
_ENVIRONMENT: Final = {
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
    "HOME": _SCRATCH_INSIDE,
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "NO_COLOR": "1",
}


def unavailable() -> str | None:
    """Why no command can be run on this machine, or None. Blocks: call it in a worker thread."""
    if sys.platform != "linux":
        return "commands are run only on Linux, where they can be shut in"
    if shutil.which(_PROGRAM) is None:
        return "commands need bubblewrap, which is not installed (the package is called bubblewrap)"
    return _fault_of_probe()


@dataclass(frozen=True, slots=True)
class Sandbox:
    """`closed` are folders that must stay unseen even where programs live: the user's home, state and workspace."""

    closed: tuple[Path, ...] = ()

    def argv(self, command: Sequence[str], scratch: Path) -> list[str]:
        """What to start instead of the command, so that it runs in the box with the scratch folder as its own."""
        return [
            _program(),
            *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"),
            *_each(("--setenv", name, value) for name, value in _ENVIRONMENT.items()),
            *_each(("--ro-bind-try", path, path) for path in _SYSTEM),
            *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),  # noqa: S108 - inside the box
            *_each(("--tmpfs", path) for path in self._closed_inside()),
            *_each(("--ro-bind-try", "/dev/null", path) for path in _SECRETS_OF_ROOT if Path(path).exists()),
            *("--bind", str(scratch), _SCRATCH_INSIDE, "--chdir", _SCRATCH_INSIDE, "--remount-ro", "/"),
            "--",
            *command,
        ]

    def _closed_inside(self) -> Iterator[str]:
        for path in self.closed:
            real = path.resolve()
            if real.is_dir() and any(real.is_relative_to(Path(system).resolve()) for system in _SYSTEM):
                yield str(real)


def _program() -> str:
    return shutil.which(_PROGRAM) or _PROGRAM


def _fault_of_probe() -> str | None:
    """Some systems have the program and forbid what it needs."""
    argv = [_program(), "--unshare-all", *_each(("--ro-bind-try", path, path) for path in _SYSTEM), "--", "true"]
    try:
        probe = subprocess.run(argv, capture_output=True, timeout=_PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not work here ({error})"
    if probe.returncode == 0:
        return None
    said = probe.stderr.decode("utf-8", errors="replace").strip()
    return f"bubblewrap does not work here ({said})"


def _each(options: Iterable[tuple[str, ...]]) -> list[str]:
    return [word for option in options for word in option]
