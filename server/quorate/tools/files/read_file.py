"""`read_file`: the text of a file as the editor shows it, by lines."""

from pydantic import Field

from quorate.permissions import actions
from quorate.tools.files.numbered_lines import numbered
from quorate.tools.files.tool import FileTool
from quorate.tools.port import Arguments, Failed, Outcome, Succeeded
from quorate.workspace.lines import split_lines


class ReadFileArguments(Arguments):
    path: str
    line: int | None = Field(default=None, ge=1)
    end_line: int | None = Field(default=None, ge=1)


class ReadFile(FileTool[ReadFileArguments]):
    name = "read_file"
    description = "Read a file, or its lines from `line` to `end_line`. Each line is shown as number, tab, text."
    arguments = ReadFileArguments

    def action(self, arguments: ReadFileArguments) -> actions.Action:
        return actions.ReadFile(self._parsed(arguments.path))

    def work(self, arguments: ReadFileArguments) -> Outcome:
        lines = split_lines(self._text(arguments.path))
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
