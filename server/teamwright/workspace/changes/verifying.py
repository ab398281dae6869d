"""Whether an editor's changes came out as they were meant: the files themselves are asked, not the editor."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager

import anyio
from anyio import to_thread

from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.errors import UserError
from teamwright.workspace.changes.change_sets import contains_change
from teamwright.workspace.changes.file_writes import EditAccepted, EditOutcome, Write
from teamwright.workspace.changes.operations import Lost, Made, MovedOn, Outcome, WriteRefused
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.text import equal_but_for_endings


class EditVerifier:
    """Sees every text that a document passes through, so that typing right after a change does not hide it."""

    def __init__(self, live: LiveFiles, writes: Iterable[Write]) -> None:
        self._live = live
        self._unseen = {write.path: write for write in writes}
        self._seen: dict[WorkspacePath, Made] = {}
        self._all_seen = anyio.Event()

    @contextmanager
    def watching(self) -> Generator[None]:
        with self._live.watched(self._look_at_document):
            yield

    async def wait(self, seconds: float) -> None:
        """Until every file reads what was intended, but no longer than this."""
        await self._look_at_disk()
        with anyio.move_on_after(seconds):
            await self._all_seen.wait()
        await self._look_at_disk()

    def judged(self, write: Write, answer: EditOutcome) -> Outcome:
        """Blocks on the disk."""
        if (made := self._seen.get(write.path)) is not None:
            return made
        now = self._text_now(write.path)
        if write.text is None:
            return WriteRefused("the editor has not deleted it") if now == write.found.text else MovedOn()
        if contains_change(write.found.text, now, write.text):
            return Made(write.text)
        if isinstance(answer, EditAccepted):
            return (
                Made(write.text, verified=False)
                if now == write.found.text
                else Lost("the editor holds another text than was intended")
            )
        return WriteRefused(answer.reason) if self._is_untouched(write) else MovedOn()

    def _is_untouched(self, write: Write) -> bool:
        document, found = self._live.document(write.path), write.found
        if document is not None and found.document is not None:
            return document.version == found.document.version
        return self._text_now(write.path) == found.text

    def _text_now(self, path: WorkspacePath) -> str | None:
        try:
            return self._live.read_if_present(path)
        except UserError:
            return None

    def _look_at_document(self, path: WorkspacePath) -> None:
        document = self._live.document(path)
        if document is not None:
            self._compare(path, document.text)

    async def _look_at_disk(self) -> None:
        for path, text in await to_thread.run_sync(self._read, tuple(self._unseen.values())):
            self._compare(path, text)

    def _read(self, writes: Iterable[Write]) -> list[tuple[WorkspacePath, str | None]]:
        """A file is gone when the disk says so: a window may still show what it was."""
        return [
            (write.path, None if write.text is None and self._is_gone(write.path) else self._text_now(write.path))
            for write in writes
        ]

    def _is_gone(self, path: WorkspacePath) -> bool:
        return not self._live.folders.root(path).exists(path.parts)

    def _compare(self, path: WorkspacePath, text: str | None) -> None:
        write = self._unseen.get(path)
        if write is None or not _is_meant(write, text):
            return
        del self._unseen[path]
        self._seen[path] = Made(text)
        if not self._unseen:
            self._all_seen.set()


def _is_meant(write: Write, text: str | None) -> bool:
    if write.text is None or text is None or text == write.text:
        return text == write.text
    # Some editors hold every document with line endings of their own choice, and end the last line of every file.
    endings_alone = write.found.text is not None and equal_but_for_endings(write.found.text, write.text)
    return not endings_alone and equal_but_for_endings(text, write.text)
