"""How an agent without a model comes to its files: it lists what it may read, then reads what it was asked about. Pure.

All it knows stands in the conversation, so that the same conversation always leads to the same next step.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from teamwright.models.offline.lizard import LIZARD_SUFFIXES
from teamwright.models.offline.python_analysers import PYTHON_SUFFIXES
from teamwright.models.offline.remarks import SourceFile
from teamwright.models.port import Message, ModelReply, ModelToolCall, ToolResultMessage

MOST_FILES: Final = 20
_LINE: Final = re.compile(r"^(\d+)\t(.*)$")
_GO_ON: Final = re.compile(r"(?m)^\[lines \d+-\d+ of \d+; go on with line=(\d+)\]$")
_TRAILER: Final = re.compile(r"^\[lines \d+-\d+ of \d+.*\]$")
_CUT: Final = re.compile(r"\[… \d+ more characters\]$")


@dataclass(frozen=True, slots=True)
class OfflineCall:
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OfflineReply:
    text: str = ""
    calls: tuple[OfflineCall, ...] = ()


@dataclass(frozen=True, slots=True)
class FileRead:
    source: SourceFile
    # False where a line was too long to be shown whole: such a file is looked at, and never edited.
    is_whole: bool


@dataclass(slots=True)
class _Pages:
    lines: list[str] = field(default_factory=list[str])
    goes_on_at: int | None = None


def exchanges(messages: Sequence[Message]) -> Iterator[tuple[ModelToolCall, ToolResultMessage]]:
    calls: dict[str, ModelToolCall] = {}
    for message in messages:
        match message:
            case ModelReply(tool_calls=made):
                calls.update((call.call_id, call) for call in made)
            case ToolResultMessage(call_id) if call_id in calls:
                yield calls[call_id], message
            case _:
                pass


def next_reads(messages: Sequence[Message], roots: Sequence[str], task: str) -> tuple[OfflineCall, ...]:
    """The calls that are still to be made before all has been read; none when it has."""
    done = list(exchanges(messages))
    listed = {call.arguments.get("path") for call, _ in done if call.name == "list_files"}
    if unlisted := [root for root in roots if root not in listed]:
        return tuple(OfflineCall("list_files", {"path": root}) for root in unlisted)
    pages = _pages(done)
    asked = {str(call.arguments["path"]) for call, _ in done if call.name == "read_file"}
    unread = [OfflineCall("read_file", {"path": path}) for path in wanted(messages, task).chosen if path not in asked]
    rest = [
        OfflineCall("read_file", {"path": path, "line": page.goes_on_at})
        for path, page in pages.items()
        if page.goes_on_at is not None
    ]
    return (*unread, *rest)


@dataclass(frozen=True, slots=True)
class Wanted:
    chosen: tuple[str, ...]
    left_out: int


def wanted(messages: Sequence[Message], task: str) -> Wanted:
    """The files that the task names, else all that can be analysed, in either case not too many."""
    there = list(dict.fromkeys(_listed_paths(messages)))
    named = [path for path in there if path in task or re.search(rf"\b{re.escape(PurePosixPath(path).name)}\b", task)]
    suffixes = {*LIZARD_SUFFIXES, *PYTHON_SUFFIXES}
    chosen = named or [path for path in there if PurePosixPath(path).suffix in suffixes]
    return Wanted(tuple(chosen[:MOST_FILES]), max(0, len(chosen) - MOST_FILES))


def files_read(messages: Sequence[Message]) -> tuple[FileRead, ...]:
    return tuple(
        FileRead(SourceFile(path, "\n".join(page.lines)), not any(_CUT.search(line) for line in page.lines))
        for path, page in _pages(list(exchanges(messages))).items()
    )


def _listed_paths(messages: Sequence[Message]) -> Iterator[str]:
    for call, result in exchanges(messages):
        if call.name != "list_files":
            continue
        if result.is_error:
            # What cannot be listed is a file.
            yield str(call.arguments.get("path", "."))
        else:
            yield from (line for line in result.text.splitlines() if line and not line.startswith("["))


def _pages(done: Sequence[tuple[ModelToolCall, ToolResultMessage]]) -> dict[str, _Pages]:
    pages: dict[str, _Pages] = {}
    for call, result in done:
        if call.name != "read_file" or result.is_error:
            continue
        page = pages.setdefault(str(call.arguments["path"]), _Pages())
        more = _GO_ON.search(result.text)
        page.goes_on_at = int(more[1]) if more else None
        page.lines += _shown_lines(result.text)
    return pages


def _shown_lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if match := _LINE.match(line):
            yield match[2]
        elif not _TRAILER.match(line):
            return
