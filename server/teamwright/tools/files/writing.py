"""`write_file`, `edit_file` and `delete_file`: what an agent does to files.

A text that is to be replaced and is not there is answered with the lines that come nearest.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher

from pydantic import Field

from teamwright.permissions import actions
from teamwright.permissions.rules import Rules
from teamwright.tools.files.reading import numbered
from teamwright.tools.files.tool import WritingTool
from teamwright.tools.port import AnyTool, Arguments, Failed, Outcome, Succeeded
from teamwright.workspace.copies.scratch import AgentFiles
from teamwright.workspace.files.lines import split_lines
from teamwright.workspace.files.text import replace_once

_MOST_PLACES = 10
_NUMBERED = re.compile(r"\d+\t")
_LINES_AROUND = 2
_MOST_WANTED = 20
# A line that stands everywhere says nothing about the place that is meant.
_MOST_SAME_LINES = 50
# Comparing letter by letter is slow; in a longer file only lines that differ in blanks are found.
_MOST_COMPARED = 3_000
_LONGEST_COMPARED = 200
_SIMILAR = 0.6


class WriteFileArguments(Arguments):
    path: str
    content: str


class WriteFileTool(WritingTool[WriteFileArguments]):
    name = "write_file"
    description = "Create a file or replace all of it."
    arguments = WriteFileArguments

    def action(self, arguments: WriteFileArguments) -> actions.Action:
        return actions.WriteFileAction(self._parsed(arguments.path))

    def work(self, arguments: WriteFileArguments) -> Outcome:
        self._own_files.write(self._writable(arguments.path), arguments.content)
        return Succeeded("Written.")


class EditFileArguments(Arguments):
    path: str
    old: str = Field(min_length=1)
    new: str


class EditFileTool(WritingTool[EditFileArguments]):
    name = "edit_file"
    description = "Replace `old`, which must stand exactly once in the file, by `new`."
    arguments = EditFileArguments

    def action(self, arguments: EditFileArguments) -> actions.Action:
        return actions.WriteFileAction(self._parsed(arguments.path))

    def work(self, arguments: EditFileArguments) -> Outcome:
        target, text = self._writable(arguments.path), self._text(arguments.path)
        edited = replace_once(text, arguments.old, arguments.new)
        if edited == 0:
            return Failed(f"`old` is not in `{arguments.path}`. {_described_miss(text, arguments.old)}")
        places = _lines_of_matches(text, arguments.old)
        if isinstance(edited, int):
            shown = ", ".join(map(str, places[:_MOST_PLACES])) + (", …" if len(places) > _MOST_PLACES else "")
            return Failed(f"`old` stands {edited} times, at lines {shown}: add lines around the one you mean.")
        if edited == text:
            return Failed("`old` and `new` are the same; nothing was changed.")
        self._own_files.write(target, edited)
        return Succeeded(f"Edited at line {places[0]}.")


class DeleteFileArguments(Arguments):
    path: str


class DeleteFileTool(WritingTool[DeleteFileArguments]):
    name = "delete_file"
    description = "Delete a file."
    arguments = DeleteFileArguments

    def action(self, arguments: DeleteFileArguments) -> actions.Action:
        return actions.DeleteFileAction(self._parsed(arguments.path))

    def work(self, arguments: DeleteFileArguments) -> Outcome:
        self._own_files.delete(self._writable(arguments.path))
        return Succeeded("Deleted.")


def _lines_of_matches(text: str, old: str) -> list[int]:
    """The line, from 1, at which each match starts. Line endings make no difference."""
    plain, wanted = _with_newlines(text), _with_newlines(old)
    return [plain.count("\n", 0, match.start()) + 1 for match in re.finditer(re.escape(wanted), plain)]


def _described_miss(text: str, old: str) -> str:
    """What to do about it: sentences for the model, with the lines that it may have meant."""
    wanted = split_lines(old)[:_MOST_WANTED]
    if all(_NUMBERED.match(line) for line in wanted):
        return "Leave out the line numbers and tabs that read_file shows."
    lines = split_lines(text)
    found = _agreeing(lines, wanted) or _similar(lines, wanted)
    if found is None:
        return "Nothing in it is similar: read the file again."
    first = max(1, found - _LINES_AROUND)
    last = min(len(lines), found + len(wanted) - 1 + _LINES_AROUND)
    return f"The nearest lines are these; copy them exactly:\n{numbered(lines, first, last).text}"


def _agreeing(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """The line, from 1, where most of the wanted lines would begin if blanks around them did not matter."""
    places: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines, 1):
        places[line.strip()].append(number)
    starts: Counter[int] = Counter()
    for offset, line in enumerate(wanted):
        found = places.get(line.strip(), []) if line.strip() else []
        if len(found) <= _MOST_SAME_LINES:
            starts.update(max(1, number - offset) for number in found)
    return starts.most_common(1)[0][0] if starts else None


def _similar(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """The same by the line that is most like the longest wanted one."""
    offset, longest = max(enumerate(wanted), key=lambda each: len(each[1].strip()))
    if len(lines) > _MOST_COMPARED or not longest.strip():
        return None
    matcher = SequenceMatcher(None, b=longest.strip()[:_LONGEST_COMPARED], autojunk=False)
    best, score = None, _SIMILAR
    for number, line in enumerate(lines, 1):
        matcher.set_seq1(line.strip()[:_LONGEST_COMPARED])
        if matcher.real_quick_ratio() > score and matcher.quick_ratio() > score and (ratio := matcher.ratio()) > score:
            best, score = max(1, number - offset), ratio
    return best


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def writing_tools(files: AgentFiles, rules: Rules) -> tuple[AnyTool, ...]:
    return WriteFileTool(files, rules), EditFileTool(files, rules), DeleteFileTool(files, rules)
