"""Where we work, and what our client said of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quorate.store.directories import state_directory, workspace_directory
from quorate.workspace.folders import Folders


@dataclass(frozen=True, slots=True)
class Premises:
    folders: Folders
    config_path: Path | None = None
    state_dir: Path | None = None
    trusted: bool = False
    editor: str = "an editor"

    def state_path(self, environ: Mapping[str, str]) -> Path:
        """Where the history of these folders lies, and the files of their runs."""
        roots = [folder.root.path for folder in self.folders.folders] or [self.root]
        return workspace_directory(state_directory(self.state_dir, environ), roots)

    @property
    def root(self) -> Path:
        """What relative paths start from."""
        return self.folders.folders[0].root.path if self.folders.folders else Path.cwd()
