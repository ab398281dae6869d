"""`list_files`: which files there are, as git would see them."""

from quorate.permissions import actions
from quorate.tools.files.tool import FileTool
from quorate.tools.port import Arguments, Outcome, Succeeded
from quorate.workspace.listing import list_files

_MOST_FILES = 300


class ListFilesArguments(Arguments):
    path: str = "."
    glob: str | None = None


class ListFiles(FileTool[ListFilesArguments]):
    name = "list_files"
    description = "List the files below a folder, nearest first. `glob` as in .gitignore."
    arguments = ListFilesArguments

    def action(self, arguments: ListFilesArguments) -> actions.Action:
        return actions.ListFiles(self._parsed(arguments.path))

    def work(self, arguments: ListFilesArguments) -> Outcome:
        start = self._target(arguments.path)
        listing = list_files(self._files, start, self._rules, pattern=arguments.glob, limit=_MOST_FILES)
        shown = "\n".join(listing.paths)
        if listing.stopped is not None:
            return Succeeded(f"{shown}\n[cut off: {listing.stopped}; name a folder or a glob]".lstrip())
        return Succeeded(shown or "[no files]")
