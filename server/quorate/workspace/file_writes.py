"""One file on its way from what it reads now to what it shall read.

Blocks on the disk: call it in a worker thread.
"""

from dataclasses import dataclass

from quorate.permissions.paths import WorkspacePath
from quorate.protocol.errors import NotPermitted
from quorate.workspace.documents import Document
from quorate.workspace.hashes import ContentHash, hash_of
from quorate.workspace.live_files import LiveFiles, bytes_or_refusal
from quorate.workspace.safe_files import ContentChanged, Holding
from quorate.workspace.text import Encoding, Text, decode


@dataclass(frozen=True, slots=True)
class Found:
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
    found: Found
    # None: the file is to be gone.
    text: str | None
    # For a file that is not there yet.
    encoding: Encoding = "utf-8"


def look(live: LiveFiles, path: WorkspacePath) -> Found:
    """Raises a user error for what nobody may replace."""
    root = live.folders.root(path)
    if root.is_read_only(path.parts):
        raise NotPermitted(f"`{'/'.join(path.parts)}` is read-only and is left as it is.")
    document = live.document(path)
    if document is not None:
        return Found(document.text, document)
    data = root.read_if_present(path.parts)
    if data is None:
        return Found(None)
    decoded = decode(data)
    if not isinstance(decoded, Text):
        raise ContentChanged("the file is no longer text")
    return Found(decoded.text, None, decoded.encoding, hash_of(data))


def write_to_disk(live: LiveFiles, write: Write) -> None:
    """Whole or not at all. Raises ContentChanged where something else is there than was found."""
    root, expected = live.folders.root(write.path), Holding(write.found.on_disk)
    if write.text is None:
        root.delete(write.path.parts, expected)
    else:
        encoding = write.found.encoding or write.encoding
        root.write(write.path.parts, bytes_or_refusal(Text(write.text, encoding), write.path.parts), expected)
