"""Files below a root that no link, `..`, race or special file can lead out of.

Everything here blocks on the disk: call it in a worker thread. Failures are user errors that name the file.
"""

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NewType

from teamwright.protocol.errors import Conflict, LimitReached, NotFound, NotPermitted, UserError
from teamwright.workspace.files.beneath import Directory, DirectoryEntry, is_single_name, opened

READ_LIMIT_BYTES = 2_000_000
_COMPARE_LIMIT_BYTES = 100_000_000
_ANYBODY_WRITES = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_TEMPORARY_PREFIX = ".teamwright-"
_TEMPORARY_SUFFIX = ".tmp"
_MISSING = {errno.ENOENT, errno.ENOTDIR}
_CLOSED = {errno.EACCES, errno.EPERM, errno.EROFS}
ContentHash = NewType("ContentHash", str)


def hash_of(data: bytes) -> ContentHash:
    return ContentHash(hashlib.sha256(data).hexdigest())


class ContentChanged(Conflict):
    """What was to be replaced is no longer what was expected there."""


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Whatever stands there now may be replaced."""


@dataclass(frozen=True, slots=True)
class Holding:
    """Only this content may be replaced; None: nothing may be there."""

    content: ContentHash | None


Expected = Unchecked | Holding
ANYTHING = Unchecked()


@dataclass(frozen=True, slots=True)
class Root:
    """A directory, and what may be done to the regular files below it. The path itself may be a link.

    `private`: it is ours, and what is made in it is for nobody but the user, whatever the umask is.
    """

    path: Path
    private: bool = False

    def read(self, parts: tuple[str, ...], limit: int = READ_LIMIT_BYTES) -> bytes:
        """Raises NotFound, IsFolder, NotPermitted for what is no regular file, LimitReached beyond `limit` bytes."""
        with self._directory_of(parts) as (directory, name):
            return _read(directory, name, _shown(parts), limit)

    def read_if_present(self, parts: tuple[str, ...], limit: int = READ_LIMIT_BYTES) -> bytes | None:
        try:
            return self.read(parts, limit)
        except NotFound:
            return None

    def exists(self, parts: tuple[str, ...]) -> bool:
        try:
            with self._directory_of(parts) as (directory, name):
                directory.look(name)
        except NotFound:
            return False
        return True

    def require_own(self, parts: tuple[str, ...], *, alone: bool = False) -> None:
        """Raises NotPermitted where the name leads to another file by a link; `alone`: also where the file has other
        names, by hard links, which whoever writes into it would write to as well."""
        try:
            with self._directory_of(parts) as (directory, name):
                found = directory.look(name)
                if not stat.S_ISREG(found.st_mode):
                    # Says what stands there, by its own name.
                    os.close(directory.open_file(name, os.O_RDONLY))
        except NotFound:
            return
        if stat.S_ISREG(found.st_mode) and alone and found.st_nlink > 1:
            raise NotPermitted(
                f"`{_shown(parts)}` is one file with several names (hard links), and an editor would write to all of "
                "them; make it a file of its own."
            )

    def is_read_only(self, parts: tuple[str, ...]) -> bool:
        """By its mode: an owner who took the right to write away meant it, though replacing the file would work."""
        try:
            with self._directory_of(parts) as (directory, name):
                return not stat.S_IMODE(directory.look(name).st_mode) & _ANYBODY_WRITES
        except NotFound:
            return False

    def entries(self, parts: tuple[str, ...] = ()) -> tuple[DirectoryEntry, ...]:
        """Sorted by name. Names that are no Unicode text are left out: no tool could name them."""
        _require_names(parts)
        with _user_errors(_shown(parts)), opened(self.path, parts) as directory:
            named = (entry for entry in directory.entries() if _is_nameable(entry.name))
            return tuple(sorted(named, key=lambda entry: entry.name))

    def write(
        self, parts: tuple[str, ...], data: bytes, expected: Expected = ANYTHING, *, durable: bool = True
    ) -> None:
        """All or nothing: a new file takes the old one's place and mode. Missing directories are made.

        `durable`: it is on disk when this returns. What can be made again need not wait for that.
        """
        with self._directory_of(parts, make_missing=True) as (directory, name):
            mode = _mode_to_keep(directory, name, _shown(parts))
            _require(expected, directory, name, _shown(parts))
            _write(directory, name, data, 0o600 if self.private else mode, durable=durable)

    def delete(self, parts: tuple[str, ...], expected: Expected = ANYTHING) -> None:
        """Raises NotFound, NotPermitted for what is no regular file, ContentChanged where another is expected."""
        with self._directory_of(parts) as (directory, name):
            if not stat.S_ISREG(directory.look(name).st_mode):
                raise NotPermitted(f"`{_shown(parts)}` is not a regular file and is not deleted.")
            _require(expected, directory, name, _shown(parts))
            directory.remove(name)
            directory.sync()

    def remove_tree(self, parts: tuple[str, ...]) -> None:
        """A directory with all that is in it, and nothing else: a link goes, what it leads to stays.

        Never the root itself. What somebody holds open stays behind with what is around it.
        """
        with suppress(NotFound), self._directory_of(parts) as (directory, name):
            _remove_tree(directory, name)

    @contextmanager
    def _directory_of(self, parts: tuple[str, ...], *, make_missing: bool = False) -> Generator[tuple[Directory, str]]:
        if not parts:
            raise IsFolder("This is a folder; name a file in it.")
        _require_names(parts)
        with _user_errors(_shown(parts)), self._opened(parts[:-1], make_missing=make_missing) as directory:
            yield directory, parts[-1]

    def _opened(self, parts: tuple[str, ...], *, make_missing: bool) -> AbstractContextManager[Directory]:
        return opened(self.path, parts, make_missing=make_missing, private=self.private)


def make_private_directories(path: Path) -> None:
    """With the parents that are missing; those that exist stay as they are."""
    for each in reversed([each for each in (path, *path.parents) if not each.exists()]):
        each.mkdir(mode=0o700, exist_ok=True)


def _remove_tree(directory: Directory, name: str) -> None:
    if not stat.S_ISDIR(directory.look(name).st_mode):
        directory.remove(name)
        return
    below = directory.enter(name)
    try:
        for entry in below.entries():
            with suppress(OSError):
                _remove_tree(below, entry.name)
    finally:
        below.close()
    with suppress(OSError):
        directory.remove_directory(name)


def _require_names(parts: tuple[str, ...]) -> None:
    """Parts may come from a file of ours that somebody else has written."""
    if not all(map(is_single_name, parts)):
        raise NotPermitted(f"`{_shown(parts)}` is not the name of a file below its folder.")


def is_leftover(name: str) -> bool:
    """Whether a file is what a crash in the middle of a write leaves behind."""
    return name.startswith(_TEMPORARY_PREFIX) and name.endswith(_TEMPORARY_SUFFIX)


@contextmanager
def _user_errors(shown: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise fault_of(error, shown) from error


def _read(directory: Directory, name: str, shown: str, limit: int) -> bytes:
    descriptor = directory.open_file(name, os.O_RDONLY)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise IsFolder(f"`{shown}` is a folder; name a file in it.")
        if not stat.S_ISREG(found.st_mode):
            raise NotPermitted(f"`{shown}` is not a regular file and is not read.")
        # The size on record may be stale by the time we read, so what is read decides.
        data = file.read(limit + 1)
    if len(data) > limit:
        raise LimitReached(f"`{shown}` is larger than {limit} bytes and is not read.", limit)
    return data


def _mode_to_keep(directory: Directory, name: str, shown: str) -> int | None:
    try:
        found = directory.look(name)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise NotPermitted(f"`{shown}` is not a regular file and is not replaced.")
    return stat.S_IMODE(found.st_mode)


def _require(expected: Expected, directory: Directory, name: str, shown: str) -> None:
    match expected:
        case Unchecked():
            return
        case Holding(content):
            try:
                current = hash_of(_read(directory, name, shown, _COMPARE_LIMIT_BYTES))
            except FileNotFoundError:
                current = None
            if current != content:
                raise ContentChanged(f"`{shown}` has changed meanwhile and is left as it is.")


def _write(directory: Directory, name: str, data: bytes, mode: int | None, *, durable: bool) -> None:
    temporary = f"{_TEMPORARY_PREFIX}{secrets.token_hex(8)}{_TEMPORARY_SUFFIX}"
    # What takes the place of a private file is private from its first byte; what is new is as the umask has it.
    descriptor = directory.open_file(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode & 0o600 or 0o600
    )
    try:
        with os.fdopen(descriptor, "wb") as file:
            # Buffered, because a bare write may stop short on a full disk without an error.
            file.write(data)
            file.flush()
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(descriptor, mode)
            if durable:
                os.fsync(descriptor)
        directory.replace(temporary, name)
    except OSError:
        with suppress(OSError):
            directory.remove(temporary)
        raise
    if durable:
        directory.sync()


def _is_nameable(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(parts: tuple[str, ...]) -> str:
    return "/".join(parts) or "."


class IsFolder(NotPermitted):
    """A folder stands where a file was named."""


def fault_of(error: OSError, shown: str) -> UserError:
    if error.errno in _MISSING:
        return NotFound(f"`{shown}` does not exist.")
    if error.errno == errno.EISDIR:
        return IsFolder(f"`{shown}` is a folder; name a file in it.")
    if error.errno == errno.ELOOP:
        return NotPermitted(f"`{shown}` leads through {_link(error)}, and links are not followed; name the real path.")
    if error.errno in _CLOSED:
        return NotPermitted(f"`{shown}` is closed to Teamwright: {_said(error)}; check its permissions.")
    return Conflict(f"`{shown}` could not be used: {_said(error)}.")


def _link(error: OSError) -> str:
    return f"the link `{error.filename}` to `{error.filename2}`" if error.filename2 else "a link"


def _said(error: OSError) -> str:
    return (error.strerror or type(error).__name__).rstrip(".").lower()
