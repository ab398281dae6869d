"""`git_diff` and `git_log`: the repository's history and what has changed, for reading only."""

from typing import Annotated, TypeVar

from pydantic import Field

from teamwright.permissions.actions import Action, ReadRepositoryAction
from teamwright.permissions.judgement import may_read
from teamwright.permissions.paths import RefusedPath, WorkspacePath, parse_path, render_path
from teamwright.permissions.rules import Rules
from teamwright.protocol.errors import NotPermitted
from teamwright.tools.port import Arguments, Outcome, Succeeded, Tool
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.git.diff import RepositoryDiff, diff_since
from teamwright.workspace.git.repository import Commit, Repository

A = TypeVar("A", bound=Arguments)
_MOST_CHARACTERS = 32_000
_MOST_NAMES = 50
_LONGEST_MESSAGE = 600
_REVISION_LENGTH = 10


class RepositoryTool(Tool[A]):
    def __init__(self, live: LiveFiles, rules: Rules) -> None:
        self._live = live
        self._rules = rules

    def action(self, arguments: A) -> Action:
        del arguments
        return ReadRepositoryAction()

    def _place(self, path: str | None) -> WorkspacePath:
        """All of the first folder when nothing is named; then only what may be read of it is shown."""
        match parse_path(path or ".", self._rules.places):
            case WorkspacePath() as place if path is None or may_read(self._rules, place):
                return place
            case WorkspacePath() as place:
                raise NotPermitted(f"`{render_path(place, self._rules.places)}` is not among the paths to read.")
            case RefusedPath(reason):
                raise NotPermitted(reason)
            case _:
                raise NotPermitted("Only files of the workspace have a history.")


class GitDiffArguments(Arguments):
    base: str = Field(default="HEAD", min_length=1)
    path: str | None = None


class GitDiffTool(RepositoryTool[GitDiffArguments]):
    name = "git_diff"
    description = "What has changed since `base`, or since the branch left it if written `main...`."
    arguments = GitDiffArguments

    async def run(self, arguments: GitDiffArguments) -> Outcome:
        found = await diff_since(self._live, self._rules, self._place(arguments.path), arguments.base)
        return Succeeded(_rendered_diff(found))


def _rendered_diff(found: RepositoryDiff) -> str:
    stopped = f"\n[cut off: {found.stopped}]" if found.stopped is not None else ""
    if len(found.text) <= _MOST_CHARACTERS:
        return (found.text.rstrip("\n") or "[no difference]") + stopped
    shown, _, _ = found.text[:_MOST_CHARACTERS].rpartition("\n")
    names = ", ".join(found.files[:_MOST_NAMES]) + (", …" if len(found.files) > _MOST_NAMES else "")
    return f"{shown}\n[cut off: it is long; name one `path` of these: {names}]{stopped}"


class GitLogArguments(Arguments):
    path: str | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 20


class GitLogTool(RepositoryTool[GitLogArguments]):
    name = "git_log"
    description = "The latest commits, of one path if given."
    arguments = GitLogArguments

    async def run(self, arguments: GitLogArguments) -> Outcome:
        place = self._place(arguments.path)
        repository = Repository(self._live.folders.root(place).path)
        commits = await repository.log(parts=place.parts, limit=arguments.limit)
        shown = "\n".join(_rendered_commit(commit) for commit in commits)
        if len(commits) == arguments.limit:
            return Succeeded(f"{shown}\n[the latest {arguments.limit}; for more, a higher `limit`]")
        return Succeeded(shown or "[no commits]")


def _rendered_commit(commit: Commit) -> str:
    message = commit.message
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[:_LONGEST_MESSAGE]}[…]"
    lines = "\n  ".join(line for line in message.split("\n") if line.strip())
    return f"{commit.revision[:_REVISION_LENGTH]} {commit.committed_at[:10]} {commit.author}: {lines}"
