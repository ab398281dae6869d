"""What the tree of a command is made of: the workspace's folders, unsaved text over them, and changes over that."""

import os
import tempfile
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from teamwright.permissions.paths import WorkspacePath
from teamwright.permissions.protection import is_secret
from teamwright.protocol.errors import UserError
from teamwright.workspace.copies.cleaning import remove_copies
from teamwright.workspace.copies.staging import StagedFile
from teamwright.workspace.files.folders import Folders
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.safe_files import READ_LIMIT_BYTES, Root
from teamwright.workspace.files.text import Text, decode, encode


@dataclass(frozen=True, slots=True)
class TreeFolder:
    """A folder that is seen at its own path, or at another one."""

    path: Path
    inside: Path
    # Over the folder, the topmost first.
    layers: tuple[Path, ...] = ()
    # Files that are not there, relative to the folder.
    removed: tuple[str, ...] = ()
    # Where what a command writes is kept; None: it is thrown away. The folder itself: it may be written to.
    kept: Path | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """`directory` is ours, and where a command may have its temporary files."""

    directory: Path
    folders: tuple[TreeFolder, ...]


@contextmanager
def fresh_tree(live: LiveFiles, changes: Iterable[StagedFile], directory: Path) -> Generator[Tree]:
    """The workspace with unsaved text and these changes, of which nothing is kept. Blocks on the disk.

    `directory` is best one in `own_copies`, which a crash does not leave behind for good.
    """
    directory.mkdir(parents=True, exist_ok=True)
    own = Path(tempfile.mkdtemp(prefix="tree-", dir=directory))
    try:
        folders = live.folders
        unsaved = lay_texts(own / "unsaved", folders, unsaved_texts(live))
        changed = lay_texts(own / "changes", folders, {change.path: change.text for change in changes})
        yield Tree(
            own,
            tuple(
                TreeFolder(
                    folder.root.path,
                    folder.root.path,
                    layers=(*changed.of(folder.name), *unsaved.of(folder.name)),
                    removed=changed.removed.get(folder.name, ()),
                )
                for folder in folders.folders
            ),
        )
    finally:
        remove_copies(own)


@dataclass(frozen=True, slots=True)
class LaidTexts:
    """By the folders' names."""

    layers: dict[str, Path]
    removed: dict[str, tuple[str, ...]]

    def of(self, folder: str) -> tuple[Path, ...]:
        return (self.layers[folder],) if folder in self.layers else ()


def lay_texts(directory: Path, folders: Folders, texts: Mapping[WorkspacePath, str | None]) -> LaidTexts:
    """A directory for each folder with these texts as files, in the encoding and with the mode they have on disk."""
    layers: dict[str, Path] = {}
    removed: dict[str, tuple[str, ...]] = {}
    for path, text in texts.items():
        if text is None:
            removed[path.folder] = (*removed.get(path.folder, ()), "/".join(path.parts))
            continue
        layer = layers.setdefault(path.folder, directory / path.folder)
        target = layer.joinpath(*path.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        data, mode = _as_on_disk(folders.root(path), path.parts, text)
        target.write_bytes(data)
        if mode is not None:
            target.chmod(mode)
    return LaidTexts(layers, removed)


def unsaved_texts(live: LiveFiles) -> dict[WorkspacePath, str]:
    """What open documents show and the disk does not hold. Secrets stay where they are."""
    found: dict[WorkspacePath, str] = {}
    for path in live.open_paths():
        document = live.document(path)
        if document is None or not path.parts or is_secret(path.parts):
            continue
        try:
            data = live.folders.root(path).read_if_present(path.parts)
        except UserError:
            continue
        on_disk = None if data is None else decode(data)
        if not (isinstance(on_disk, Text) and on_disk.text == document.text):
            found[path] = document.text
    return found


def _as_on_disk(root: Root, parts: tuple[str, ...], text: str) -> tuple[bytes, int | None]:
    try:
        data = root.read_if_present(parts, READ_LIMIT_BYTES)
    except UserError:
        data = None
    old = None if data is None else decode(data)
    encoding = old.encoding if isinstance(old, Text) else "utf-8"
    try:
        written = encode(Text(text, encoding))
    except UnicodeEncodeError:
        written = text.encode("utf-8", "replace")
    return written, None if data is None else _mode(root.path.joinpath(*parts))


def _mode(path: Path) -> int | None:
    try:
        return os.lstat(path).st_mode & 0o777
    except OSError:
        return None
