"""The user's files, replaced only while they are what was looked at, whoever saves them at that very moment.

Between a comparison and a write there is always room for somebody's save. So nothing is written over anything: the new
file and the one that is there change places in one step of the kernel's, and what came out is looked at afterwards. If
it is not what was expected, or somebody still writes to it, it goes back, and the user's version stands.

What waits or came out lies in a directory of ours, with a note of what it is: a process that is killed in between
leaves nothing in the workspace, and the next one puts back what must go back. Where that directory is on another disk
than the workspace, it lies beside the file instead, hidden, and the note says where.

Blocks on the disk: call it in a worker thread.
"""

import errno
import os
import secrets
import stat
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from teamwright.protocol.base import Wire
from teamwright.protocol.errors import NotPermitted, UserError
from teamwright.workspace.files.beneath import HAS_DESCRIPTORS, DescriptorDirectory, opened
from teamwright.workspace.files.exchange import UNSUPPORTED, Name, exchange, has_writer, is_held, move_to_free_place
from teamwright.workspace.files.safe_files import ContentChanged, ContentHash, Holding, Root, fault_of, hash_of

_LOCK: Final = "held"
_NOTE: Final = ".json"
_PREFIX: Final = ".teamwright-"
_SUFFIX: Final = ".tmp"
# Somebody who saves again and again while we put his version back.
_MOST_EXCHANGES: Final = 5
_OPEN: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _OPEN


class _Note(Wire):
    """What lies aside: the folder, the file's place in it, what was expected there, and what was to come."""

    root: str
    parts: tuple[str, ...]
    expected: ContentHash | None
    intended: ContentHash | None
    # Beside the file itself, under this name; else in the directory of the note.
    beside: str | None = None


class ExactWrites:
    def __init__(self, directory: Path) -> None:
        """`directory` is of ours alone; each process has a part of it."""
        self._all = directory
        self._own: Path | None = None

    def replace(self, root: Root, parts: tuple[str, ...], data: bytes, expected: ContentHash) -> None:
        """Raises ContentChanged where something else is there than was expected, or comes meanwhile."""
        if not HAS_DESCRIPTORS:
            root.write(parts, data, Holding(expected))
            return
        with self._work(root, parts, expected, hash_of(data)) as work:
            work.replace(data)

    def create(self, root: Root, parts: tuple[str, ...], data: bytes) -> None:
        """Raises ContentChanged where there is such a file by now."""
        if not HAS_DESCRIPTORS:
            root.write(parts, data, Holding(None))
            return
        with self._work(root, parts, None, hash_of(data), make_missing=True) as work:
            work.create(data)

    def delete(self, root: Root, parts: tuple[str, ...], expected: ContentHash) -> None:
        if not HAS_DESCRIPTORS:
            root.delete(parts, Holding(expected))
            return
        with self._work(root, parts, expected, None) as work:
            work.delete()

    def recover(self) -> None:
        """What processes that are gone have left: the user's version goes back where it was, the rest goes away."""
        with suppress(FileNotFoundError):
            for part in sorted(self._all.iterdir()):
                with ExitStack() as held:
                    try:
                        descriptor = os.open(part / _LOCK, os.O_RDWR | _OPEN)
                    except OSError:
                        continue
                    held.callback(os.close, descriptor)
                    if part != self._own and not is_held(descriptor):
                        _recover(part)

    @contextmanager
    def _work(
        self,
        root: Root,
        parts: tuple[str, ...],
        expected: ContentHash | None,
        intended: ContentHash | None,
        *,
        make_missing: bool = False,
    ) -> Generator["_Work"]:
        shown = "/".join(parts)
        try:
            with _place(root, parts, make_missing=make_missing) as place, ExitStack() as stack:
                aside = os.open(self._part(), _DIRECTORY)
                stack.callback(os.close, aside)
                entry = f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"
                note = _Note(root=str(root.path), parts=parts, expected=expected, intended=intended)
                work = _Work(place, Name(aside, entry), note, self._part(), shown)
                stack.callback(work.close)
                yield work
        except FileNotFoundError as error:
            if expected is None:
                raise fault_of(error, shown) from error
            raise ContentChanged(f"`{shown}` has been taken away meanwhile.") from error
        except OSError as error:
            raise fault_of(error, shown) from error

    def _part(self) -> Path:
        if self._own is None:
            own = self._all / secrets.token_hex(8)
            own.mkdir(parents=True, mode=0o700)
            # Held for as long as this process lives; the kernel lets go of it.
            _ = is_held(os.open(own / _LOCK, os.O_RDWR | os.O_CREAT | _OPEN, 0o600))
            self._own = own
        return self._own


@contextmanager
def _place(root: Root, parts: tuple[str, ...], *, make_missing: bool = False) -> Generator[Name]:
    with opened(root.path, parts[:-1], make_missing=make_missing) as directory:
        if not isinstance(directory, DescriptorDirectory):
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        yield Name(directory.descriptor, parts[-1])


class _Work:
    """One file on its way."""

    def __init__(self, place: Name, aside: Name, note: _Note, directory: Path, shown: str) -> None:
        self._place = place
        self._aside = aside
        self._note = note
        self._note_path = directory / f"{aside.entry}{_NOTE}"
        self._kept_path = directory / f"{aside.entry}.kept"
        self._shown = shown

    def create(self, data: bytes) -> None:
        with self._written(data, 0o666):
            try:
                self._across(move_to_free_place)
            except FileExistsError:
                raise self._changed() from None
            os.fsync(self._place.directory)

    def replace(self, data: bytes) -> None:
        found = self._compare(self._place)
        with self._written(data, 0o600) as new:
            _take_over(found, self._place, new, self._shown)
            try:
                self._across(exchange)
            except OSError as error:
                if error.errno not in UNSUPPORTED:
                    raise
                # The smallest window that there is without it.
                self._compare(self._place)
                os.replace(
                    self._aside.entry,
                    self._place.entry,
                    src_dir_fd=self._aside.directory,
                    dst_dir_fd=self._place.directory,
                )
            else:
                self._look_at_what_came_out(found, new)
            os.fsync(self._place.directory)

    def delete(self) -> None:
        self._compare(self._place)
        self._write_note()
        self._move_aside()
        if not self._is_as_expected():
            try:
                move_to_free_place(self._aside, self._place)
            except FileExistsError:
                self._keep()
            raise self._changed()
        os.fsync(self._place.directory)

    def close(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._aside.entry, dir_fd=self._aside.directory)
        with suppress(FileNotFoundError):
            self._note_path.unlink()

    def _look_at_what_came_out(self, found: os.stat_result, new: int) -> None:
        if self._is_as_expected():
            came_out = _look(self._aside)
            if stat.S_IMODE(came_out.st_mode) != stat.S_IMODE(found.st_mode):
                os.fchmod(new, stat.S_IMODE(came_out.st_mode))
            return
        self._put_back(os.fstat(new))
        raise self._changed()

    def _put_back(self, ours: os.stat_result) -> None:
        """The newest that the user has saved stands at the end, also if he saves again and again meanwhile."""
        put, goes_in = ours, _look(self._aside)
        for _ in range(_MOST_EXCHANGES):
            try:
                exchange(self._aside, self._place)
            except FileNotFoundError:
                # Taken away or renamed by now. What had been saved before is not thrown away.
                return self._keep()
            came_out = _look(self._aside)
            if os.path.samestat(came_out, put):
                return None
            # Something newer than what we have just put there: it goes back in.
            put, goes_in = goes_in, came_out
        return self._keep()

    def _is_as_expected(self) -> bool:
        try:
            found = self._compare(self._aside)
        except (ContentChanged, UserError):
            return False
        descriptor = os.open(self._aside.entry, os.O_RDONLY | _OPEN, dir_fd=self._aside.directory)
        try:
            # Whoever has it open would go on writing to what is no longer there. What he wrote before, he wrote by now.
            return has_writer(descriptor) is not True and self._compare(self._aside).st_ino == found.st_ino
        finally:
            os.close(descriptor)

    def _compare(self, name: Name) -> os.stat_result:
        descriptor = os.open(name.entry, os.O_RDONLY | os.O_NONBLOCK | _OPEN, dir_fd=name.directory)
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise NotPermitted(f"`{self._shown}` is not a regular file and is not replaced.")
            if found.st_nlink > 1:
                raise NotPermitted(
                    f"`{self._shown}` has {found.st_nlink} names (hard links) and is not replaced: the others would "
                    "keep the old text. Change it in the editor."
                )
            if hash_of(file.read()) != self._note.expected:
                raise self._changed()
        return found

    @contextmanager
    def _written(self, data: bytes, mode: int) -> Generator[int]:
        descriptor = os.open(
            self._aside.entry, os.O_RDWR | os.O_CREAT | os.O_EXCL | _OPEN, mode, dir_fd=self._aside.directory
        )
        # Buffered, because a bare write may stop short on a full disk without an error.
        with os.fdopen(descriptor, "w+b") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
            self._write_note()
            yield descriptor

    def _across(self, step: Callable[[Name, Name], None]) -> None:
        """From aside to its place; by way of a name beside it where that is on another disk."""
        try:
            step(self._aside, self._place)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            self._move_beside()
            step(self._aside, self._place)

    def _move_beside(self) -> None:
        """A copy, in fact: only there can it change places with the file."""
        beside = Name(self._place.directory, self._aside.entry)
        self._note = self._note.model_copy(update={"beside": beside.entry})
        self._write_note()
        source = os.open(self._aside.entry, os.O_RDONLY | _OPEN, dir_fd=self._aside.directory)
        with os.fdopen(source, "rb") as old:
            found = os.fstat(source)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OPEN
            target = os.open(beside.entry, flags, 0o600, dir_fd=beside.directory)
            with os.fdopen(target, "wb") as new:
                new.write(old.read())
                new.flush()
                _take_over(found, self._aside, target, self._shown)
                os.fsync(target)
        os.unlink(self._aside.entry, dir_fd=self._aside.directory)
        self._aside = beside

    def _move_aside(self) -> None:
        try:
            move_to_free_place(self._place, self._aside)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            self._aside = Name(self._place.directory, self._aside.entry)
            self._note = self._note.model_copy(update={"beside": self._aside.entry})
            self._write_note()
            move_to_free_place(self._place, self._aside)

    def _keep(self) -> None:
        """What must neither go back nor be lost."""
        source = os.open(self._aside.entry, os.O_RDONLY | _OPEN, dir_fd=self._aside.directory)
        with os.fdopen(source, "rb") as file:
            self._kept_path.write_bytes(file.read())

    def _write_note(self) -> None:
        self._note_path.write_text(self._note.to_json(), encoding="utf-8")

    def _changed(self) -> ContentChanged:
        kept = f"; what had been saved is kept in {self._kept_path}" if self._kept_path.exists() else ""
        return ContentChanged(f"`{self._shown}` has changed meanwhile and is left as it is{kept}.")


def _look(name: Name) -> os.stat_result:
    return os.stat(name.entry, dir_fd=name.directory, follow_symlinks=False)


def _take_over(found: os.stat_result, name: Name, new: int, shown: str) -> None:
    """Owner, mode and attributes of the one that is replaced, or a refusal."""
    try:
        ours = os.fstat(new)
        if (ours.st_uid, ours.st_gid) != (found.st_uid, found.st_gid):
            os.fchown(new, found.st_uid, found.st_gid)
        os.fchmod(new, stat.S_IMODE(found.st_mode))
        if hasattr(os, "listxattr"):
            old = os.open(name.entry, os.O_RDONLY | _OPEN, dir_fd=name.directory)
            try:
                for attribute in os.listxattr(old):
                    os.setxattr(new, attribute, os.getxattr(old, attribute))
            finally:
                os.close(old)
    except PermissionError:
        raise NotPermitted(
            f"`{shown}` belongs to somebody else, or has attributes that cannot be kept, and is not replaced; change "
            "it in the editor."
        ) from None


def _recover(part: Path) -> None:
    for note_path in sorted(part.glob(f"*{_NOTE}")):
        try:
            note = _Note.model_validate_json(note_path.read_bytes())
        except (ValidationError, OSError):
            continue
        with suppress(UserError, OSError), _place(Root(Path(note.root)), note.parts) as place:
            _settle(part, note, note_path.name.removesuffix(_NOTE), place)
        with suppress(OSError):
            note_path.unlink()
    if not any(part.glob("*.kept")):
        for left in part.iterdir():
            with suppress(OSError):
                left.unlink()
        with suppress(OSError):
            part.rmdir()


def _settle(part: Path, note: _Note, entry: str, place: Name) -> None:
    descriptor = os.open(part, _DIRECTORY)
    try:
        aside = Name(descriptor if note.beside is None else place.directory, entry)
        content = _content(aside)
        if content is None:
            return
        if content not in {note.expected, note.intended}:
            # The user's save came out, and its way back was cut off.
            now = _content(place)
            if now == note.intended and now is not None:
                exchange(aside, place)
            elif now is None:
                move_to_free_place(aside, place)
                return
        os.unlink(aside.entry, dir_fd=aside.directory)
    finally:
        os.close(descriptor)


def _content(name: Name) -> ContentHash | None:
    try:
        descriptor = os.open(name.entry, os.O_RDONLY | os.O_NONBLOCK | _OPEN, dir_fd=name.directory)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        return hash_of(file.read()) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
