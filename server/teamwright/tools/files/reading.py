"""`read_file`, `list_files` and `search_files`: files as the editor shows them, unsaved text included."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from pydantic import Field

from teamwright.permissions import actions
from teamwright.permissions.rules import Rules
from teamwright.protocol.visible_text import visible
from teamwright.tools.files.tool import FileTool
from teamwright.tools.port import AnyTool, Arguments, Failed, Outcome, Succeeded
from teamwright.workspace.files.lines import split_lines
from teamwright.workspace.files.listing import list_files
from teamwright.workspace.files.live_files import Readable
from teamwright.workspace.files.searching import Query, SearchResult, search_files

_INSTRUCTIONS = frozenset({"agents.md", "claude.md", "gemini.md", "context.md", "memory.md", "skill.md"})
_MOST_FILES = 300
_MOST_MATCHES = 100
_MOST_SHOWN_CHARACTERS = 32_000
_LONGEST_LINE = 1_000


class ReadFileArguments(Arguments):
    path: str
    line: int | None = Field(default=None, ge=1)
    end_line: int | None = Field(default=None, ge=1)


class ReadFileTool(FileTool[ReadFileArguments]):
    name = "read_file"
    description = "Read a file, or its lines from `line` to `end_line`. Each line is shown as number, tab, text."
    arguments = ReadFileArguments

    def action(self, arguments: ReadFileArguments) -> actions.Action:
        return actions.ReadFileAction(self._parsed(arguments.path))

    def work(self, arguments: ReadFileArguments) -> Outcome:
        text = self._text(arguments.path)
        # Instructions are read to be followed, and never to be edited: nothing in them may be unseen.
        is_instruction = arguments.path.rpartition("/")[2].casefold() in _INSTRUCTIONS
        lines = split_lines(visible(text) if is_instruction else text)
        first, last = arguments.line or 1, min(arguments.end_line or len(lines), len(lines))
        if arguments.end_line is not None and arguments.end_line < first:
            return Failed("`end_line` is before `line`.")
        if not lines:
            return Succeeded("[the file is empty]")
        if first > len(lines):
            return Failed(f"`{arguments.path}` has {len(lines)} lines only.")
        shown = numbered(lines, first, last)
        if (first, shown.last) == (1, len(lines)):
            return Succeeded(shown.text)
        more = f"; go on with line={shown.last + 1}" if shown.last < last else ""
        return Succeeded(f"{shown.text}\n[lines {first}-{shown.last} of {len(lines)}{more}]")


class ListFilesArguments(Arguments):
    path: str = "."
    glob: str | None = None


class ListFilesTool(FileTool[ListFilesArguments]):
    name = "list_files"
    description = "List the files below a folder, nearest first. `glob` as in .gitignore."
    arguments = ListFilesArguments

    def action(self, arguments: ListFilesArguments) -> actions.Action:
        return actions.ListFilesAction(self._parsed(arguments.path))

    def work(self, arguments: ListFilesArguments) -> Outcome:
        start = self._target(arguments.path)
        listing = list_files(self._files, start, self._rules, pattern=arguments.glob, limit=_MOST_FILES)
        shown = "\n".join(listing.paths)
        if listing.stopped is not None:
            return Succeeded(f"{shown}\n[cut off: {listing.stopped}; name a folder or a glob]".lstrip())
        return Succeeded(shown or "[no files]")


class SearchFilesArguments(Arguments):
    pattern: str = Field(min_length=1)
    path: str = "."
    glob: str | None = None
    literal: bool = False
    ignore_case: bool = False


class SearchFilesTool(FileTool[SearchFilesArguments]):
    name = "search_files"
    description = "Find the lines that match a regular expression, or a `literal` text."
    arguments = SearchFilesArguments

    def action(self, arguments: SearchFilesArguments) -> actions.Action:
        return actions.SearchFilesAction(self._parsed(arguments.path))

    def work(self, arguments: SearchFilesArguments) -> Outcome:
        query = Query(
            pattern=arguments.pattern,
            is_regex=not arguments.literal,
            ignore_case=arguments.ignore_case,
            glob=arguments.glob,
        )
        start = self._target(arguments.path)
        result = search_files(self._files, start, self._rules, query, limit=_MOST_MATCHES)
        return Succeeded(_rendered(result))


def _rendered(result: SearchResult) -> str:
    """Each file once, with its lines below it."""
    lines: list[str] = []
    for path, matches in groupby(result.matches, key=attrgetter("path")):
        lines.append(path)
        lines += [f"{match.line}\t{match.text}" for match in matches]
    if result.stopped is not None:
        lines.append(f"[cut off: {result.stopped}; narrow the pattern, the path or the glob]")
    return "\n".join(lines) or "[no match]"


@dataclass(frozen=True, slots=True)
class NumberedLines:
    text: str
    last: int


def numbered(lines: Sequence[str], first: int, last: int) -> NumberedLines:
    """Lines `first` to `last`, from 1, or as many of them as fit. At least one."""
    shown: list[str] = []
    room = _MOST_SHOWN_CHARACTERS
    for number in range(first, last + 1):
        line = f"{number}\t{_cut(lines[number - 1])}"
        room -= len(line) + 1
        if shown and room < 0:
            break
        shown.append(line)
    return NumberedLines("\n".join(shown), first + len(shown) - 1)


def _cut(line: str) -> str:
    line = line.rstrip("\r\n")
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{line[:_LONGEST_LINE]}[… {len(line) - _LONGEST_LINE} more characters]"


def reading_tools(files: Readable, rules: Rules) -> tuple[AnyTool, ...]:
    return ReadFileTool(files, rules), ListFilesTool(files, rules), SearchFilesTool(files, rules)
