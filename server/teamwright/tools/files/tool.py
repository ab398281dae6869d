"""What the file tools share: the caller's view of the files, and threads to work in, because disks take their time."""

from abc import abstractmethod
from difflib import get_close_matches
from typing import TypeVar

from anyio import to_thread

from teamwright.permissions.paths import (
    AnswerPath,
    RefusedPath,
    ScratchPath,
    Target,
    ToolPath,
    WorkspacePath,
    parse_path,
    render_path,
)
from teamwright.permissions.rules import Rules
from teamwright.protocol.errors import NotFound, NotPermitted, UserError
from teamwright.tools.port import Arguments, Outcome, Tool
from teamwright.workspace.copies.scratch import AgentFiles
from teamwright.workspace.files.listing import list_files
from teamwright.workspace.files.live_files import Readable

A = TypeVar("A", bound=Arguments)
_MOST = 3
_LOOKED_AT = 2_000
_SECONDS = 1.0


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
            case RefusedPath(reason):
                raise NotPermitted(reason)
            case target:
                return target

    def _text(self, path: str) -> str:
        target = self._target(path)
        try:
            return self._files.read(target).text
        except NotFound as missing:
            near = _nearest_paths(self._files, target, self._rules)
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


def _nearest_paths(files: Readable, missing: Target, rules: Rules) -> list[str]:
    known = [path for start in _starts(missing, rules) for path in _below(files, start, rules)]
    return get_close_matches(render_path(missing, rules.places), known, _MOST)


def _starts(missing: Target, rules: Rules) -> tuple[Target, ...]:
    match missing:
        case ScratchPath():
            return (ScratchPath(),)
        case AnswerPath():
            return (AnswerPath(),)
        case WorkspacePath():
            return tuple(dict.fromkeys((*rules.roots.read, *rules.roots.write)))


def _below(files: Readable, start: Target, rules: Rules) -> tuple[str, ...]:
    try:
        return list_files(files, start, rules, limit=_LOOKED_AT, seconds=_SECONDS).paths
    except UserError:
        return ()
