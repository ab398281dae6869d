"""Words for a person at a terminal that knows colours; rich leaves them out where NO_COLOR says so."""

from collections.abc import Mapping
from typing import Final, TextIO

from rich.console import Console
from rich.text import Text

from quorate.cli.terminal.printable import printable, wrapped
from quorate.cli.terminal.scribe import Scribe
from quorate.cli.terminal.talk import Line, Tone

_STYLES: Final[Mapping[Tone, str]] = {
    "plain": "",
    "strong": "bold",
    "faint": "dim",
    "added": "green",
    "removed": "red",
    "warning": "yellow",
    "alarm": "bold red",
}


def console_on(stream: TextIO) -> Console:
    return Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)


class StyledTalk:
    def __init__(self, console: Console, stream: TextIO, scribe: Scribe) -> None:
        self._console = console
        self._stream = stream
        self._scribe = scribe

    def tell(self, *lines: Line) -> None:
        if not lines:
            return
        self._scribe.post(lambda: self._console.print(Text("\n").join(map(self._styled, lines))))

    def _styled(self, line: Line) -> Text:
        text = printable(line.text, self._stream)
        return Text(text if line.is_code else wrapped(text, self._console.width), _STYLES[line.tone])

    def prompt(self, text: str) -> None:
        shown = Text(printable(text, self._stream), "bold")
        self._scribe.post(lambda: self._console.print(shown, end=""))
