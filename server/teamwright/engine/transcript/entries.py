"""The entries in their order, and which of them have changed since when. What an entry shows is drawn when it is asked
for: a burst of facts costs one drawing."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from teamwright.protocol.ids import AgentId, DecisionId, EntryId, RunId, TurnId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.transcript import Entry

# What a client is sent of a text; a longer one is cut, once for all who look at it.
MAX_TEXT_BYTES: Final = 64 * 1024
# The part of an entry that grows.
TEXT: Final = "text"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an entry came from: the record that it began with."""

    at: datetime
    seq: int | None
    turn_id: TurnId | None = None
    run_id: RunId | None = None
    agent_id: AgentId | None = None
    decision_id: DecisionId | None = None

    @classmethod
    def of(cls, record: EventRecord) -> "Origin":
        return cls(record.at, record.seq, record.turn_id, record.run_id, record.agent_id)

    @classmethod
    def of_run(cls, record: EventRecord) -> "Origin":
        """Of what concerns all its agents, whoever brought it about."""
        return cls(record.at, record.seq, record.turn_id, record.run_id)

    def about(self, decision_id: DecisionId) -> "Origin":
        return replace(self, decision_id=decision_id)

    def fields(self) -> dict[str, Any]:
        return {
            "at": self.at,
            "seq": self.seq,
            "turn_id": self.turn_id,
            "run_id": self.run_id,
            "agent_id": self.agent_id,
            "decision_id": self.decision_id,
        }


class StreamedText:
    """A text as it comes, piece by piece. Taking a piece, and telling what came since, cost no more than the piece."""

    def __init__(self, text: str = "") -> None:
        self._pieces: list[str] = []
        self._starts: list[int] = []
        self._received = 0
        self._bytes = 0
        self.length = 0
        self.is_cut = False
        self._take(text)

    @property
    def text(self) -> str:
        if len(self._pieces) > 1:
            self._pieces, self._starts = ["".join(self._pieces)], [0]
        return self._pieces[0] if self._pieces else ""

    def grow(self, offset: int, text: str) -> None:
        """What does not follow on what is known is left to the end, which has the whole text."""
        if offset == self._received:
            self._take(text)

    def catch_up(self, text: str) -> None:
        """From its beginning on; what is known of it already stays as it is."""
        self._take(text[self._received :])

    def since(self, offset: int) -> str:
        first = max(bisect_right(self._starts, offset) - 1, 0)
        pieces = self._pieces[first:]
        if pieces:
            pieces[0] = pieces[0][offset - self._starts[first] :]
        return "".join(pieces)

    def _take(self, text: str) -> None:
        self._received += len(text)
        if self.is_cut or not text:
            return
        size = len(text.encode(errors="replace"))
        if self._bytes + size > MAX_TEXT_BYTES:
            text = text.encode(errors="replace")[: MAX_TEXT_BYTES - self._bytes].decode(errors="ignore")
            self.is_cut = True
        self._pieces.append(text)
        self._starts.append(self.length)
        self._bytes += size
        self.length += len(text)


class Subject(ABC):
    """Something that an entry shows, as far as it is known by now."""

    # Of its part `text`, while it grows.
    stream: StreamedText | None = None
    # A message that waits stays below everything that comes before it is its turn.
    waits: bool = False

    def __init__(self, entry_id: EntryId, origin: Origin) -> None:
        self.entry_id = entry_id
        self.origin = origin

    @abstractmethod
    def draw(self) -> Entry: ...


class EntryList:
    def __init__(self) -> None:
        self.version = 0
        self._order: list[EntryId] = []
        self._subjects: dict[EntryId, Subject] = {}
        self._born: dict[EntryId, int] = {}
        # Each with the version of its latest change, the latest last; what was removed stays in it.
        self._changed: OrderedDict[EntryId, int] = OrderedDict()
        self._grown: OrderedDict[EntryId, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._order)

    def get(self, entry_id: EntryId) -> Subject | None:
        return self._subjects.get(entry_id)

    def show(self, subject: Subject) -> None:
        """It is new, or has changed."""
        if subject.entry_id not in self._subjects:
            self._place(subject)
        self._subjects[subject.entry_id] = subject
        self._note(self._changed, subject.entry_id)

    def grow(self, subject: Subject) -> None:
        """Only its text has become longer."""
        self._note(self._grown, subject.entry_id)

    def remove(self, entry_id: EntryId) -> None:
        if self._subjects.pop(entry_id, None) is not None:
            self._order.remove(entry_id)
            self._note(self._changed, entry_id)

    def born_after(self, entry_id: EntryId, version: int) -> bool:
        return self._born.get(entry_id, 0) > version

    def version_before(self, count: int) -> int:
        """Before the first of the latest entries, that many of them, was there."""
        return min((self._born[each] for each in self._order[-count:]), default=self.version + 1) - 1

    def changed_since(self, version: int) -> list[EntryId]:
        return list(_since(self._changed, version))

    def grown_since(self, version: int) -> list[EntryId]:
        return list(_since(self._grown, version))

    def latest_first(self) -> Iterator[EntryId]:
        return reversed(self._order)

    def before(self, entry_id: EntryId | None, count: int) -> tuple[tuple[Entry, ...], bool]:
        """At most that many entries, those nearest to the given one or to the end, and whether there are more."""
        end = len(self._order) if entry_id is None else self._order.index(entry_id)
        start = max(0, end - count)
        return tuple(self._subjects[each].draw() for each in self._order[start:end]), start > 0

    def _place(self, subject: Subject) -> None:
        at = len(self._order)
        if not subject.waits:
            while at and self._subjects[self._order[at - 1]].waits:
                at -= 1
            # With nothing before them there is nothing that those who wait could stand behind.
            at = at or len(self._order)
        self._order.insert(at, subject.entry_id)
        self._born[subject.entry_id] = self.version + 1

    def _note(self, versions: OrderedDict[EntryId, int], entry_id: EntryId) -> None:
        self.version += 1
        versions[entry_id] = self.version
        versions.move_to_end(entry_id)


def _since(versions: OrderedDict[EntryId, int], version: int) -> Iterator[EntryId]:
    for entry_id, changed in reversed(versions.items()):
        if changed <= version:
            return
        yield entry_id
