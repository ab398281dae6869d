"""Where we work, and what our client said of it."""

from dataclasses import dataclass
from pathlib import Path

from quorate.workspace.folders import Folders


@dataclass(frozen=True, slots=True)
class Premises:
    folders: Folders
    config_path: Path | None = None
    state_dir: Path | None = None
    trusted: bool = False
    editor: str = "an editor"

    @property
    def root(self) -> Path:
        """What relative paths start from."""
        return self.folders.folders[0].root.path if self.folders.folders else Path.cwd()
