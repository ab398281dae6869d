"""What an agent's commands have left in its working copy: one directory for each folder, lying over it. Blocks."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from teamwright.protocol.errors import NotFound
from teamwright.workspace.copies.confined.layers import is_opaque, is_whiteout, walk
from teamwright.workspace.files.beneath import DirectoryEntry
from teamwright.workspace.files.safe_files import Root

# What a layer says of a path: it is here, it is gone, or whatever lies below the layer counts.
LayerWord = Literal["here", "gone", "nothing"]


@dataclass(frozen=True, slots=True)
class KeptLayer:
    path: Path

    def says_of(self, parts: tuple[str, ...]) -> LayerWord:
        at, hides = self.path, False
        for depth, part in enumerate(parts, 1):
            hides = hides or is_opaque(str(at))
            at /= part
            try:
                status = os.lstat(at)
            except (FileNotFoundError, NotADirectoryError):
                return "gone" if hides else "nothing"
            if is_whiteout(status):
                return "gone"
            if depth < len(parts) and not stat.S_ISDIR(status.st_mode):
                return "gone"
        return "here"

    def read(self, parts: tuple[str, ...]) -> bytes:
        return Root(self.path).read(parts)

    def laid_over(self, parts: tuple[str, ...], below: dict[str, DirectoryEntry]) -> dict[str, DirectoryEntry]:
        """What a directory holds, where `below` is what it holds without this layer."""
        at = self.path.joinpath(*parts)
        found = {} if is_opaque(str(at)) else dict(below)
        try:
            entries = Root(self.path).entries(parts)
        except NotFound:
            return found
        for entry in entries:
            if entry.kind == "special" and is_whiteout(os.lstat(at / entry.name)):
                found.pop(entry.name, None)
            else:
                found[entry.name] = entry
        return found

    def files(self) -> Iterator[tuple[tuple[str, ...], os.stat_result]]:
        """All but directories and what says that something is gone."""
        for path, status in walk(str(self.path)):
            if not stat.S_ISDIR(status.st_mode) and not is_whiteout(status):
                yield tuple(path.split("/")), status
