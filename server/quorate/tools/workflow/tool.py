"""What the workflow tools share: a place in the run, and the permission to take part in it."""

from typing import TypeVar

from quorate.permissions.actions import Action, Coordinate
from quorate.tools.port import Arguments, Failed, Outcome, Succeeded, Tool
from quorate.tools.workflow.floor import Floor, NotTaken, Taken

A = TypeVar("A", bound=Arguments)


class WorkflowTool(Tool[A]):
    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def action(self, arguments: A) -> Action:
        del arguments
        return Coordinate(self.name)


def outcome_of(said: Taken | NotTaken) -> Outcome:
    match said:
        case Taken(text):
            return Succeeded(text)
        case NotTaken(reason):
            return Failed(reason)
