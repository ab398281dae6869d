"""Text as an editor holds it: positions counted in the agreed unit, edits applied together."""

import re
from itertools import pairwise
from typing import Any

_WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def offset_of(text: str, position: dict[str, int], unit: str) -> int:
    """Raises where the position is not in the text: no edit of ours should ever point beside it."""
    starts = [0, *(ending.end() for ending in re.finditer(r"\r\n|\r|\n", text))]
    line_start = starts[position["line"]]
    line = re.split(r"\r\n|\r|\n", text[line_start:], maxsplit=1)[0]
    codec, width = _WIDTHS[unit]
    data = line.encode(codec)
    assert position["character"] * width <= len(data), "an edit beyond the end of its line"
    return line_start + len(data[: position["character"] * width].decode(codec))


def position_of(text: str, offset: int, unit: str) -> dict[str, int]:
    endings = list(re.finditer(r"\r\n|\r|\n", text[:offset]))
    line_start = endings[-1].end() if endings else 0
    codec, width = _WIDTHS[unit]
    return {"line": len(endings), "character": len(text[line_start:offset].encode(codec)) // width}


def edited(text: str, edits: list[dict[str, Any]], unit: str) -> str:
    """All ranges are of the text before any of them."""
    places = [
        (offset_of(text, edit["range"]["start"], unit), offset_of(text, edit["range"]["end"], unit), edit["newText"])
        for edit in edits
    ]
    ordered = sorted(places)
    assert all(one[1] <= other[0] for one, other in pairwise(ordered)), "edits that overlap"
    for start, end, new in reversed(ordered):
        text = text[:start] + new + text[end:]
    return text
