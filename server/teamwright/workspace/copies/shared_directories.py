"""Directories that a copy of a workspace does without: what is ignored, and git's own. Blocks on the disk."""

import os
from pathlib import Path
from typing import Final

from teamwright.workspace.files.walking import IgnoreFile, IgnoreRules

_GIT: Final = ".git"
_DEEPEST: Final = 64
_LONGEST_FILE: Final = 200_000


def find_shared(folder: Path) -> tuple[str, ...]:
    """Relative to the folder."""
    found: list[str] = []
    pending: list[tuple[tuple[str, ...], IgnoreRules]] = [
        ((), extended_rules(IgnoreRules(), folder, (), ".git/info/exclude"))
    ]
    while pending:
        parts, rules = pending.pop()
        try:
            with os.scandir(folder.joinpath(*parts)) as entries:
                directories = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        rules = extended_rules(rules, folder, parts, ".gitignore")
        for name in directories:
            below = (*parts, name)
            if name == _GIT or rules.ignores(below, is_directory=True):
                found.append("/".join(below))
            elif len(below) < _DEEPEST:
                pending.append((below, rules))
    return tuple(sorted(found))


def extended_rules(rules: IgnoreRules, folder: Path, parts: tuple[str, ...], name: str) -> IgnoreRules:
    """With those of the ignore file of this name in the directory, where there is one."""
    path = folder.joinpath(*parts, name)
    try:
        if path.is_symlink() or not path.is_file():
            return rules
        with path.open(encoding="utf-8", errors="replace") as file:
            return rules.with_files([IgnoreFile.parse(file.read(_LONGEST_FILE), len(parts))])
    except OSError:
        return rules
