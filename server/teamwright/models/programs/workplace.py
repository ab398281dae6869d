"""The directory that a program works in: empty, with its prompt beside it, and gone afterwards."""

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from teamwright.models.port import ToolSpec

SERVER: Final = "teamwright"
# Programs put the server's name before a tool's, and some providers take no more than 64 characters for both.
LONGEST_NAME: Final = 48
_CATALOGUE: Final = Path(__file__).with_name("catalogue.py")
_ANSWER: Final = "The call is noted. Its result comes with the next message."
# To the program a call changes nothing: so it does not ask for a permission that nobody could give.
_HARMLESS: Final = {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False}


@dataclass(frozen=True, slots=True)
class Workplace:
    """The prompt is a file: a pipe would need someone to serve it beside the answer's reader."""

    root: Path

    @property
    def directory(self) -> Path:
        return self.root / "work"

    @property
    def system_file(self) -> Path:
        return self.root / "system.md"

    @property
    def prompt_file(self) -> Path:
        return self.root / "prompt.txt"


@asynccontextmanager
async def workplace(system: str, prompt: str) -> AsyncGenerator[Workplace]:
    place = await to_thread.run_sync(_furnished, system, prompt)
    try:
        yield place
    finally:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(partial(shutil.rmtree, place.root, ignore_errors=True))


def _furnished(system: str, prompt: str) -> Workplace:
    place = Workplace(Path(tempfile.mkdtemp(prefix="teamwright-")))
    place.directory.mkdir(mode=0o700)
    # Programs refuse an empty file, and would speak of themselves without one.
    _write_private(place.system_file, system or "You are a helpful assistant.")
    _write_private(place.prompt_file, prompt)
    return place


def _write_private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")


def write_files(files: Mapping[Path, str]) -> None:
    for path, text in files.items():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        _write_private(path, text)


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
