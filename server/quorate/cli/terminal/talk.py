"""Words for the person in front of the terminal, or for whoever reads stderr later."""

from dataclasses import dataclass
from typing import Literal, Protocol, TextIO

from quorate.cli import output
from quorate.cli.terminal.printable import printable
from quorate.cli.terminal.scribe import Scribe

Tone = Literal["plain", "strong", "faint", "added", "removed", "warning", "alarm"]


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    tone: Tone = "plain"
    # Code stays as it is, however long its lines are.
    is_code: bool = False


class Talk(Protocol):
    def tell(self, *lines: Line) -> None: ...

    def prompt(self, text: str) -> None:
        """Leaves the cursor behind the text."""
        ...


class PlainTalk:
    def __init__(self, stream: TextIO | None, scribe: Scribe) -> None:
        self._stream = stream
        self._scribe = scribe

    def tell(self, *lines: Line) -> None:
        self._write("".join(f"{line.text}\n" for line in lines))

    def prompt(self, text: str) -> None:
        self._write(text)

    def _write(self, text: str) -> None:
        if not text:
            return
        shown = printable(text, self._stream)
        self._scribe.post(lambda: output.write(self._stream, shown, end=""))
