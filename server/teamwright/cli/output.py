"""What the command line says, on any console: what its encoding lacks is escaped, and a closed pipe is no fault."""

import io
import os
import sys
from typing import NoReturn, TextIO

_faults: list[OSError] = []


def prepare() -> None:
    for stream, errors in ((sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace"), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def forbid_colour() -> None:
    """For us and for all that we start; whoever draws something looks there (no-color.org)."""
    os.environ["NO_COLOR"] = "1"


def fault() -> str | None:
    """Why standard output lacks something that was said, if it does."""
    return next((error.strerror or str(error) for error in _faults), None)


def say(text: str, *, end: str = "\n") -> None:
    write(sys.stdout, text, end=end)


def complain(text: str) -> None:
    write(sys.stderr, text)


def input_is_piped() -> bool:
    return sys.stdin is not None and not sys.stdin.isatty()


def read_input() -> str:
    """All of standard input. Raises UnicodeDecodeError."""
    return sys.stdin.buffer.read().decode() if sys.stdin is not None else ""


def screen(*, besides_stdout: bool = False) -> TextIO | None:
    """What a person looks at: a terminal on stdout, unless that is needed for something else, or one on stderr."""
    on_stderr = _if_terminal(sys.stderr)
    return on_stderr if besides_stdout else stdout_terminal() or on_stderr


def stdout_terminal() -> TextIO | None:
    return _if_terminal(sys.stdout)


def with_result() -> TextIO | None:
    """Where everything goes that is part of a report."""
    return sys.stdout


def besides_result() -> TextIO | None:
    """Where progress and complaints go when stdout is for the result alone."""
    return sys.stderr


def leave_at_once(code: int) -> NoReturn:
    """Ends the process, though a thread still tries to write: the interpreter would wait for it, and then crash."""
    os._exit(code)


def write(stream: TextIO | None, text: str, *, end: str = "\n") -> None:
    """Nothing happens where the caller closed the stream before it started us."""
    if stream is None:
        return
    try:
        stream.write(text + end)
        stream.flush()
    except OSError as error:
        # Whoever read us is gone (`| head`), which is their choice; or the disk is full, which is told at the end.
        if stream is sys.stdout and not isinstance(error, BrokenPipeError):
            _faults.append(error)
        # The interpreter flushes once more at exit: into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _if_terminal(stream: TextIO | None) -> TextIO | None:
    return stream if stream is not None and stream.isatty() else None
