"""URIs of the editor and paths of the machine, both ways. Pure."""

import re
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import quote, unquote_to_bytes, urlsplit

from quorate.permissions.names import PathStyle

_DRIVE = re.compile(r"/?[A-Za-z][:|]")
# Every server may leave these as they are; all else is escaped, as VS Code does it.
_PLAIN = "/-._~"


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
