"""Where a place in a line is, in the unit that client and server agreed upon: the one codec of positions. Pure."""

from typing import Literal

# What a column counts.
PositionUnit = Literal["utf-8", "utf-16", "utf-32"]


def width(text: str, unit: PositionUnit) -> int:
    """How many columns a text takes."""
    match unit:
        case "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        case "utf-16":
            return len(text.encode("utf-16-le", "surrogatepass")) // 2
        case "utf-32":
            return len(text)


def split_at_column(line: str, column: int, unit: PositionUnit) -> tuple[str, str]:
    """A column beyond the end means the end. The line comes without its ending."""
    match unit:
        case "utf-32":
            return line[:column], line[column:]
        case "utf-8":
            data = line.encode("utf-8", "surrogatepass")
            while column < len(data) and data[column] & 0xC0 == 0x80:
                # A place within a character means its start.
                column -= 1
            halves = data[:column], data[column:]
            return halves[0].decode("utf-8", "surrogatepass"), halves[1].decode("utf-8", "surrogatepass")
        case "utf-16":
            data = line.encode("utf-16-le", "surrogatepass")
            halves = data[: 2 * column], data[2 * column :]
            return halves[0].decode("utf-16-le", "surrogatepass"), halves[1].decode("utf-16-le", "surrogatepass")
