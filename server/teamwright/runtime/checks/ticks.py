"""A person's ticks on the checks of a workspace, kept with its history. Blocks on the disk."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from teamwright.permissions.checks import tick_key
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.errors import NotFound, UserError
from teamwright.workspace.files.safe_files import Root

_DIRECTORY: Final = "check-ticks"
_MOST: Final = 1_000
_SAID: Final = {b"on": True, b"off": False}
_LARGEST: Final = 20_000
_LONGEST_ARGV: Final = 4_000


class _KeptCheck(BaseModel):
    """For a person who looks at what was said: what runs is known by the key alone."""

    model_config = ConfigDict(extra="ignore", strict=False)

    name: str = ""
    argv: tuple[str, ...] = ()


class Tick(NamedTuple):
    key: str
    ticked: bool
    check: str
    argv: tuple[str, ...]


class RememberedTicks:
    """A file for each, so that two windows that remember at once do not undo each other's word."""

    def __init__(self, state_path: Path) -> None:
        self._root = Root(state_path, private=True)

    def load(self) -> dict[str, bool]:
        """What cannot be read was never ticked."""
        return {tick.key: tick.ticked for tick in self.all()}

    def all(self) -> Iterator[Tick]:
        try:
            names = [entry.name for entry in self._root.entries((_DIRECTORY,)) if entry.kind == "file"]
        except UserError:
            return
        for name in sorted(names)[:_MOST]:
            if (tick := self._read(name)) is not None:
                yield tick

    def remember(self, checks: Iterable[CheckDefinition], *, ticked: bool) -> None:
        for check in checks:
            argv = check.argv if sum(map(len, check.argv)) <= _LONGEST_ARGV else ()
            shown = json.dumps({"name": check.name, "argv": argv})
            self._root.write((_DIRECTORY, tick_key(check)), f"{'on' if ticked else 'off'}\n{shown}".encode())

    def forget(self, tick: Tick) -> None:
        with suppress(NotFound):
            self._root.delete((_DIRECTORY, tick.key))

    def _read(self, name: str) -> Tick | None:
        try:
            word, _, shown = self._root.read((_DIRECTORY, name), limit=_LARGEST).partition(b"\n")
        except UserError:
            return None
        ticked = _SAID.get(word)
        if ticked is None:
            return None
        try:
            kept = _KeptCheck.model_validate_json(shown)
        except ValidationError:
            kept = _KeptCheck()
        return Tick(name, ticked, kept.name, kept.argv)
