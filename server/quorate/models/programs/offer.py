"""Our tools offered to a program: as an MCP server for it to start, which lists them and does nothing else."""

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quorate.models.port import ToolSpec
from quorate.models.programs.workplace import Workplace

SERVER: Final = "quorate"
# Programs put the server's name before a tool's, and some providers take no more than 64 characters for both.
LONGEST_NAME: Final = 48

_CATALOGUE: Final = Path(__file__).with_name("catalogue.py")
_ANSWER: Final = "The call is noted. Its result comes with the next message."
# To the program a call changes nothing: so it does not ask for a permission that nobody could give.
_HARMLESS: Final = {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False}


@dataclass(frozen=True, slots=True)
class Offer:
    file: Path
    """What the server lists, to be written before the program starts."""
    text: str

    @property
    def command(self) -> str:
        return sys.executable

    @property
    def arguments(self) -> list[str]:
        # Neither the user's packages nor variables for Python: it starts twice as fast, and nothing gets in its way.
        return ["-I", "-S", str(_CATALOGUE), str(self.file)]


def offer(tools: Sequence[ToolSpec], place: Workplace, *, calls_answered: bool) -> Offer:
    """A call that is never answered stops a program that cannot be told to stop after its first turn."""
    listed = [
        {
            "name": listed_name(tool.name),
            "description": tool.description,
            "inputSchema": {"type": "object", **tool.schema},
            "annotations": _HARMLESS,
        }
        for tool in tools
    ]
    text = json.dumps({"tools": listed, "answer": _ANSWER if calls_answered else None})
    return Offer(place.root / "tools.json", text)


def listed_name(name: str) -> str:
    if len(name) <= LONGEST_NAME:
        return name
    mark = hashlib.sha256(name.encode()).hexdigest()[:6]
    return f"{name[: LONGEST_NAME - len(mark) - 1]}_{mark}"


def own_names(tools: Sequence[ToolSpec]) -> Mapping[str, str]:
    """What each tool is called by us, by the name under which it is listed."""
    return {listed_name(tool.name): tool.name for tool in tools}
