"""`write_file`: a whole file, new or replaced."""

from quorate.permissions import actions
from quorate.tools.files.tool import WritingTool
from quorate.tools.port import Arguments, Outcome, Succeeded


class WriteFileArguments(Arguments):
    path: str
    content: str


class WriteFile(WritingTool[WriteFileArguments]):
    name = "write_file"
    description = "Create a file or replace all of it."
    arguments = WriteFileArguments

    def action(self, arguments: WriteFileArguments) -> actions.Action:
        return actions.WriteFile(self._parsed(arguments.path))

    def work(self, arguments: WriteFileArguments) -> Outcome:
        self._own_files.write(self._writable(arguments.path), arguments.content)
        return Succeeded("Written.")
