"""A person's ticks on the checks of a workspace, kept with its history. Blocks on the disk."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from teamwright.permissions.checks import tick_key
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.errors import UserError
from teamwright.workspace.files.safe_files import Root

_DIRECTORY: Final = "check-ticks"
_MOST: Final = 1_000
_SAID: Final = {b"on": True, b"off": False}


class RememberedTicks:
    """A file for each, so that two windows that remember at once do not undo each other's word."""

    def __init__(self, state_path: Path) -> None:
        self._root = Root(state_path, private=True)

    def load(self) -> dict[str, bool]:
        """What cannot be read was never ticked."""
        try:
            names = [entry.name for entry in self._root.entries((_DIRECTORY,)) if entry.kind == "file"]
        except UserError:
            return {}
        return {name: said for name in names[:_MOST] if (said := self._read(name)) is not None}

    def remember(self, checks: Iterable[CheckDefinition], *, ticked: bool) -> None:
        for check in checks:
            self._root.write((_DIRECTORY, tick_key(check)), b"on" if ticked else b"off")

    def _read(self, name: str) -> bool | None:
        try:
            return _SAID.get(self._root.read((_DIRECTORY, name), limit=16))
        except UserError:
            return None
