"""What the file tools share: the caller's view of the files, and threads to work in, because disks take their time."""

from abc import abstractmethod
from typing import TypeVar

from anyio import to_thread

from quorate.permissions.paths import AnswerPath, Refused, ScratchPath, Target, ToolPath, WorkspacePath, parse_path
from quorate.permissions.rules import Rules
from quorate.protocol.errors import NotFound, NotPermitted
from quorate.tools.files.nearest_paths import nearest_paths
from quorate.tools.port import Arguments, Outcome, Tool
from quorate.workspace.live_files import Readable
from quorate.workspace.scratch import AgentFiles

A = TypeVar("A", bound=Arguments)


class FileTool(Tool[A]):
    def __init__(self, files: Readable, rules: Rules) -> None:
        self._files = files
        self._rules = rules

    @abstractmethod
    def work(self, arguments: A) -> Outcome:
        """Runs in a worker thread."""

    async def run(self, arguments: A) -> Outcome:
        """Nothing is lost with a read whose caller has gone, so it is not waited for."""
        return await to_thread.run_sync(self.work, arguments, abandon_on_cancel=True)

    def _parsed(self, path: str) -> ToolPath:
        return parse_path(path, self._rules.places)

    def _target(self, path: str) -> Target:
        match self._parsed(path):
            case Refused(reason):
                raise NotPermitted(reason)
            case target:
                return target

    def _text(self, path: str) -> str:
        target = self._target(path)
        try:
            return self._files.read(target).text
        except NotFound as missing:
            near = nearest_paths(self._files, target, self._rules)
            if not near:
                raise
            raise NotFound(f"{missing.message} Did you mean {' or '.join(f'`{each}`' for each in near)}?") from missing


class WritingTool(FileTool[A]):
    def __init__(self, files: AgentFiles, rules: Rules) -> None:
        super().__init__(files, rules)
        self._own_files = files

    async def run(self, arguments: A) -> Outcome:
        """A write is seen to its end, also when its caller has gone."""
        return await to_thread.run_sync(self.work, arguments)

    def _writable(self, path: str) -> ScratchPath | WorkspacePath:
        match self._target(path):
            case AnswerPath():
                raise NotPermitted("Answers do not change; write under `scratch/`.")
            case target:
                return target
