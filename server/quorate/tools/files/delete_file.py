"""`delete_file`: one file goes."""

from quorate.permissions import actions
from quorate.tools.files.tool import WritingTool
from quorate.tools.port import Arguments, Outcome, Succeeded


class DeleteFileArguments(Arguments):
    path: str


class DeleteFile(WritingTool[DeleteFileArguments]):
    name = "delete_file"
    description = "Delete a file."
    arguments = DeleteFileArguments

    def action(self, arguments: DeleteFileArguments) -> actions.Action:
        return actions.DeleteFile(self._parsed(arguments.path))

    def work(self, arguments: DeleteFileArguments) -> Outcome:
        self._own_files.delete(self._writable(arguments.path))
        return Succeeded("Deleted.")
