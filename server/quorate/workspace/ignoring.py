"""Which files git would not track, by the ignore files on the way down. Patterns are data, so they are bounded."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_MOST_LINES = 2_000
# Each further wildcard multiplies what a name made for it costs to match; real patterns need two or three.
_MOST_WILDCARDS = 3
_WILDCARDS = re.compile(r"\*+")


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The rules of one ignore file, for what lies below the directory it stands in."""

    depth: int
    spec: "GitIgnoreSpec"

    @classmethod
    def parse(cls, text: str, depth: int) -> "IgnoreFile":
        return cls(depth, spec_of(line for line in text.split("\n")[:_MOST_LINES] if is_usable(line)))


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The innermost file that says anything about a path decides."""

    files: tuple[IgnoreFile, ...] = ()

    def with_files(self, files: Iterable[IgnoreFile]) -> "IgnoreRules":
        return IgnoreRules((*self.files, *files))

    def ignores(self, parts: tuple[str, ...], *, is_directory: bool) -> bool:
        for file in reversed(self.files):
            relative = "/".join(parts[file.depth :]) + ("/" if is_directory else "")
            verdict = file.spec.check_file(relative).include
            if verdict is not None:
                return verdict
        return False


def spec_of(lines: Iterable[str]) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - it takes long to load, and not every session lists files

    return GitIgnoreSpec.from_lines(lines)


def is_usable(line: str) -> bool:
    """Whether a line is a pattern, and one that no name can make expensive."""
    if len(_WILDCARDS.findall(line)) > _MOST_WILDCARDS:
        return False
    try:
        spec_of([line])
    except ValueError:
        # git passes over a line that is no pattern, too.
        return False
    return True
