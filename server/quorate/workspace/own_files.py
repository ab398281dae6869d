"""Files that the server writes by itself: only over what it wrote before, never over what a person did to them.

Blocks on the disk: call it in a worker thread.
"""

from collections.abc import Callable
from dataclasses import dataclass

from quorate.permissions.paths import WorkspacePath
from quorate.protocol.errors import UserError
from quorate.workspace.hashes import hash_of
from quorate.workspace.live_files import LiveFiles, bytes_or_refusal, text_or_refusal
from quorate.workspace.safe_files import ContentChanged, Holding, Root
from quorate.workspace.text import Text, decode


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
