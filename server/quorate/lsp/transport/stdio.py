"""Standard input and output, claimed for the wire alone.

What anything else in the process prints, or a child inherits, goes to stderr; what it reads is empty.
"""

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Stdio:
    """File descriptors that nobody else knows, read and written without buffers: no lock is held at the exit."""

    input: int
    output: int

    @classmethod
    def claim(cls) -> Self:
        stdio = cls(os.dup(0), os.dup(1))
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2 if _is_open(2) else nothing, 1)
        os.close(nothing)
        if sys.platform != "win32":
            # An editor may have left them non-blocking; our threads want to wait.
            os.set_blocking(stdio.input, True)
            os.set_blocking(stdio.output, True)
        return stdio

    def write(self, data: bytes) -> None:
        """Waits until the client has taken it all. Raises OSError when there is no client any more."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self.output, rest) :]

    def read(self) -> bytes:
        """What is there, at least a byte; nothing at the end of the input."""
        with suppress(OSError):
            return os.read(self.input, 64 * 1024)
        return b""


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
