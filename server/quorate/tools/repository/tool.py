"""What the repository tools share: the permission, and the folder that is meant."""

from typing import TypeVar

from quorate.permissions.actions import Action, ReadRepository
from quorate.permissions.judgement import may_read
from quorate.permissions.paths import Refused, WorkspacePath, parse_path, render_path
from quorate.permissions.rules import Rules
from quorate.protocol.errors import NotPermitted
from quorate.tools.port import Arguments, Tool
from quorate.workspace.live_files import LiveFiles

A = TypeVar("A", bound=Arguments)


class RepositoryTool(Tool[A]):
    def __init__(self, live: LiveFiles, rules: Rules) -> None:
        self._live = live
        self._rules = rules

    def action(self, arguments: A) -> Action:
        del arguments
        return ReadRepository()

    def _place(self, path: str | None) -> WorkspacePath:
        """All of the first folder when nothing is named; then only what may be read of it is shown."""
        match parse_path(path or ".", self._rules.places):
            case WorkspacePath() as place if path is None or may_read(self._rules, place):
                return place
            case WorkspacePath() as place:
                raise NotPermitted(f"`{render_path(place, self._rules.places)}` is not among the paths to read.")
            case Refused(reason):
                raise NotPermitted(reason)
            case _:
                raise NotPermitted("Only files of the workspace have a history.")
