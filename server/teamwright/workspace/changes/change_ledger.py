"""A run's change set on disk: what was proposed, what we were about to write, and what came of it.

The intent is recorded before a file is touched and the outcome after, both by content, so that after a crash the file
itself says whether it happened and nothing is applied twice.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.base import Wire
from teamwright.protocol.changes import SettledFile
from teamwright.protocol.errors import Conflict, NotFound, UserError
from teamwright.protocol.ids import AgentId, SessionId
from teamwright.workspace.changes.change_sets import FileChange
from teamwright.workspace.copies.staging import Blobs
from teamwright.workspace.files.folders import STYLE, path_of_uri
from teamwright.workspace.files.safe_files import ContentHash, Root
from teamwright.workspace.files.text import Encoding

_FILE = "changes.json"
_OURS = "ours"

ChangeState = Literal["proposed", "intended", "applied", "rejected", "conflicted", "undone"]


class RecordedChange(Wire):
    uri: str
    folder: str
    parts: tuple[str, ...]
    before: ContentHash | None
    after: ContentHash | None
    state: ChangeState = "proposed"
    # What stood there when we wrote, and what we wrote; both None until there is an intent.
    found: ContentHash | None = None
    wrote: ContentHash | None = None
    encoding: Encoding = "utf-8"
    reason: str | None = None


class _Recorded(Wire):
    # The session whose run it is: one that was imported or forked names the same run, and has no hand in its files.
    session_id: SessionId
    agent_id: AgentId
    changes: tuple[RecordedChange, ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """A write of ours that can be taken back."""

    path: WorkspacePath
    uri: str
    found: str | None
    wrote: str | None
    encoding: Encoding


@dataclass(frozen=True, slots=True)
class Intent:
    """What we are about to write over what; None: there is no such file."""

    uri: str
    found: str | None
    wrote: str | None
    encoding: Encoding = "utf-8"


class ChangeLedger:
    """One writer: the session that owns the run."""

    def __init__(self, run_directory: Root, owner: SessionId) -> None:
        """Raises Conflict where what lies there cannot be read."""
        self._root = run_directory
        self._owner = owner
        self._blobs = Blobs(run_directory)
        saved = run_directory.read_if_present((_FILE,))
        recorded = None if saved is None else _read(saved)
        self._recorded = recorded if recorded is not None and recorded.session_id == owner else None

    @property
    def agent_id(self) -> AgentId:
        """Whose changes these are. Raises NotFound where nobody has proposed any."""
        if self._recorded is None:
            raise NotFound("This run has proposed no changes.")
        return self._recorded.agent_id

    def record(self, changes: Iterable[FileChange], agent_id: AgentId) -> None:
        recorded = (
            RecordedChange(
                uri=change.uri,
                folder=change.path.folder,
                parts=change.path.parts,
                before=self._blobs.put_text(change.before),
                after=self._blobs.put_text(change.after),
            )
            for change in changes
        )
        self._save(_Recorded(session_id=self._owner, agent_id=agent_id, changes=tuple(recorded)))

    def changes(self, *states: ChangeState) -> tuple[FileChange, ...]:
        """Those in any of these states; without one, all."""
        return tuple(self._change(each) for each in self._all() if not states or each.state in states)

    def change(self, uri: str) -> FileChange:
        return self._change(self.recorded(uri))

    def settled(self) -> tuple[SettledFile, ...]:
        """What became of every file about which something is settled."""
        return tuple(settled for each in self._all() if (settled := _settled(each)) is not None)

    def states(self) -> dict[str, ChangeState]:
        return {each.uri: each.state for each in self._all()}

    def recorded(self, uri: str) -> RecordedChange:
        """Raises NotFound. An editor may spell the URI of a file in its own way."""
        found = next((change for change in self._all() if change.uri == uri), None)
        if found is None and (path := path_of_uri(uri, STYLE)) is not None:
            found = next((change for change in self._all() if path_of_uri(change.uri, STYLE) == path), None)
        if found is None:
            raise NotFound(f"This run proposes no change to {uri}.")
        return found

    def intend(self, *intents: Intent) -> None:
        self._update(
            {
                intent.uri: {
                    "state": "intended",
                    "found": self._blobs.put_text(intent.found),
                    "wrote": self._blobs.put_text(intent.wrote),
                    "encoding": intent.encoding,
                    "reason": None,
                }
                for intent in intents
            }
        )

    def settle(self, *settled: SettledFile) -> None:
        self._update({file.uri: {"state": file.outcome, "reason": file.reason} for file in settled})

    def correct(self, uri: str, wrote: str) -> None:
        """What came of an intent reads a little differently: an editor may have line endings of its own."""
        self._update({uri: {"wrote": self._blobs.put_text(wrote)}})

    def undone(self, *uris: str) -> None:
        self._update({uri: {"state": "undone", "reason": None} for uri in uris})

    def keep_ours(self, uri: str) -> Path | None:
        """Where a person finds the text that could not be applied; None where it was a deletion."""
        change = self.change(uri)
        if change.after is None:
            return None
        parts = (_OURS, change.path.folder, *change.path.parts)
        self._root.write(parts, change.after.encode("utf-8", "replace"))
        return self._root.path.joinpath(*parts)

    def receipts(self) -> tuple[Receipt, ...]:
        return tuple(
            self._receipt(each) for each in self._all() if each.state == "applied" and each.found != each.wrote
        )

    def recover(self, current: Callable[[WorkspacePath], str | None]) -> tuple[SettledFile, ...]:
        """After a crash: what became of each intent, told by what the file reads now. What did not happen is proposed
        as before."""
        settled: list[SettledFile] = []
        for change in self._all():
            if change.state != "intended":
                continue
            receipt = self._receipt(change)
            try:
                text = current(receipt.path)
            except UserError as unreadable:
                settled.append(SettledFile(uri=change.uri, outcome="conflicted", reason=unreadable.message))
                continue
            if text == receipt.wrote:
                settled.append(SettledFile(uri=change.uri, outcome="applied"))
            elif text == receipt.found:
                self._update({change.uri: {"state": "proposed"}})
            else:
                reason = "changed by somebody while it was being applied"
                settled.append(SettledFile(uri=change.uri, outcome="conflicted", reason=reason))
        self.settle(*settled)
        return tuple(settled)

    def _all(self) -> tuple[RecordedChange, ...]:
        return self._recorded.changes if self._recorded else ()

    def _change(self, change: RecordedChange) -> FileChange:
        path = WorkspacePath(change.folder, change.parts)
        return FileChange(path, change.uri, self._blobs.get_text(change.before), self._blobs.get_text(change.after))

    def _receipt(self, change: RecordedChange) -> Receipt:
        path = WorkspacePath(change.folder, change.parts)
        found, wrote = self._blobs.get_text(change.found), self._blobs.get_text(change.wrote)
        return Receipt(path, change.uri, found, wrote, change.encoding)

    def _update(self, fields: Mapping[str, Mapping[str, object]]) -> None:
        """By URI, and all of them in one write."""
        if self._recorded is not None and fields:
            changes = tuple(each.model_copy(update=fields.get(each.uri, {})) for each in self._recorded.changes)
            self._save(self._recorded.model_copy(update={"changes": changes}))

    def _save(self, recorded: _Recorded) -> None:
        self._root.write((_FILE,), recorded.to_json().encode("utf-8"))
        self._recorded = recorded


def _read(saved: bytes) -> _Recorded:
    try:
        return _Recorded.model_validate_json(saved)
    except ValidationError:
        raise Conflict("The record of this run's changes is damaged; nothing of them can be applied.") from None


def _settled(change: RecordedChange) -> SettledFile | None:
    match change.state:
        case "proposed" | "intended":
            return None
        case "undone":
            return SettledFile(uri=change.uri, outcome="rejected", reason="undone")
        case outcome:
            return SettledFile(uri=change.uri, outcome=outcome, reason=change.reason)
