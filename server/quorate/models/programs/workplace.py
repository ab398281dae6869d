"""The directory that a program works in: empty, with its prompt beside it, and gone afterwards."""

import shutil
import tempfile
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

MAX_COMPLAINT_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class Workplace:
    """Prompt and complaints are files: a pipe would need someone to serve it beside the answer's reader."""

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

    @property
    def complaints_file(self) -> Path:
        return self.root / "complaints.txt"

    def complaint(self) -> str:
        """The end of what the program wrote to stderr."""
        written = self.complaints_file.read_bytes()[-MAX_COMPLAINT_BYTES:]
        return written.decode("utf-8", errors="replace").strip()


@asynccontextmanager
async def workplace(system: str, prompt: str) -> AsyncGenerator[Workplace]:
    place = await to_thread.run_sync(_furnished, system, prompt)
    try:
        yield place
    finally:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(partial(shutil.rmtree, place.root, ignore_errors=True))


def _furnished(system: str, prompt: str) -> Workplace:
    place = Workplace(Path(tempfile.mkdtemp(prefix="quorate-")))
    place.directory.mkdir()
    # Programs refuse an empty file, and would speak of themselves without one.
    place.system_file.write_text(system or "You are a helpful assistant.", encoding="utf-8")
    place.prompt_file.write_text(prompt, encoding="utf-8")
    place.complaints_file.touch()
    return place


def write_files(files: Mapping[Path, str]) -> None:
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
