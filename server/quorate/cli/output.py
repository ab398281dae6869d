"""What the command line says, on any console: what its encoding lacks is escaped, and a closed pipe is no fault."""

import io
import os
import sys
from typing import TextIO


def prepare() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    _write(sys.stdout, text)


def complain(text: str) -> None:
    _write(sys.stderr, text)


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text + "\n")
        stream.flush()
    except BrokenPipeError:
        # Whoever read us is gone (`| head`). The interpreter flushes once more at exit: into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
