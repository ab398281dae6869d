"""What one client has been told of a transcript, and the patch that tells it the rest."""

from typing import Final

from teamwright.engine.transcript.entries import TEXT, EntryList, Subject
from teamwright.protocol.ids import EntryId
from teamwright.protocol.transcript import AnyPatchOp, AppendText, Entry, RemoveEntry, Transcript, UpsertEntry

ENTRIES_AT_ONCE: Final = 200
_RESTLESS: Final = frozenset({"running", "waiting", "queued"})


class TranscriptFollower:
    def __init__(self, entries: EntryList) -> None:
        self._entries = entries
        self.rev = 0
        # What this client has: those it was told of, and those that it asked for.
        self._known: set[EntryId] = set()
        # Until it opens the transcript it has nothing, and is told of the latest entries.
        self._since = entries.version_before(ENTRIES_AT_ONCE)
        self._version = 0
        self._grown = 0
        # How much of a text that still grows it has.
        self._lengths: dict[EntryId, int] = {}
        # What was last said of entries that change often, so that nothing is said twice.
        self._said: dict[EntryId, Entry] = {}

    @property
    def has_changes(self) -> bool:
        return bool(self._entries.changed_since(self._version))

    def opened(self) -> Transcript:
        """The latest entries, as they are now: patches go on exactly behind them."""
        entries, more = self._entries.before(None, ENTRIES_AT_ONCE)
        self._known.clear()
        self._lengths.clear()
        self._said.clear()
        self._since = self._version = self._grown = self._entries.version
        for entry in entries:
            self._tell(entry)
        return Transcript(rev=self.rev, entries=entries, more=more)

    def earlier(self, entry_id: EntryId) -> Transcript:
        """Those before an entry that there is; from now on they are kept current too."""
        entries, more = self._entries.before(entry_id, ENTRIES_AT_ONCE)
        for entry in entries:
            self._tell(entry)
        return Transcript(rev=self.rev, entries=entries, more=more)

    def patch(self) -> tuple[AnyPatchOp, ...]:
        """All that is new. Whoever takes a patch that is not empty sends it."""
        changed = [each for each in self._entries.changed_since(self._version) if self._concerns(each)]
        gone = [each for each in changed if self._entries.get(each) is None]
        new = {each for each in changed if each not in self._known} - set(gone)
        ops: list[AnyPatchOp] = [RemoveEntry(entry_id=each) for each in gone if each in self._known]
        self._known -= set(gone)
        for entry_id in reversed(changed):
            if entry_id not in new and entry_id in self._known:
                ops += self._upserted(entry_id, None)
        for entry_id, after in self._placed(new):
            ops += self._upserted(entry_id, after)
        self._version = self._entries.version
        return (*ops, *self.appended())

    def appended(self) -> tuple[AppendText, ...]:
        """The new text of entries that the client has, and nothing else."""
        ops: list[AppendText] = []
        for entry_id in reversed(self._entries.grown_since(self._grown)):
            subject, told = self._entries.get(entry_id), self._lengths.get(entry_id)
            if subject is None or subject.stream is None or told is None or told >= subject.stream.length:
                continue
            ops.append(AppendText(entry_id=entry_id, part=TEXT, offset=told, text=subject.stream.since(told)))
            self._lengths[entry_id] = subject.stream.length
        self._grown = self._entries.version
        return tuple(ops)

    def _concerns(self, entry_id: EntryId) -> bool:
        return entry_id in self._known or self._entries.born_after(entry_id, self._since)

    def _placed(self, new: set[EntryId]) -> list[tuple[EntryId, EntryId | None]]:
        """In their order, each with the one before it."""
        left, placed = set(new), list[tuple[EntryId, EntryId | None]]()
        latest = self._entries.latest_first()
        current = next(latest, None)
        while left and current is not None:
            before = next(latest, None)
            if current in left:
                left.remove(current)
                placed.append((current, before))
            current = before
        return placed[::-1]

    def _upserted(self, entry_id: EntryId, after: EntryId | None) -> list[AnyPatchOp]:
        subject = self._entries.get(entry_id)
        if subject is None:
            return []
        entry = subject.draw()
        if self._said.get(entry_id) == entry and entry_id in self._known:
            return []
        self._tell(entry, subject)
        return [UpsertEntry(entry=entry, after=after)]

    def _tell(self, entry: Entry, subject: Subject | None = None) -> None:
        entry_id = entry.entry_id
        subject = subject or self._entries.get(entry_id)
        self._known.add(entry_id)
        if subject is not None and subject.stream is not None:
            self._lengths[entry_id] = subject.stream.length
        else:
            self._lengths.pop(entry_id, None)
        if entry.state in _RESTLESS:
            self._said[entry_id] = entry
        else:
            self._said.pop(entry_id, None)
