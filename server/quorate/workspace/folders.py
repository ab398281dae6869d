"""The folders that the editor has open: their names in tool paths, their roots on disk, their URIs."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

from quorate.permissions.names import PathStyle, fault_in_name
from quorate.permissions.paths import PlacedFolder, Places, WorkspacePath, parse_path, unique_names
from quorate.protocol.errors import NotFound
from quorate.workspace.safe_files import Root
from quorate.workspace.uris import join_uri, path_of_uri, uri_of_path

STYLE: PathStyle = "windows" if os.name == "nt" else "posix"


@dataclass(frozen=True, slots=True)
class Folder:
    name: str
    uri: str
    root: Root
    # Where the root leads when it is a link; editors name files either way.
    real: Path


@dataclass(frozen=True, slots=True)
class Folders:
    """In the editor's order; immutable, so that a run keeps the folders it started with."""

    folders: tuple[Folder, ...] = ()

    @classmethod
    def opened(cls, named_uris: Iterable[tuple[str, str]]) -> "Folders":
        """From `(uri, display name)` of each workspace folder. Folders that are not on this machine are left out."""
        local = [(uri, name, path) for uri, name in named_uris if (path := path_of_uri(uri, STYLE)) is not None]
        names = unique_names(_lawful_name(name, path) for _, name, path in local)
        return cls(
            tuple(
                Folder(name, uri, Root(Path(path)), Path(path).resolve())
                for name, (uri, _, path) in zip(names, local, strict=True)
            )
        )

    @classmethod
    def at(cls, *paths: Path) -> "Folders":
        """For the command line, where folders are paths."""
        return cls.opened((uri_of_path(path.absolute()), path.absolute().name) for path in paths)

    @property
    def places(self) -> Places:
        return Places(
            tuple(
                PlacedFolder(folder.name, tuple(dict.fromkeys((str(folder.root.path), str(folder.real)))))
                for folder in self.folders
            ),
            STYLE,
        )

    def folder(self, name: str) -> Folder:
        for folder in self.folders:
            if folder.name == name:
                return folder
        raise NotFound(f"The folder `{name}` is no longer open in the editor.")

    def locate(self, uri: str) -> WorkspacePath | None:
        """The place of a document, or None when it is in no folder."""
        path = path_of_uri(uri, STYLE)
        if path is None:
            return None
        parsed = parse_path(str(path), self.places)
        return parsed if isinstance(parsed, WorkspacePath) else None

    def uri(self, path: WorkspacePath) -> str:
        return join_uri(self.folder(path.folder).uri, path.parts)

    def root(self, path: WorkspacePath) -> Root:
        return self.folder(path.folder).root


def _lawful_name(name: str, path: PurePath) -> str:
    """The name that the editor shows, when it can stand in a path."""
    usable = name and "/" not in name and name not in {".", "~"} and fault_in_name(name, STYLE) is None
    return name if usable else path.name or "workspace"
