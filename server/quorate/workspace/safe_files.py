"""Files below a root that no link, `..`, race or special file can lead out of.

Everything here blocks on the disk: call it in a worker thread. Failures are user errors that name the file.
"""

import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from quorate.protocol.errors import Conflict, LimitReached, NotFound, NotPermitted
from quorate.workspace.beneath import Directory, Entry, opened
from quorate.workspace.faults import IsFolder, fault_of
from quorate.workspace.hashes import ContentHash, hash_of

READ_LIMIT_BYTES = 2_000_000
_COMPARE_LIMIT_BYTES = 100_000_000
_ANYBODY_WRITES = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_TEMPORARY_PREFIX = ".quorate-"
_TEMPORARY_SUFFIX = ".tmp"


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
    """A directory, and what may be done to the regular files below it. The path itself may be a link."""

    path: Path

    def read(self, parts: tuple[str, ...], limit: int = READ_LIMIT_BYTES) -> bytes:
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

    def is_read_only(self, parts: tuple[str, ...]) -> bool:
        """By its mode: an owner who took the right to write away meant it, though replacing the file would work."""
        try:
            with self._directory_of(parts) as (directory, name):
                return not stat.S_IMODE(directory.look(name).st_mode) & _ANYBODY_WRITES
        except NotFound:
            return False

    def entries(self, parts: tuple[str, ...] = ()) -> tuple[Entry, ...]:
        """Sorted by name. Names that are no Unicode text are left out: no tool could name them."""
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
            _write(directory, name, data, mode, durable=durable)

    def delete(self, parts: tuple[str, ...], expected: Expected = ANYTHING) -> None:
        with self._directory_of(parts) as (directory, name):
            if not stat.S_ISREG(directory.look(name).st_mode):
                raise NotPermitted(f"`{_shown(parts)}` is not a regular file and is not deleted.")
            _require(expected, directory, name, _shown(parts))
            directory.remove(name)
            directory.sync()

    @contextmanager
    def _directory_of(self, parts: tuple[str, ...], *, make_missing: bool = False) -> Generator[tuple[Directory, str]]:
        if not parts:
            raise IsFolder("This is a folder; name a file in it.")
        with _user_errors(_shown(parts)), opened(self.path, parts[:-1], make_missing=make_missing) as directory:
            yield directory, parts[-1]


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
    descriptor = directory.open_file(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
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
