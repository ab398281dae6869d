"""Directories whose entries are reached without ever following a link. All that depends on the platform is here.

Where the system can open relative to a directory's descriptor (Linux, macOS), the entry that was checked is the entry
that is used, whatever other programs rename meanwhile. Elsewhere (Windows) each entry is opened by path, and its real
path is compared after opening, so that a swap is noticed before a byte is used.
"""

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

_OPEN_SAFELY = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
# Of a name with one of these in it the system would make a path, a drive or a stream.
_SEPARATORS = frozenset({"/", os.sep, os.altsep or "/", "\0", *(":" if os.name == "nt" else "")})
# A named pipe must not hold us up while we find out what it is.
_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0)


EntryKind = Literal["file", "directory", "link", "special"]


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    name: str
    kind: EntryKind


class Directory(Protocol):
    """An open directory. Names are single parts; a link in place of an entry is an OSError with ELOOP."""

    def enter(self, name: str) -> "Directory":
        """The caller's to close. Raises OSError, also for a link."""
        ...

    def make(self, name: str, mode: int = 0o777) -> None: ...

    def open_file(self, name: str, flags: int, mode: int = 0o666) -> int:
        """A descriptor, which is the caller's to close. Raises OSError, also for a link."""
        ...

    def look(self, name: str) -> os.stat_result: ...

    def entries(self) -> list[DirectoryEntry]: ...

    def replace(self, source: str, target: str) -> None: ...

    def remove(self, name: str) -> None: ...

    def remove_directory(self, name: str) -> None:
        """One that is empty."""
        ...

    def sync(self) -> None: ...

    def close(self) -> None: ...


class DescriptorDirectory:
    """Every step is relative to a descriptor that is already open."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @property
    def descriptor(self) -> int:
        """Lent: it is closed with the directory."""
        return self._descriptor

    @classmethod
    def open(cls, path: Path) -> "DescriptorDirectory":
        return cls(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))

    def enter(self, name: str) -> "DescriptorDirectory":
        flags = os.O_RDONLY | os.O_DIRECTORY | _OPEN_SAFELY
        try:
            return DescriptorDirectory(os.open(name, flags, dir_fd=self._descriptor))
        except OSError as error:
            self._explain(error, name)
            raise

    def make(self, name: str, mode: int = 0o777) -> None:
        os.mkdir(name, mode, dir_fd=self._descriptor)

    def open_file(self, name: str, flags: int, mode: int = 0o666) -> int:
        try:
            return os.open(name, flags | _OPEN_SAFELY | _NEVER_WAIT, mode, dir_fd=self._descriptor)
        except OSError as error:
            self._explain(error, name)
            raise

    def look(self, name: str) -> os.stat_result:
        return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)

    def entries(self) -> list[DirectoryEntry]:
        with os.scandir(self._descriptor) as found:
            return [_entry(each) for each in found]

    def replace(self, source: str, target: str) -> None:
        os.replace(source, target, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def remove(self, name: str) -> None:
        os.unlink(name, dir_fd=self._descriptor)

    def remove_directory(self, name: str) -> None:
        os.rmdir(name, dir_fd=self._descriptor)

    def sync(self) -> None:
        os.fsync(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)

    def _explain(self, error: OSError, name: str) -> None:
        """The system says ENOTDIR or ELOOP of a link, depending on the platform; a person wants to know which link."""
        if error.errno not in {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}:
            return
        try:
            target = os.readlink(name, dir_fd=self._descriptor)
        except OSError:
            return
        raise _link(name, target) from error


class CheckedDirectory:
    """The fallback: by path, with the real path compared after every step."""

    def __init__(self, real_path: Path) -> None:
        self._path = real_path

    @classmethod
    def open(cls, path: Path) -> "CheckedDirectory":
        real = path.resolve(strict=True)
        if not real.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
        return cls(real)

    def enter(self, name: str) -> "CheckedDirectory":
        found = self.look(name)
        if _leads_elsewhere(found):
            raise _link(name, self._target(name))
        if not stat.S_ISDIR(found.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), name)
        self._must_be_real(name)
        return CheckedDirectory(self._path / name)

    def make(self, name: str, mode: int = 0o777) -> None:
        (self._path / name).mkdir(mode)
        self._must_be_real(name)

    def open_file(self, name: str, flags: int, mode: int = 0o666) -> int:
        if not flags & os.O_CREAT and _leads_elsewhere(self.look(name)):
            raise _link(name, self._target(name))
        descriptor = os.open(self._path / name, flags | _OPEN_SAFELY | _NEVER_WAIT, mode)
        try:
            self._must_be_real(name)
            if not os.path.samestat(os.fstat(descriptor), self.look(name)):
                raise _link(name, self._target(name))
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def look(self, name: str) -> os.stat_result:
        return (self._path / name).lstat()

    def entries(self) -> list[DirectoryEntry]:
        with os.scandir(self._path) as found:
            return [_entry(each) for each in found]

    def replace(self, source: str, target: str) -> None:
        self._must_be_real(source)
        (self._path / source).replace(self._path / target)

    def remove(self, name: str) -> None:
        self._must_be_real(name)
        (self._path / name).unlink()

    def remove_directory(self, name: str) -> None:
        self._must_be_real(name)
        (self._path / name).rmdir()

    def sync(self) -> None:
        """Directories cannot be synced here."""

    def close(self) -> None:
        """Nothing is held open."""

    def _must_be_real(self, name: str) -> None:
        path = self._path / name
        if os.path.normcase(path.resolve(strict=True)) != os.path.normcase(path):
            raise _link(name, self._target(name))

    def _target(self, name: str) -> str:
        return os.path.realpath(self._path / name)


HAS_DESCRIPTORS = (
    {os.open, os.stat, os.mkdir, os.unlink, os.rmdir, os.rename} <= os.supports_dir_fd
    and os.scandir in os.supports_fd
    and hasattr(os, "O_NOFOLLOW")
)


@contextmanager
def opened(
    root: Path, parts: tuple[str, ...], *, make_missing: bool = False, private: bool = False
) -> Generator[Directory]:
    """The directory `parts` below `root`. The root itself is trusted: it may be a link.

    `private`: what is made is the user's alone, whatever the umask is.
    """
    current: Directory = DescriptorDirectory.open(root) if HAS_DESCRIPTORS else CheckedDirectory.open(root)
    try:
        for part in parts:
            if make_missing:
                _make_if_missing(current, part, 0o700 if private else 0o777)
            below = current.enter(part)
            current.close()
            current = below
        yield current
    finally:
        current.close()


def is_single_name(name: str) -> bool:
    """Whether it can only mean an entry of the directory that it is looked up in."""
    return name not in {"", ".", ".."} and not _SEPARATORS.intersection(name)


def _make_if_missing(directory: Directory, name: str, mode: int) -> None:
    try:
        directory.make(name, mode)
    except FileExistsError:
        return


def _entry(found: os.DirEntry[str]) -> DirectoryEntry:
    if found.is_symlink():
        return DirectoryEntry(found.name, "link")
    if found.is_dir(follow_symlinks=False):
        return DirectoryEntry(found.name, "directory")
    return DirectoryEntry(found.name, "file" if found.is_file(follow_symlinks=False) else "special")


def _leads_elsewhere(found: os.stat_result) -> bool:
    tag: int = getattr(found, "st_reparse_tag", 0)
    links = {getattr(stat, "IO_REPARSE_TAG_SYMLINK", None), getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)}
    return stat.S_ISLNK(found.st_mode) or tag in links


def _link(name: str, target: str) -> OSError:
    return OSError(errno.ELOOP, os.strerror(errno.ELOOP), name, None, target)
