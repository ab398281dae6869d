"""What the agents of a run change in their copies: taken with an answer, shown to the others, proposed."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from anyio import to_thread

from teamwright.engine.run.state import GivenAnswer
from teamwright.permissions.paths import WorkspacePath, parse_path, render_path
from teamwright.protocol.changes import Change
from teamwright.protocol.checks import Candidate, CheckDefinition
from teamwright.protocol.errors import NotFound
from teamwright.protocol.ids import AgentId
from teamwright.runtime.checks.touching import changes_own_checks
from teamwright.store.directories import make_private_directory
from teamwright.workspace.changes.change_sets import FileChange, as_wanted, to_wire
from teamwright.workspace.changes.hunks import diff_of
from teamwright.workspace.copies.candidates import Candidates
from teamwright.workspace.copies.scratch import AgentFiles
from teamwright.workspace.copies.staging import StagedFile
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.safe_files import Root

# Of an answer's difference, what the others are shown at once; the rest they can read.
_LONGEST_DIFF = 12_000
_LONGEST_DIFF_OF_FILE = 4_000


class RunCandidates:
    def __init__(self, directory: Path, live: LiveFiles, checks: tuple[CheckDefinition, ...] = ()) -> None:
        self._kept = Candidates(Root(directory, private=True))
        self._live = live
        self._checks = checks
        self._diffs: dict[str, str] = {}

    async def bring(self, files: AgentFiles) -> Candidate | None:
        """What the agent's copy differs in by now; None where it does in nothing."""
        if files.is_unchanged:
            return None
        return await to_thread.run_sync(lambda: self._keep(files.difference()))

    def _keep(self, files: tuple[StagedFile, ...]) -> Candidate | None:
        if not files:
            return None
        name = self._kept.keep(files)
        edits = [edit for file in files for group in diff_of(file.base or "", file.text or "").groups for edit in group]
        self._diffs[name] = self._told(files)
        paths = tuple(render_path(file.path, self._live.folders.places) for file in files)
        return Candidate(
            change_set_id=name,
            files=paths,
            changes_own_checks=True if self._checks and changes_own_checks(paths, self._checks) else None,
            added=sum(edit.new_end - edit.new_start for edit in edits),
            removed=sum(edit.old_end - edit.old_start for edit in edits),
        )

    async def load(self, name: str | None) -> tuple[StagedFile, ...]:
        """Of the base nothing differs. Raises NotFound."""
        return () if name is None else await to_thread.run_sync(self._kept.load, name)

    async def changes(self, name: str, agent_id: AgentId) -> tuple[Change, ...]:
        """As clients show it. Raises NotFound."""
        return tuple(to_wire(change, agent_id) for change in await self.file_changes(name))

    async def file_changes(self, name: str) -> tuple[FileChange, ...]:
        return tuple(as_wanted(self._live, file) for file in await self.load(name))

    async def diffs(self, answers: Iterable[GivenAnswer]) -> Mapping[str, str]:
        """For those who judge these answers: by their candidates, bounded."""
        wanted = {answer.candidate.change_set_id for answer in answers if answer.candidate is not None}
        for name in wanted - self._diffs.keys():
            # Brought before a restart.
            self._diffs[name] = self._told(await self.load(name))
        return {name: self._diffs[name] for name in wanted}

    def _told(self, files: Iterable[StagedFile]) -> str:
        diffs = [to_wire(as_wanted(self._live, file), AgentId("")).diff for file in files]
        return _cut("".join(_cut(diff, _LONGEST_DIFF_OF_FILE) for diff in diffs), _LONGEST_DIFF)


def take_over_candidates(source: Path, target: Path, names: Iterable[str]) -> None:
    """What answers of another run change, kept with this one too. Blocks. What is gone is left out."""
    earlier, own = Candidates(Root(source, private=True)), Candidates(Root(target, private=True))
    make_private_directory(target)
    for name in names:
        with suppress(NotFound):
            own.keep(earlier.load(name))


def uri_of(path: str, live: LiveFiles) -> str | None:
    """Of a file as tools name it; None where that is no file of the workspace."""
    parsed = parse_path(path, live.folders.places)
    return live.uri(parsed) if isinstance(parsed, WorkspacePath) else None


def _cut(text: str, longest: int) -> str:
    """Whole lines only."""
    if len(text) <= longest:
        return text
    kept = text[: text.rfind("\n", 0, longest) + 1]
    left = text.count("\n") - kept.count("\n")
    return f"{kept}… and {left} more lines\n"
