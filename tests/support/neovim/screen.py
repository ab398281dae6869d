"""What a user sees: the grid, rebuilt from Neovim's redraw events."""

from collections.abc import Sequence
from typing import Any


class Screen:
    def __init__(self, columns: int, lines: int) -> None:
        self._cells = [[" "] * columns for _ in range(lines)]
        self.cursor = (0, 0)
        self.mode = "normal"

    @property
    def text(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self._cells)

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def take(self, batch: Sequence[Sequence[Any]]) -> bool:
        """Applies one batch of redraw events; true where the screen is whole again."""
        flushed = False
        for name, *calls in batch:
            for arguments in calls:
                match name:
                    case "grid_resize":
                        self._cells = [[" "] * arguments[1] for _ in range(arguments[2])]
                    case "grid_clear":
                        self._cells = [[" "] * len(row) for row in self._cells]
                    case "grid_line":
                        self._draw(*arguments[1:4])
                    case "grid_scroll":
                        self._scroll(*arguments[1:6])
                    case "grid_cursor_goto":
                        self.cursor = (arguments[1], arguments[2])
                    case "mode_change":
                        self.mode = arguments[0]
                    case "flush":
                        flushed = True
                    case _:
                        pass
        return flushed

    def _draw(self, row: int, column: int, cells: Sequence[Sequence[Any]]) -> None:
        for cell in cells:
            for _ in range(cell[2] if len(cell) > 2 else 1):
                self._cells[row][column] = cell[0]
                column += 1

    def _scroll(self, top: int, bottom: int, left: int, right: int, rows: int) -> None:
        moved = range(top, bottom - rows) if rows > 0 else range(bottom - 1, top - rows - 1, -1)
        for row in moved:
            self._cells[row][left:right] = self._cells[row + rows][left:right]
