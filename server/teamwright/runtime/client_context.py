"""Where we work, and what our client said of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from teamwright.config.sources import NamedFile, is_of_workspace
from teamwright.store.directories import state_directories, workspace_directory
from teamwright.workspace.files.folders import Folders


@dataclass(frozen=True, slots=True)
class ClientContext:
    folders: Folders
    config: NamedFile | None = None
    state_dir: Path | None = None
    trusted: bool = False
    editor: str = "an editor"

    def state_path(self, environ: Mapping[str, str]) -> Path:
        """Where the history of these folders lies, and the files of their runs."""
        return workspace_directory(self._state_directory(environ), self.folders.paths or [self.root])

    def state_notice(self, environ: Mapping[str, str]) -> str | None:
        """What the user is told where another place than the one that was named holds their history."""
        named, used = state_directories(self.state_dir, environ)[0], self._state_directory(environ)
        if named == used:
            return None
        return f"The state directory {named} lies in this workspace, whose files are not yours alone; {used} is used."

    def _state_directory(self, environ: Mapping[str, str]) -> Path:
        """A history that came with a workspace would be its author's: sessions, modes and answers to questions."""
        *named, unmoved = state_directories(self.state_dir, environ)
        apart = (each for each in named if not is_of_workspace(each / "workspaces", self.folders.paths))
        return next(apart, unmoved)

    def origin(self, on: date) -> str:
        """Where something comes from that is remembered, in words."""
        return f"{', '.join(folder.name for folder in self.folders.folders) or 'no folder'}, {on.isoformat()}"

    @property
    def root(self) -> Path:
        """What relative paths start from."""
        return self.folders.folders[0].root.path if self.folders.folders else Path.cwd()
