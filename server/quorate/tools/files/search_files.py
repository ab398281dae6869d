"""`search_files`: where a text stands in the files, unsaved text included."""

from itertools import groupby
from operator import attrgetter

from pydantic import Field

from quorate.permissions import actions
from quorate.tools.files.tool import FileTool
from quorate.tools.port import Arguments, Outcome, Succeeded
from quorate.workspace.searching import Query, SearchResult, search_files

_MOST_MATCHES = 100


class SearchFilesArguments(Arguments):
    pattern: str = Field(min_length=1)
    path: str = "."
    glob: str | None = None
    literal: bool = False
    ignore_case: bool = False


class SearchFiles(FileTool[SearchFilesArguments]):
    name = "search_files"
    description = "Find the lines that match a regular expression, or a `literal` text."
    arguments = SearchFilesArguments

    def action(self, arguments: SearchFilesArguments) -> actions.Action:
        return actions.SearchFiles(self._parsed(arguments.path))

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
