"""One writer a session, by a lock that the kernel takes back when its owner dies."""

import hashlib
import json
import os
import platform
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from teamwright.protocol.errors import Conflict
from teamwright.protocol.ids import SessionId
from teamwright.store.directories import make_private_directory, open_private

if sys.platform == "win32":
    import msvcrt

    # Windows forbids reading what is locked, so the locked byte lies far behind the owner's description.
    _LOCKED_BYTE = 1 << 30

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


_UNLINK_RACES = 16


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds a lock, for the person who wonders why they cannot write."""

    pid: int
    editor: str
    host: str

    @classmethod
    def this_process(cls, editor: str) -> "Owner":
        return cls(os.getpid(), editor, platform.node())

    def __str__(self) -> str:
        return f"{self.editor} (process {self.pid} on {self.host})"


class FileLock:
    """Held from `take` to `give_back` or the death of the process."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def take(cls, path: Path, owner: Owner) -> "FileLock | None":
        """None when somebody else has it."""
        for _ in range(_UNLINK_RACES):
            descriptor = open_private(path)
            if not _try_lock(descriptor):
                os.close(descriptor)
                return None
            if _is_at(path, descriptor):
                _describe(descriptor, owner)
                return cls(path, descriptor)
            # The last owner removed the file between our opening and our locking it.
            os.close(descriptor)
        return None

    @property
    def is_in_place(self) -> bool:
        return _is_at(self._path, self._descriptor)

    def give_back(self) -> None:
        # Removed while still locked, so that whoever opened it meanwhile sees that it is gone. Windows removes no open
        # file: there it stays, unlocked and harmless.
        if self.is_in_place:
            with suppress(OSError):
                self._path.unlink()
        os.close(self._descriptor)


class SessionLocks:
    """The sessions that this process may write to. For one thread at a time: the writer's."""

    def __init__(self, directory: Path, owner: Owner) -> None:
        self._directory = directory
        self._owner = owner
        self._held: dict[SessionId, FileLock] = {}

    def hold(self, session_id: SessionId) -> None:
        """For as long as this process lives, or until it lets go. Raises Conflict with the owner."""
        held = self._held.get(session_id)
        if held is not None and held.is_in_place:
            return
        # Of a lock whose file was deleted others know nothing.
        self.release(session_id)
        make_private_directory(self._directory)
        path = self._path(session_id)
        lock = FileLock.take(path, self._owner)
        if lock is None:
            owner = _read_owner(path)
            raise Conflict(
                f"Session {session_id} is open for writing in {owner or 'another window'}: "
                "go on there, or close it there and try again.",
                {"owner": asdict(owner)} if owner else None,
            )
        self._held[session_id] = lock

    @property
    def held_now(self) -> frozenset[SessionId]:
        return frozenset(self._held)

    @contextmanager
    def held(self, session_id: SessionId) -> Generator[None]:
        """For the last thing that is done to a session: it is released afterwards, whoever held it in this process."""
        self.hold(session_id)
        try:
            yield
        finally:
            self.release(session_id)

    def release(self, session_id: SessionId) -> None:
        lock = self._held.pop(session_id, None)
        if lock is not None:
            lock.give_back()

    def release_all(self) -> None:
        for session_id in tuple(self._held):
            self.release(session_id)

    def _path(self, session_id: SessionId) -> Path:
        # A digest, because an id may come from outside and file systems disagree about case and letters.
        return self._directory / f"{hashlib.sha256(session_id.encode()).hexdigest()[:32]}.lock"


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _describe(descriptor: int, owner: Owner) -> None:
    # On a full disk the lock holds all the same, without a description.
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, json.dumps(asdict(owner)).encode())


def _read_owner(path: Path) -> Owner | None:
    """None when the owner is just about to write it down, or just gone."""
    try:
        return Owner(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
