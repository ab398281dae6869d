"""Blocks as a terminal with colours shows them, drawn by rich into the escape sequences that it would write."""

import io
from collections.abc import Iterable, Mapping
from typing import Final, TextIO

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markdown import Heading, Markdown
from rich.padding import Padding
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from teamwright.cli.terminal.blocks import Block, Columns, Line, Prose, Style
from teamwright.cli.terminal.printable import printable, wrapped

_STYLES: Final[Mapping[Style, str]] = {
    "plain": "",
    "strong": "bold",
    "faint": "dim",
    "added": "green",
    "removed": "red",
    "alarm": "bold red",
    "ok": "green",
    "bad": "red",
    "warn": "yellow",
    "busy": "cyan",
    "idle": "dim",
    "accent": "bold cyan",
}
# What rich draws beside our words, for a terminal that lacks it.
_FRAMES: Final = str.maketrans({"•": "*", "─": "-", "━": "=", "│": "|", "▌": "|", "…": "~"})


class RichText:
    """Made for a stream: its width is asked for each time, its colours are known from the start."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._screen = Console(file=stream)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines of the terminal, as it is now."""
        return self._screen.size

    def drawn(self, blocks: Iterable[Block]) -> list[str]:
        """Each line with its escape sequences, none wider than the terminal (code aside)."""
        width = self._screen.width
        buffer = io.StringIO()
        console = Console(
            file=buffer,
            force_terminal=True,
            width=width,
            color_system=self._screen.color_system or "standard",  # pyright: ignore[reportArgumentType]
            no_color=self._screen.no_color,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )
        for block in blocks:
            self._print(console, block)
        encoding = self._stream.encoding or "ascii"
        text = buffer.getvalue()
        if not _can_encode("•─", encoding):
            text = text.translate(_FRAMES).encode(encoding, "backslashreplace").decode(encoding)
        return [line.rstrip(" ") for line in text.removesuffix("\n").split("\n")] if text else []

    def _print(self, console: Console, block: Block) -> None:
        renderable = self._renderable(block, console.width)
        if isinstance(block, Prose) and block.most_lines is not None:
            lines = console.render_lines(renderable, pad=False)[-block.most_lines :]
            console.print(Segments([*(segment for line in lines for segment in (*line, Segment.line()))]), end="")
        else:
            console.print(renderable, soft_wrap=isinstance(block, Line))

    def _renderable(self, block: Block, width: int) -> RenderableType:
        match block:
            case Line(text=text, style=style, is_code=is_code, indent=indent):
                shown = "\n".join(" " * indent + line for line in self._printable(text).split("\n"))
                return Text(shown if is_code else wrapped(shown, width), _STYLES[style])
            case Prose(text=text, indent=indent):
                markdown = _Markdown(self._printable(text), code_theme="ansi_dark", hyperlinks=False)
                return Padding.indent(markdown, indent) if indent else markdown
            case Columns():
                return self._table(block)

    def _table(self, columns: Columns) -> RenderableType:
        table = Table.grid(padding=(0, 2, 0, 0))
        *most, last = columns.rows[0]
        for cell in most:
            table.add_column(justify="right" if cell.is_number else "left", no_wrap=True, overflow="ellipsis")
        table.add_column(justify="right" if last.is_number else "left", overflow="fold")
        for row in columns.rows:
            table.add_row(*(Text(self._printable(cell.text), _STYLES[cell.style]) for cell in row))
        return Padding.indent(table, columns.indent)

    def _printable(self, text: str) -> str:
        return printable(text, self._stream)


class _Heading(Heading):
    """At the left, where everything else begins."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        yield self.text


class _Markdown(Markdown):
    elements = {**Markdown.elements, "heading_open": _Heading}


def _can_encode(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def finished_length(markdown: str) -> int:
    """Up to the last block, which may still grow into something else."""
    begins = [token.map[0] for token in Markdown(markdown).parsed if token.level == 0 and token.map is not None]
    lines = markdown.splitlines(keepends=True)
    return sum(map(len, lines[: begins[-1]])) if begins else 0
