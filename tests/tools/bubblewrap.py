"""The sandbox that commands need, on the machine that runs the tests."""

import os
import shutil
import subprocess


def install_bubblewrap() -> None:
    """Debian's package, where it is missing and can be installed. Elsewhere the tests that need it fail and say so."""
    if shutil.which("bwrap") is not None or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", "bubblewrap"]):
        subprocess.run(["apt-get", "-qq", *arguments], check=True, stdin=subprocess.DEVNULL, timeout=300)
