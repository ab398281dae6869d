"""Whether the workspace is still the one that something was run on. Blocks on the disk."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from teamwright.workspace.copies.shared_directories import extended_rules
from teamwright.workspace.copies.trees import unsaved_texts
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.walking import IgnoreRules

_GIT: Final = ".git"
_DEEPEST: Final = 64
_MOST_FILES: Final = 1_000_000


def fingerprint(live: LiveFiles) -> str:
    """Of path, size and time of all that is not ignored, and of what editors show and the disk does not hold yet."""
    told = hashlib.sha256()
    for folder in live.folders.folders:
        told.update(f"{folder.name}\0".encode("utf-8", "surrogateescape"))
        _tell_folder(folder.root.path, told.update)
    for path, text in sorted(unsaved_texts(live).items(), key=lambda item: (item[0].folder, item[0].parts)):
        told.update(f"{path.folder}/{'/'.join(path.parts)}\0{text}\0".encode("utf-8", "surrogatepass"))
    return told.hexdigest()


def _tell_folder(folder: Path, tell: Callable[[bytes], None]) -> None:
    pending: list[tuple[tuple[str, ...], IgnoreRules]] = [
        ((), extended_rules(IgnoreRules(), folder, (), ".git/info/exclude"))
    ]
    files = 0
    while pending and files < _MOST_FILES:
        parts, rules = pending.pop()
        rules = extended_rules(rules, folder, parts, ".gitignore")
        try:
            with os.scandir(folder.joinpath(*parts)) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            below = (*parts, entry.name)
            is_directory = entry.is_dir(follow_symlinks=False)
            if entry.name == _GIT or rules.ignores(below, is_directory=is_directory):
                continue
            if is_directory:
                if len(below) < _DEEPEST:
                    pending.append((below, rules))
            elif (stamp := _stamp(entry)) is not None:
                files += 1
                tell(f"{'/'.join(below)}\0{stamp}\0".encode("utf-8", "surrogateescape"))


def _stamp(entry: "os.DirEntry[str]") -> str | None:
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    return f"{found.st_size} {found.st_mtime_ns} {found.st_mode}"
