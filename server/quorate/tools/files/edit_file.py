"""`edit_file`: one place in a file is replaced, and every other one stays as it is."""

from pydantic import Field

from quorate.permissions import actions
from quorate.tools.files.near_misses import described_miss, lines_of_matches
from quorate.tools.files.tool import WritingTool
from quorate.tools.port import Arguments, Failed, Outcome, Succeeded
from quorate.workspace.text import replace_once

_MOST_PLACES = 10


class EditFileArguments(Arguments):
    path: str
    old: str = Field(min_length=1)
    new: str


class EditFile(WritingTool[EditFileArguments]):
    name = "edit_file"
    description = "Replace `old`, which must stand exactly once in the file, by `new`."
    arguments = EditFileArguments

    def action(self, arguments: EditFileArguments) -> actions.Action:
        return actions.WriteFile(self._parsed(arguments.path))

    def work(self, arguments: EditFileArguments) -> Outcome:
        target, text = self._writable(arguments.path), self._text(arguments.path)
        edited = replace_once(text, arguments.old, arguments.new)
        if edited == 0:
            return Failed(f"`old` is not in `{arguments.path}`. {described_miss(text, arguments.old)}")
        places = lines_of_matches(text, arguments.old)
        if isinstance(edited, int):
            shown = ", ".join(map(str, places[:_MOST_PLACES])) + (", …" if len(places) > _MOST_PLACES else "")
            return Failed(f"`old` stands {edited} times, at lines {shown}: add lines around the one you mean.")
        if edited == text:
            return Failed("`old` and `new` are the same; nothing was changed.")
        self._own_files.write(target, edited)
        return Succeeded(f"Edited at line {places[0]}.")
