"""One file on its way from what it reads now to what it shall read: on disk, or by an editor that makes changes for us.

What an editor makes is on the screen at once, and can be undone there. Blocks on the disk: call it in a worker thread.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.errors import NotPermitted
from teamwright.protocol.ids import AgentId
from teamwright.workspace.files.documents import Document
from teamwright.workspace.files.exact_writes import ExactWrites
from teamwright.workspace.files.live_files import LiveFiles, bytes_or_refusal
from teamwright.workspace.files.safe_files import ContentChanged, ContentHash, hash_of
from teamwright.workspace.files.text import Encoding, Text, decode


@dataclass(frozen=True, slots=True)
class CurrentFile:
    """A file as everybody sees it: the open document, else what is on disk. Without a text there is none."""

    text: str | None
    document: Document | None = None
    encoding: Encoding | None = None
    on_disk: ContentHash | None = None


@dataclass(frozen=True, slots=True)
class Write:
    """`uri` is the one that the change was proposed under."""

    path: WorkspacePath
    uri: str
    found: CurrentFile
    # None: the file is to be gone.
    text: str | None
    # For a file that is not there yet.
    encoding: Encoding = "utf-8"


def look(live: LiveFiles, path: WorkspacePath) -> CurrentFile:
    """Raises a user error for what nobody may replace."""
    root = live.folders.root(path)
    if root.is_read_only(path.parts):
        raise NotPermitted(f"`{'/'.join(path.parts)}` is read-only and is left as it is.")
    document = live.document(path)
    # An editor writes into the file that is there, and through a link.
    root.require_own(path.parts, alone=document is not None)
    if document is not None:
        return CurrentFile(document.text, document)
    data = root.read_if_present(path.parts)
    if data is None:
        return CurrentFile(None)
    decoded = decode(data)
    if not isinstance(decoded, Text):
        raise ContentChanged("the file is no longer text")
    return CurrentFile(decoded.text, None, decoded.encoding, hash_of(data))


def write_to_disk(live: LiveFiles, write: Write, exact: ExactWrites) -> None:
    """Whole or not at all. Raises ContentChanged where something else is there than was found."""
    root, parts, found = live.folders.root(write.path), write.path.parts, write.found.on_disk
    if write.text is None:
        if found is not None:
            exact.delete(root, parts, found)
        return
    data = bytes_or_refusal(Text(write.text, write.found.encoding or write.encoding), parts)
    if found is None:
        exact.create(root, parts, data)
    else:
        exact.replace(root, parts, data, found)


@dataclass(frozen=True, slots=True)
class EditAccepted:
    """It says that all of it is made. What is true the documents tell."""


@dataclass(frozen=True, slots=True)
class EditDeclined:
    """It says that not all of it was made."""

    reason: str


EditOutcome = EditAccepted | EditDeclined


class Editor(Protocol):
    def can_make(self, write: Write) -> bool:
        """Whether it knows how to; if not, the write is made on disk."""
        ...

    async def make(self, writes: Sequence[Write], agent_id: AgentId) -> EditOutcome:
        """All at once, in one step."""
        ...
