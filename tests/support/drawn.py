"""What a thin client does with patches, and nothing else: a list by id, text appended at its offset."""

from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]


class DrawnTranscript:
    def __init__(self, opened: Json | None = None) -> None:
        self.rev: int = opened["rev"] if opened else 0
        self.entries: list[Json] = list(opened["entries"]) if opened else []

    def take(self, event: Json) -> None:
        assert event["rev"] == self.rev + 1, f"a gap behind {self.rev}: {event['rev']}"
        self.rev = event["rev"]
        self.apply(event["patch"])

    def apply(self, patch: Iterable[Json]) -> None:
        for op in patch:
            match op["op"]:
                case "upsert":
                    self._upsert(op["entry"], op.get("after"))
                case "remove":
                    del self.entries[self._place(op["entryId"])]
                case "append":
                    self._append(op)
                case other:
                    raise AssertionError(other)

    def entry(self, entry_id: str) -> Json:
        return self.entries[self._place(entry_id)]

    def of_kind(self, kind: str) -> list[Json]:
        return [entry for entry in self.entries if entry["kind"] == kind]

    def in_words(self) -> list[str]:
        """Each entry on a line."""
        return [in_words(entry) for entry in self.entries]

    def _place(self, entry_id: str) -> int:
        return next(at for at, entry in enumerate(self.entries) if entry["entryId"] == entry_id)

    def _upsert(self, entry: Json, after: str | None) -> None:
        ids = [each["entryId"] for each in self.entries]
        if entry["entryId"] in ids:
            self.entries[ids.index(entry["entryId"])] = entry
        else:
            self.entries.insert(ids.index(after) + 1 if after in ids else len(ids), entry)

    def _append(self, op: Json) -> None:
        at = self._place(op["entryId"])
        entry = self.entries[at]
        parts = [dict(part) for part in entry["parts"]]
        (part,) = [part for part in parts if part["part"] == op["part"]]
        assert len(part["text"]) == op["offset"], "text is missing, or comes twice"
        part["text"] += op["text"]
        self.entries[at] = {**entry, "parts": parts}


def in_words(entry: Json) -> str:
    texts = [part["text"] for part in entry["parts"] if part.get("text")]
    return f"{entry['kind']} ({entry.get('state')}) {entry.get('title')}" + "".join(f" | {text}" for text in texts)
