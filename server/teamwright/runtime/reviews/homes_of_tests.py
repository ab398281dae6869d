"""Where the tests of a file may be written: beside it, or where the workspace keeps its tests. Blocks on the disk."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.errors import UserError
from teamwright.workspace.files.live_files import LiveFiles

_DIRECTORIES: Final = ("tests", "test", "spec", "__tests__")
_BESIDE: Final = {".py": "test_{stem}.py", ".go": "{stem}_test.go", ".rb": "{stem}_spec.rb"}
_OTHERWISE: Final = "{stem}.test{suffix}"


def homes_of_tests(live: LiveFiles, path: WorkspacePath) -> Iterator[WorkspacePath]:
    """The directories that are there, from the file's own up to the root; else the file that convention names."""
    found = [
        WorkspacePath(path.folder, (*above, name))
        for above in (path.parts[:depth] for depth in range(len(path.parts) - 1, -1, -1))
        for name in _directories(live, WorkspacePath(path.folder, above))
    ]
    yield from found[:1]
    if not found and path.parts:
        name = PurePosixPath(path.parts[-1])
        conventional = _BESIDE.get(name.suffix, _OTHERWISE).format(stem=name.stem, suffix=name.suffix)
        yield WorkspacePath(path.folder, (*path.parts[:-1], conventional))


def _directories(live: LiveFiles, directory: WorkspacePath) -> list[str]:
    try:
        there = {entry.name for entry in live.entries(directory) if entry.kind == "directory"}
    except UserError:
        return []
    return [name for name in _DIRECTORIES if name in there]
