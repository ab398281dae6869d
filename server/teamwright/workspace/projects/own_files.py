"""Files that the server writes by itself: only over what it wrote before, never over what a person did to them.

Of a Markdown file only the part between two comments is ours; where the file is open, the editor makes the change.
Blocks on the disk: call it in a worker thread.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.changes import SettledFile
from teamwright.protocol.errors import UserError
from teamwright.protocol.ids import AgentId
from teamwright.workspace.changes.file_writes import Write, look
from teamwright.workspace.changes.operations import Lost, Made, MovedOn, Outcome, WriteRefused
from teamwright.workspace.files.live_files import LiveFiles, bytes_or_refusal, text_or_refusal
from teamwright.workspace.files.safe_files import ContentChanged, Holding, Root, hash_of
from teamwright.workspace.files.text import Text, decode, in_style_of

_MARK = re.compile(r"<!--\s*/?\s*teamwright:.*?-->", re.DOTALL)
_BY = AgentId("assistant")


@dataclass(frozen=True, slots=True)
class Written:
    """The file says what it should, by this write or since before."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A person's version stays."""

    reason: str


@dataclass(frozen=True, slots=True)
class InEditor:
    """The file is open: the editor has to make the change."""

    path: WorkspacePath
    before: str
    after: str


OwnWrite = Written | Kept | InEditor


def write_own(
    root: Root, parts: tuple[str, ...], text: str, *, replaces: tuple[str, ...] = (), durable: bool = True
) -> OwnWrite:
    """Over nothing, over the same, or over one of the texts that we know to be our own earlier ones."""
    new = text.encode("utf-8", "replace")
    try:
        current = root.read_if_present(parts)
        if current == new:
            return Written()
        if current is not None and text_or_refusal(current, parts) not in replaces:
            return Kept("it has been edited by hand")
        root.write(parts, new, Holding(None if current is None else hash_of(current)), durable=durable)
    except UserError as refused:
        return Kept(refused.message)
    return Written()


def revise(live: LiveFiles, path: WorkspacePath, change: Callable[[str], str]) -> OwnWrite:
    """Changes the part of a shared file that is ours, in the editor where it is open; see `revise_file`."""
    document = live.document(path)
    if document is None:
        return revise_file(live.folders.root(path), path.parts, change)
    after = change(document.text)
    return Written() if after == document.text else InEditor(path, document.text, after)


def revise_file(root: Root, parts: tuple[str, ...], change: Callable[[str], str]) -> Written | Kept:
    """`change` leaves what is not ours as it is. Raises when the file cannot be read or written at all."""
    data = root.read_if_present(parts)
    old = Text("") if data is None else decode(data)
    if not isinstance(old, Text):
        return Kept("it is not a text in UTF-8 or UTF-16")
    new = Text(change(old.text), old.encoding)
    if new != old:
        try:
            root.write(parts, bytes_or_refusal(new, parts), Holding(None if data is None else hash_of(data)))
        except ContentChanged as changed:
            return Kept(changed.message)
    return Written()


def section_of(text: str, name: str) -> str | None:
    """What stands in our section, or None where there is none."""
    found = _find(text, name)
    return None if found is None else text[found[0] : found[1]].strip("\r\n")


def with_section(text: str, name: str, body: str, *, title: str) -> str:
    """With our section saying `body`; a section that people took away is put at the end again, under `title`."""
    body = _without_marks(body).strip("\n")
    lines = f"{body}\n" if body else ""
    found = _find(text, name)
    if found is not None:
        changed = text[: found[0]] + lines + text[found[1] :]
    else:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        changed = f"{text}{gap}## {title}\n\n{_start(name)}\n{lines}{_end(name)}\n"
    return in_style_of(text, changed)


def with_line(text: str, name: str, line: str, *, title: str) -> str:
    """With one more line at the end of our section."""
    before = section_of(text, name) or ""
    return with_section(text, name, f"{before}\n{line}", title=title)


def _find(text: str, name: str) -> tuple[int, int] | None:
    """From after the line of the opening mark to the closing one."""
    opened = re.search(re.escape(_start(name)) + r"[ \t]*(?:\r\n|\n|\r)", text)
    closed = text.find(_end(name), opened.end()) if opened else -1
    return (opened.end(), closed) if opened and closed >= 0 else None


def _start(name: str) -> str:
    return f"<!-- teamwright:{name} -->"


def _end(name: str) -> str:
    return f"<!-- /teamwright:{name} -->"


def _without_marks(body: str) -> str:
    """What models and tasks say must not open or close a section."""
    return _MARK.sub("", body)


class Revision:
    """An operation; see there."""

    def __init__(self, live: LiveFiles, revision: InEditor) -> None:
        self.agent_id = _BY
        self.settled: tuple[SettledFile, ...] = ()
        self._live = live
        self._revision = revision
        self._uri = live.uri(revision.path)

    def plan(self) -> tuple[Write, ...]:
        found = look(self._live, self._revision.path)
        if self.settled:
            return ()
        if found.text == self._revision.before:
            return (Write(self._revision.path, self._uri, found, self._revision.after),)
        self._settle("applied" if found.text == self._revision.after else "it was changed meanwhile")
        return ()

    def report(self, outcomes: Sequence[tuple[Write, Outcome]]) -> None:
        for _, outcome in outcomes:
            match outcome:
                case Made():
                    self._settle("applied")
                case WriteRefused(reason) | Lost(reason):
                    self._settle(reason)
                case MovedOn():
                    pass
                case _:
                    assert_never(outcome)

    def _settle(self, how: str) -> None:
        if how == "applied":
            self.settled = (SettledFile(uri=self._uri, outcome="applied"),)
        else:
            self.settled = (SettledFile(uri=self._uri, outcome="rejected", reason=how),)
