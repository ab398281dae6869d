"""The sandbox that commands need, on the machine that runs the tests."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path


def install_bubblewrap() -> None:
    """Debian's package, where it is missing and can be installed. Elsewhere the tests that need it fail and say so."""
    if _is_there_or_cannot_be():
        return
    with Path(tempfile.gettempdir(), "teamwright-tests-bubblewrap.lock").open("w", encoding="utf-8") as lock:
        # Workers of one run come here together.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_there_or_cannot_be():
            return
        for arguments in (["update"], ["install", "-y", "--no-install-recommends", "bubblewrap"]):
            subprocess.run(["apt-get", "-qq", *arguments], check=True, stdin=subprocess.DEVNULL, timeout=300)


def _is_there_or_cannot_be() -> bool:
    return shutil.which("bwrap") is not None or os.geteuid() != 0 or shutil.which("apt-get") is None
