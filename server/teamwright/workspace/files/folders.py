"""The folders that the editor has open: their names in tool paths, their roots on disk, their URIs."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import quote, unquote_to_bytes, urlsplit

from teamwright.permissions.names import PathStyle, fault_in_name
from teamwright.permissions.paths import PlacedFolder, Places, WorkspacePath, parse_path, render_path, unique_names
from teamwright.permissions.protection import is_secret
from teamwright.protocol.errors import NotFound
from teamwright.workspace.files.safe_files import Root

STYLE: PathStyle = "windows" if os.name == "nt" else "posix"
_DRIVE = re.compile(r"/?[A-Za-z][:|]")
# What a system shows of itself as if it were files.
_SYSTEM = frozenset({"proc", "sys", "dev"})
# Every server may leave these as they are; all else is escaped, as VS Code does it.
_PLAIN = "/-._~"


@dataclass(frozen=True, slots=True)
class Folder:
    name: str
    uri: str
    root: Root
    # Where the root leads when it is a link; editors name files either way.
    real: Path
    is_home: bool = False


@dataclass(frozen=True, slots=True)
class Folders:
    """In the editor's order; immutable, so that a run keeps the folders it started with."""

    folders: tuple[Folder, ...] = ()
    # Those that hold all that there is on a machine, secrets of everybody included: they are not opened.
    too_wide: tuple[str, ...] = ()

    @classmethod
    def opened(cls, named_uris: Iterable[tuple[str, str]]) -> "Folders":
        """From `(uri, display name)` of each workspace folder. Folders that are not on this machine are left out."""
        named = [(uri, name, path) for uri, name in named_uris if (path := path_of_uri(uri, STYLE)) is not None]
        local = [each for each in named if not _is_too_wide(Path(each[2]))]
        names = unique_names(_lawful_name(name, path) for _, name, path in local)
        return cls(
            tuple(
                Folder(name, uri, Root(Path(path)), Path(path).resolve(), Path(path).resolve() == _home())
                for name, (uri, _, path) in zip(names, local, strict=True)
            ),
            tuple(str(path) for _, _, path in named if _is_too_wide(Path(path))),
        )

    @classmethod
    def at(cls, *paths: Path) -> "Folders":
        """For the command line, where folders are paths."""
        return cls.opened((uri_of_path(path.absolute()), path.absolute().name) for path in paths)

    @property
    def places(self) -> Places:
        return Places(
            tuple(
                PlacedFolder(
                    folder.name, tuple(dict.fromkeys((str(folder.root.path), str(folder.real)))), folder.is_home
                )
                for folder in self.folders
            ),
            STYLE,
        )

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(folder.root.path for folder in self.folders)

    def folder(self, name: str) -> Folder:
        """Raises NotFound for one that the editor has closed."""
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

    def name_of(self, uri: str) -> str:
        """How people name a file: by its path in the workspace, where it lies elsewhere by its whole path."""
        if (path := self.locate(uri)) is not None:
            return render_path(path, self.places)
        return uri if (elsewhere := path_of_uri(uri, STYLE)) is None else str(elsewhere)

    def uri(self, path: WorkspacePath) -> str:
        return join_uri(self.folder(path.folder).uri, path.parts)

    def root(self, path: WorkspacePath) -> Root:
        return self.folder(path.folder).root


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (OSError, RuntimeError):
        return None


def _is_too_wide(path: Path) -> bool:
    """A drive, what stands above the home, what the system shows of itself, or a place of keys and credentials."""
    real, home = path.resolve(), _home()
    if real == Path(real.anchor) or (home is not None and real != home and home.is_relative_to(real)):
        return True
    inside = real.parts[1:]
    return (
        is_secret(inside) or (os.name == "posix" and inside[0] in _SYSTEM) or inside in {("etc",), ("private", "etc")}
    )


def _lawful_name(name: str, path: PurePath) -> str:
    """The name that the editor shows, when it can stand in a path."""
    usable = name and "/" not in name and name not in {".", "~"} and fault_in_name(name, STYLE) is None
    return name if usable else path.name or "workspace"


def path_of_uri(uri: str, style: PathStyle) -> PurePath | None:
    """None for what is no file of this machine, such as an untitled document."""
    try:
        split = urlsplit(uri)
        path = unquote_to_bytes(split.path).decode("utf-8")
        host = unquote_to_bytes(split.netloc).decode("utf-8")
    except ValueError:
        return None
    if split.scheme != "file" or "\0" in path or not path.startswith("/"):
        return None
    if style == "windows":
        return _windows_path(host, path)
    return PurePosixPath(path) if host in {"", "localhost"} else None


def uri_of_path(path: PurePath) -> str:
    if isinstance(path, PureWindowsPath):
        if path.drive.startswith("\\\\"):
            host, _, share = path.as_posix()[2:].partition("/")
            return f"file://{quote(host, safe=_PLAIN)}/{quote(share, safe=_PLAIN)}"
        return f"file:///{quote(path.drive[:1].lower() + path.as_posix()[1:], safe=_PLAIN)}"
    return f"file://{quote(str(path), safe=_PLAIN)}"


def join_uri(folder_uri: str, parts: tuple[str, ...]) -> str:
    """Below a folder that the editor named, in the editor's own spelling."""
    return "/".join((folder_uri.removesuffix("/"), *(quote(part, safe=_PLAIN) for part in parts)))


def _windows_path(host: str, path: str) -> PureWindowsPath | None:
    if host not in {"", "localhost"}:
        return PureWindowsPath(f"\\\\{host}{path}")
    if not _DRIVE.match(path):
        return None
    return PureWindowsPath(f"{path[1].upper()}:{path[3:] or '/'}")
