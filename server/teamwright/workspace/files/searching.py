"""Search in what a model may read, live and staged text included, within bounds of time and size.

Texts are read here, through the same door as every read: a search program from outside would open the files by itself,
past the permissions, the open documents and the staged writes.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teamwright.permissions.paths import Target, render_path
from teamwright.permissions.rules import Rules
from teamwright.protocol.errors import BadParams, FieldError, UserError
from teamwright.workspace.files import line_matching
from teamwright.workspace.files.listing import glob_of
from teamwright.workspace.files.live_files import Readable
from teamwright.workspace.files.walking import Deadline, Stopped, walk

MOST_MATCHES = 200
SECONDS = 20.0
_LONGEST_PATTERN = 1_000
_BATCH_CHARACTERS = 4_000_000
_SECONDS_ELSEWHERE = 5.0


@dataclass(frozen=True, slots=True)
class Query:
    """`glob` narrows the files, as in .gitignore."""

    pattern: str
    is_regex: bool = False
    ignore_case: bool = False
    glob: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """`stopped` says why there may be more matches."""

    matches: tuple[Match, ...]
    stopped: str | None = None


@dataclass(frozen=True, slots=True)
class _TextBatch:
    paths: tuple[str, ...]
    texts: tuple[str, ...]


class _TooSlow(Exception):
    """The pattern needs more time or memory than a search has."""


def search_files(
    files: Readable,
    start: Target,
    rules: Rules,
    query: Query,
    *,
    limit: int = MOST_MATCHES,
    seconds: float = SECONDS,
) -> SearchResult:
    """Blocks: call it in a worker thread."""
    _check(query)
    deadline = Deadline(seconds)
    matches: list[Match] = []
    for batch in _batches(files, start, rules, query, deadline):
        if isinstance(batch, Stopped):
            return SearchResult(tuple(matches), batch.reason)
        try:
            found = _find(batch, query, limit + 1 - len(matches), deadline)
        except _TooSlow:
            return SearchResult(tuple(matches), "the pattern took too long")
        matches += [Match(batch.paths[index], line, text) for index, line, text in found]
        if len(matches) > limit:
            return SearchResult(tuple(matches[:limit]), f"there are more than {limit} matches")
    return SearchResult(tuple(matches))


def _check(query: Query) -> None:
    if not query.pattern or len(query.pattern) > _LONGEST_PATTERN:
        raise BadParams([FieldError(path="pattern", message=f"must have 1 to {_LONGEST_PATTERN} characters")])


def _batches(
    files: Readable, start: Target, rules: Rules, query: Query, deadline: Deadline
) -> Iterator[_TextBatch | Stopped]:
    chosen = glob_of(query.glob) if query.glob else None
    paths: list[str] = []
    texts: list[str] = []
    characters = 0
    stopped: Stopped | None = None
    for found in walk(files, start, rules, deadline):
        if isinstance(found, Stopped) or deadline.passed:
            stopped = Stopped("it took too long") if not isinstance(found, Stopped) else found
            break
        if chosen is not None and not chosen.match_file("/".join(found.parts)):
            continue
        try:
            texts.append(files.read(found).text)
        except UserError:
            # Binary, too large, or gone since it was listed.
            continue
        paths.append(render_path(found, rules.places))
        characters += len(texts[-1])
        if characters > _BATCH_CHARACTERS:
            yield _TextBatch(tuple(paths), tuple(texts))
            paths, texts, characters = [], [], 0
    if texts:
        yield _TextBatch(tuple(paths), tuple(texts))
    if stopped is not None:
        yield stopped


def _find(batch: _TextBatch, query: Query, limit: int, deadline: Deadline) -> list[tuple[int, int, str]]:
    if query.is_regex:
        return _find_in_process(batch, query.pattern, query, limit, deadline)
    plain = re.escape(query.pattern)
    if query.ignore_case:
        # Such a text is compared anew at every letter, which takes as long as both are long together.
        return _find_in_process(batch, plain, query, limit, deadline)
    # A plain text matches in time that grows with the text alone.
    return line_matching.matches_in(batch.texts, line_matching.compiled(plain, ignore_case=False), limit)


def _find_in_process(
    batch: _TextBatch, pattern: str, query: Query, limit: int, deadline: Deadline
) -> list[tuple[int, int, str]]:
    """The process ends itself after two seconds of work; where it cannot, it is ended after five of waiting."""
    request = {"pattern": pattern, "ignore_case": query.ignore_case, "limit": limit, "texts": batch.texts}
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-W", "ignore", str(Path(line_matching.__file__))],
            input=json.dumps(request).encode("ascii"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=deadline.remaining if os.name == "posix" else min(deadline.remaining, _SECONDS_ELSEWHERE),
            check=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as failed:
        raise _TooSlow from failed
    answer: dict[str, Any] = json.loads(done.stdout)
    if "fault" in answer:
        raise BadParams([FieldError(path="pattern", message=f"is not a regular expression: {answer['fault']}")])
    return [(index, line, text) for index, line, text in answer["found"]]
