"""`git_log`: who changed what lately, and why."""

from typing import Annotated

from pydantic import Field

from quorate.tools.port import Arguments, Outcome, Succeeded
from quorate.tools.repository.tool import RepositoryTool
from quorate.workspace.git import Commit, Repository

_LONGEST_MESSAGE = 600
_REVISION_LENGTH = 10


class GitLogArguments(Arguments):
    path: str | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 20


class GitLog(RepositoryTool[GitLogArguments]):
    name = "git_log"
    description = "The latest commits, of one path if given."
    arguments = GitLogArguments

    async def run(self, arguments: GitLogArguments) -> Outcome:
        place = self._place(arguments.path)
        repository = Repository(self._live.folders.root(place).path)
        commits = await repository.log(parts=place.parts, limit=arguments.limit)
        shown = "\n".join(_rendered(commit) for commit in commits)
        if len(commits) == arguments.limit:
            return Succeeded(f"{shown}\n[the latest {arguments.limit}; for more, a higher `limit`]")
        return Succeeded(shown or "[no commits]")


def _rendered(commit: Commit) -> str:
    message = commit.message
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[:_LONGEST_MESSAGE]}[…]"
    lines = "\n  ".join(line for line in message.split("\n") if line.strip())
    return f"{commit.revision[:_REVISION_LENGTH]} {commit.committed_at[:10]} {commit.author}: {lines}"
