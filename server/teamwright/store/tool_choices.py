"""What the user has said once and for all about tools of other people's servers, as those tools were then.

One small file for each tool, in the user's own state of a workspace: two processes never write over each other.
"""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from teamwright.store.directories import make_private_directory, open_private

ToolChoice = Literal["always", "never"]
# Far more than anybody decides; what is beyond it is asked about.
_MOST_CHOICES: Final = 10_000
_LARGEST_FILE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Remembered:
    choice: ToolChoice | None = None
    # Something was said about a tool of this name, which has another description by now.
    has_changed: bool = False


class StoredChoice(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    server: str
    tool: str
    # Of the tool's description and schema, and of where its server is.
    pin: str
    choice: ToolChoice

    @property
    def name(self) -> str:
        """Of its file."""
        return hashlib.sha256(json.dumps([self.server, self.tool]).encode()).hexdigest()


class ToolChoices:
    """Reading and writing blocks on the disk; what was read last is at hand."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._said: dict[tuple[str, str], StoredChoice] = {}

    def load(self) -> None:
        """What other processes have written, too. A file that cannot be read says nothing: then a person is asked."""
        try:
            files = sorted(self._directory.glob("*.json"))[:_MOST_CHOICES]
        except OSError:
            files = []
        found = [said for file in files if (said := _read(file)) is not None]
        self._said = {(said.server, said.tool): said for said in found}

    def remembered(self, server: str, tool: str, pin: str) -> Remembered:
        said = self._said.get((server, tool))
        if said is None:
            return Remembered()
        return Remembered(said.choice) if said.pin == pin else Remembered(has_changed=True)

    def remember(self, server: str, tool: str, pin: str, choice: ToolChoice) -> None:
        """Where it cannot be written it holds for as long as this process lives."""
        said = StoredChoice(server=server, tool=tool, pin=pin, choice=choice)
        self._said[server, tool] = said
        name = said.name
        try:
            make_private_directory(self._directory)
            unfinished = self._directory / f"{name}.{os.getpid()}.new"
            with os.fdopen(open_private(unfinished), "w", encoding="utf-8") as file:
                file.truncate()
                file.write(said.model_dump_json())
            unfinished.replace(self._directory / f"{name}.json")
        except OSError:
            return

    def all(self) -> tuple[StoredChoice, ...]:
        """As they were read last, or said since."""
        return tuple(self._said.values())

    def forget(self, said: StoredChoice) -> None:
        """From now on it is asked about again; by other processes from their next turn on. Raises OSError."""
        self._said.pop((said.server, said.tool), None)
        (self._directory / f"{said.name}.json").unlink(missing_ok=True)


def _read(file: Path) -> StoredChoice | None:
    try:
        with file.open("rb") as opened:
            return StoredChoice.model_validate_json(opened.read(_LARGEST_FILE))
    except (OSError, ValidationError):
        return None
