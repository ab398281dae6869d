"""What is wrong in a configuration, and exactly where."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

_BARE_KEY = re.compile(r"[\w-]{1,60}")
_LONGEST_QUOTED_KEY = 60


@dataclass(frozen=True, slots=True, order=True)
class SourceSpan:
    """Lines and columns count from 1, columns in code points; the end is exclusive."""

    file: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A fault or a warning: which of the two is said by the list it stands in."""

    place: SourceSpan
    path: str
    message: str

    def __str__(self) -> str:
        at = self.place
        return f"{at.file}:{at.line}:{at.column}: {self.path or '(file)'}: {self.message}"


def child_path(parent: str, key: str | int) -> str:
    """`agents[0].backend.type`; a key that is no plain word is quoted, so that a path is always one line."""
    if isinstance(key, int):
        return f"{parent}[{key}]"
    if not _BARE_KEY.fullmatch(key):
        return f"{parent}[{json.dumps(key[:_LONGEST_QUOTED_KEY])}]"
    return f"{parent}.{key}" if parent else key


def nearest(word: str, known: Iterable[str]) -> str | None:
    return next(iter(get_close_matches(word, list(known), n=1)), None)
