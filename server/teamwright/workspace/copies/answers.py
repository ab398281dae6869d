"""What agents had written when they answered: immutable, on disk, readable by their peers as `answers/agent1.2/…`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from teamwright.protocol.base import Wire
from teamwright.protocol.errors import LimitReached, NotFound
from teamwright.workspace.copies.staging import Blobs
from teamwright.workspace.files.beneath import DirectoryEntry
from teamwright.workspace.files.safe_files import ContentHash, Root, is_leftover

# Not `answers`: there lie the texts that people read.
_DIRECTORY = "snapshots"
_MOST_FILES = 1_000
_MOST_BYTES = 50_000_000
_DEEPEST = 32


class AnswerFiles(Wire):
    label: str
    files: dict[str, ContentHash]
    # False: there was more than an answer may carry.
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of one run. A crash leaves an answer whole or absent, so a resumed run can submit it again."""

    root: Root

    def submit(self, label: str, scratch: Root, changed: Mapping[str, str]) -> AnswerFiles:
        """Keeps what the scratch folder holds now, and these texts by their paths in the workspace, which go first. An
        answer that is already kept stays as it is."""
        kept = self._load(label)
        if kept is not None:
            return kept
        blobs, files, total, complete = Blobs(self.root), dict[str, ContentHash](), 0, True
        texts = ((name, text.encode("utf-8", "surrogatepass")) for name, text in changed.items())
        for name, data in chain(texts, _contents(scratch)):
            if name in files:
                continue
            if len(files) == _MOST_FILES:
                complete = False
                break
            if data is None or total + len(data) > _MOST_BYTES:
                complete = False
                continue
            files[name] = blobs.put(data)
            total += len(data)
        answer = AnswerFiles(label=label, files=files, complete=complete)
        # An answer without files is known from the log, so nothing is lost with this.
        self.root.write(_manifest(label), answer.to_json().encode("utf-8"), durable=bool(files))
        return answer

    def read(self, parts: tuple[str, ...]) -> bytes:
        """`parts` start with the answer's label."""
        content = self._answer(parts[0]).files.get("/".join(parts[1:])) if parts else None
        if content is None:
            raise NotFound(f"`answers/{'/'.join(parts)}` is not a file of an answer.")
        return Blobs(self.root).get(content)

    def entries(self, parts: tuple[str, ...]) -> tuple[DirectoryEntry, ...]:
        if not parts:
            return tuple(DirectoryEntry(label, "directory") for label in self._labels())
        prefix = "".join(f"{part}/" for part in parts[1:])
        below = [name.removeprefix(prefix) for name in self._answer(parts[0]).files if name.startswith(prefix)]
        if prefix and not below:
            raise NotFound(f"`answers/{'/'.join(parts)}` is not a folder of an answer.")
        found = {
            name.split("/")[0]: DirectoryEntry(name.split("/")[0], "directory" if "/" in name else "file")
            for name in below
        }
        return tuple(found[name] for name in sorted(found))

    def _labels(self) -> list[str]:
        try:
            saved = self.root.entries((_DIRECTORY,))
        except NotFound:
            return []
        return [entry.name.removesuffix(".json") for entry in saved if not is_leftover(entry.name)]

    def _answer(self, label: str) -> AnswerFiles:
        answer = self._load(label)
        if answer is None:
            raise NotFound(f"No answer `{label}` has files; these have: {', '.join(self._labels()) or 'none yet'}.")
        return answer

    def _load(self, label: str) -> AnswerFiles | None:
        saved = self.root.read_if_present(_manifest(label))
        # Empty is what a loss of power may leave of one that was not yet on disk.
        return AnswerFiles.model_validate_json(saved) if saved else None


def _manifest(label: str) -> tuple[str, ...]:
    return (_DIRECTORY, f"{label}.json")


def _contents(scratch: Root) -> Iterator[tuple[str, bytes | None]]:
    """None for a file that is too large. One that vanishes meanwhile is no longer part of the answer."""
    for parts in _files_below(scratch, ()):
        try:
            data = scratch.read_if_present(parts)
        except LimitReached:
            yield "/".join(parts), None
            continue
        if data is not None:
            yield "/".join(parts), data


def _files_below(root: Root, parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for entry in root.entries(parts):
        if entry.kind == "file" and not is_leftover(entry.name):
            yield (*parts, entry.name)
        elif entry.kind == "directory" and len(parts) < _DEEPEST:
            yield from _files_below(root, (*parts, entry.name))
