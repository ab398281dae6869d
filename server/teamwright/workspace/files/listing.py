"""The files that a model is shown: bounded, in a fixed order."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from teamwright.permissions.paths import Target, render_path
from teamwright.permissions.rules import Rules
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.workspace.files.live_files import Readable
from teamwright.workspace.files.walking import Deadline, Stopped, is_usable, spec_of, walk

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MOST_FILES = 1_000
SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Listing:
    """Paths as tools write them. `stopped` says why there may be more."""

    paths: tuple[str, ...]
    stopped: str | None = None


def list_files(
    files: Readable,
    start: Target,
    rules: Rules,
    *,
    pattern: str | None = None,
    limit: int = MOST_FILES,
    seconds: float = SECONDS,
) -> Listing:
    """`pattern` is a glob as in .gitignore, such as `*.py` or `src/**/test_*`. Blocks: call it in a worker thread."""
    chosen = glob_of(pattern) if pattern else None
    paths: list[str] = []
    for found in walk(files, start, rules, Deadline(seconds)):
        if isinstance(found, Stopped):
            return Listing(tuple(paths), found.reason)
        if chosen is not None and not chosen.match_file("/".join(found.parts)):
            continue
        if len(paths) == limit:
            return Listing(tuple(paths), f"there are more than {limit} files")
        paths.append(render_path(found, rules.places))
    return Listing(tuple(paths))


def count_files(files: Readable, start: Target, rules: Rules, *, limit: int, seconds: float = SECONDS) -> int:
    """How many files a run would see below a path, up to a limit. Blocks: call it in a worker thread."""
    return len(list_files(files, start, rules, limit=limit, seconds=seconds).paths)


def glob_of(pattern: str) -> "GitIgnoreSpec":
    if not is_usable(pattern):
        raise BadParams([FieldError(path="pattern", message=f"`{pattern}` is no glob, or has too many wildcards")])
    return spec_of([pattern])
