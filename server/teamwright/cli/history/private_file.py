"""A file that a command leaves for its user."""

import os
import stat
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """For the user's eyes alone, from its first byte, whatever the umask is and the file was before."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
        if hasattr(os, "fchmod") and stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fchmod(descriptor, 0o600)
        file.write(text)
