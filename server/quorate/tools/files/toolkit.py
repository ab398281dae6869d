"""Which file tools there are for whom."""

from quorate.permissions.rules import Rules
from quorate.tools.files.delete_file import DeleteFile
from quorate.tools.files.edit_file import EditFile
from quorate.tools.files.list_files import ListFiles
from quorate.tools.files.read_file import ReadFile
from quorate.tools.files.search_files import SearchFiles
from quorate.tools.files.write_file import WriteFile
from quorate.tools.port import AnyTool
from quorate.workspace.live_files import Readable
from quorate.workspace.scratch import AgentFiles


def reading_tools(files: Readable, rules: Rules) -> tuple[AnyTool, ...]:
    return ReadFile(files, rules), ListFiles(files, rules), SearchFiles(files, rules)


def writing_tools(files: AgentFiles, rules: Rules) -> tuple[AnyTool, ...]:
    return WriteFile(files, rules), EditFile(files, rules), DeleteFile(files, rules)
