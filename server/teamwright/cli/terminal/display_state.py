"""What the server says is to be drawn, kept by id and in order: nothing is computed here."""

from collections.abc import Iterable, Iterator

from teamwright.protocol.ids import EntryId
from teamwright.protocol.transcript import (
    AnyPart,
    AnyPatchOp,
    AppendText,
    CodePart,
    Entry,
    MarkdownPart,
    PlainPart,
    RemoveEntry,
    UpsertEntry,
)


class OutOfStep(Exception):
    """A patch does not fit what is here: the transcript has to be opened again."""


class DisplayState:
    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._by_id: dict[EntryId, Entry] = {entry.entry_id: entry for entry in entries}
        self._order: list[EntryId] = list(self._by_id)

    def __iter__(self) -> Iterator[Entry]:
        return (self._by_id[entry_id] for entry_id in self._order)

    def get(self, entry_id: EntryId) -> Entry | None:
        return self._by_id.get(entry_id)

    def apply(self, patch: Iterable[AnyPatchOp]) -> list[EntryId]:
        """Which entries are new or have changed, each once. Raises OutOfStep."""
        touched: dict[EntryId, None] = {}
        for op in patch:
            match op:
                case UpsertEntry(entry=entry, after=after):
                    self._upsert(entry, after)
                    touched[entry.entry_id] = None
                case AppendText(entry_id=entry_id):
                    self._append(op)
                    touched[entry_id] = None
                case RemoveEntry(entry_id=entry_id):
                    if self._by_id.pop(entry_id, None) is not None:
                        self._order.remove(entry_id)
                    touched.pop(entry_id, None)
        return list(touched)

    def _upsert(self, entry: Entry, after: EntryId | None) -> None:
        if entry.entry_id not in self._by_id:
            behind = None if after is None or after not in self._by_id else self._order.index(after) + 1
            place = len(self._order) if behind is None else behind
            self._order.insert(place, entry.entry_id)
        self._by_id[entry.entry_id] = entry

    def _append(self, op: AppendText) -> None:
        entry = self._by_id.get(op.entry_id)
        if entry is None:
            raise OutOfStep
        parts = tuple(_longer(part, op) if part.part == op.part else part for part in entry.parts)
        self._by_id[op.entry_id] = entry.model_copy(update={"parts": parts})


def _longer(part: AnyPart, op: AppendText) -> AnyPart:
    if not isinstance(part, MarkdownPart | PlainPart | CodePart) or len(part.text) != op.offset:
        raise OutOfStep
    return part.model_copy(update={"text": part.text + op.text})
