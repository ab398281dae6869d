"""`python -m scripts.terminal_picture`: draws the README's picture of the terminal from a real run of the sample."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from itertools import groupby
from pathlib import Path

import pyte
from pyte.screens import Char
from rich.console import Console
from rich.style import Style
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs/pictures/terminal.svg"
COLUMNS, LINES = 100, 110
_COLOURS = {"brown": "yellow", "brightbrown": "bright_yellow"}


def main() -> None:
    screen = pyte.Screen(COLUMNS, LINES)
    stream = pyte.ByteStream(screen)
    for chunk in _output([str(Path(sys.executable).with_name("teamwright")), "demo", "--yes"]):
        stream.feed(chunk)
    console = Console(record=True, width=COLUMNS, file=Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    lines = [_line(screen, number) for number in range(LINES)]
    while not lines[-1].plain:
        lines.pop()
    for line in lines:
        console.print(line, overflow="crop", no_wrap=True)
    PICTURE.parent.mkdir(exist_ok=True)
    picture = console.export_svg(title="make run", unique_id="teamwright")
    # No font from elsewhere: a picture asks nobody for anything.
    PICTURE.write_text(re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL), encoding="utf-8")


def _output(command: list[str]) -> list[bytes]:
    """All that a program says to a terminal of our size."""
    process, terminal = pty.fork()
    if process == pty.CHILD:
        os.environ.pop("NO_COLOR", None)
        os.environ["TERM"] = "xterm-256color"
        os.execv(command[0], command)  # noqa: S606 - our own program
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    chunks: list[bytes] = []
    while chunk := _read(terminal):
        chunks.append(chunk)
    os.close(terminal)
    os.waitpid(process, 0)
    return chunks


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:
        # Linux tells the end of a terminal by an error.
        return b""


def _line(screen: pyte.Screen, number: int) -> Text:
    row = screen.buffer[number]
    text = Text()
    for style, chars in groupby((row[column] for column in range(COLUMNS)), _style):
        text.append("".join(char.data for char in chars), style)
    text.rstrip()
    return text


def _style(char: Char) -> Style:
    colour = _COLOURS.get(char.fg, char.fg)
    if re.fullmatch("[0-9a-f]{6}", colour):
        colour = f"#{colour}"
    return Style(color=None if char.fg == "default" else colour, bold=char.bold, italic=char.italics)


if __name__ == "__main__":
    main()
