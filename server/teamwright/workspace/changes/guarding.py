"""A stored change is judged anew at the moment at which it is made: what was allowed when it was proposed may not be
now, and what lies on the disk is data, whoever wrote it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.changes import Change
from teamwright.protocol.errors import NotPermitted
from teamwright.protocol.ids import AgentId
from teamwright.workspace.changes.change_sets import FileChange, to_wire
from teamwright.workspace.changes.file_writes import CurrentFile, look
from teamwright.workspace.files.live_files import LiveFiles


@dataclass(frozen=True, slots=True)
class ChangeGuard:
    # Why a file must not be written, in a sentence, or None.
    refusal: Callable[[WorkspacePath], str | None]
    # What the person was shown.
    shown: Callable[[], Sequence[Change]]

    def look(self, live: LiveFiles, path: WorkspacePath, uri: str) -> CurrentFile:
        """The file as it is now, where it may be written. Raises a user error where not."""
        require_place(live, path, uri)
        if (reason := self.refusal(path)) is not None:
            raise NotPermitted(reason)
        return look(live, path)

    def require_shown(self, change: FileChange, agent_id: AgentId) -> None:
        """Raises where what would be written is not what the person has seen."""
        seen = next((each for each in self.shown() if each.uri == change.uri), None)
        if seen is None or seen != to_wire(change, agent_id):
            raise NotPermitted("what is stored of this change is not what was shown, and is not written")


def require_place(live: LiveFiles, path: WorkspacePath, uri: str) -> None:
    """Raises where the address that is shown is not the place that would be written."""
    if live.folders.locate(uri) != path:
        raise NotPermitted(f"`{'/'.join(path.parts)}` is not the file that was shown, or its folder is closed.")
