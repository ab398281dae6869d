"""`git_diff`: what has changed since a revision, unsaved text included."""

from pydantic import Field

from quorate.tools.port import Arguments, Outcome, Succeeded
from quorate.tools.repository.tool import RepositoryTool
from quorate.workspace.repository_diff import RepositoryDiff, diff_since

_MOST_CHARACTERS = 32_000
_MOST_NAMES = 50


class GitDiffArguments(Arguments):
    base: str = Field(default="HEAD", min_length=1)
    path: str | None = None


class GitDiff(RepositoryTool[GitDiffArguments]):
    name = "git_diff"
    description = "What has changed since `base`, or since the branch left it if written `main...`."
    arguments = GitDiffArguments

    async def run(self, arguments: GitDiffArguments) -> Outcome:
        found = await diff_since(self._live, self._rules, self._place(arguments.path), arguments.base)
        return Succeeded(_rendered(found))


def _rendered(found: RepositoryDiff) -> str:
    stopped = f"\n[cut off: {found.stopped}]" if found.stopped is not None else ""
    if len(found.text) <= _MOST_CHARACTERS:
        return (found.text.rstrip("\n") or "[no difference]") + stopped
    shown, _, _ = found.text[:_MOST_CHARACTERS].rpartition("\n")
    names = ", ".join(found.files[:_MOST_NAMES]) + (", …" if len(found.files) > _MOST_NAMES else "")
    return f"{shown}\n[cut off: it is long; name one `path` of these: {names}]{stopped}"
