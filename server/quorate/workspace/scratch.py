"""An agent's own view of the files: its staged writes over open documents over the disk, its scratch folder, and the
answers of its peers.

Nothing is copied: a view costs nothing until it is written to, however large the workspace. What is written lies in the
run's directory in the state directory, not in memory, so that it survives a crash, has no size to spill at, and a
command can run in the scratch folder. Everything here blocks on the disk: call it in a worker thread.
"""

from pathlib import Path

from quorate.permissions.paths import AnswerPath, ScratchPath, Target, WorkspacePath
from quorate.protocol.errors import LimitReached, NotFound, NotPermitted
from quorate.workspace.answers import AnswerFiles, Answers
from quorate.workspace.beneath import Entry
from quorate.workspace.blobs import Blobs
from quorate.workspace.folders import Folders
from quorate.workspace.live_files import LiveFiles, LiveText, bytes_or_refusal, text_or_refusal
from quorate.workspace.safe_files import READ_LIMIT_BYTES, Root, is_leftover
from quorate.workspace.staging import StagedFile, StagedWrites
from quorate.workspace.text import Text, decode, in_style_of


class AgentFiles:
    """Permissions are not checked here: the dispatcher has asked them before."""

    def __init__(self, live: LiveFiles, run_directory: Path, agent: str) -> None:
        """`agent` is the anonymous name in the run, such as `agent1`: it names a directory."""
        home = run_directory / agent
        self._scratch_directory = home / "scratch"
        # Whether an answer has no files, without a look at the disk.
        self.is_scratch_untouched = not self._scratch_directory.exists()
        self._scratch_directory.mkdir(parents=True, exist_ok=True)
        self.live = live
        self.staged = StagedWrites(Root(home), Blobs(Root(run_directory)))
        self._scratch = Root(self._scratch_directory)
        self._answers = Answers(Root(run_directory))

    @property
    def folders(self) -> Folders:
        return self.live.folders

    def lend_scratch(self) -> Path:
        """For commands, which may leave anything there."""
        self.is_scratch_untouched = False
        return self._scratch_directory

    def read(self, path: Target) -> LiveText:
        match path:
            case ScratchPath(parts):
                return LiveText(text_or_refusal(self._scratch.read(parts), parts), "disk")
            case AnswerPath(parts):
                return LiveText(text_or_refusal(self._answers.read(parts), parts), "disk")
            case WorkspacePath(_, parts):
                staged = self.staged.get(path)
                if staged is None:
                    return self.live.read(path)
                if staged.text is None:
                    raise NotFound(f"`{'/'.join(parts)}` does not exist: it is deleted in this run.")
                return LiveText(staged.text, "staged")

    def entries(self, path: Target) -> tuple[Entry, ...]:
        match path:
            case ScratchPath(parts):
                return tuple(entry for entry in self._scratch.entries(parts) if not is_leftover(entry.name))
            case AnswerPath(parts):
                return self._answers.entries(parts)
            case WorkspacePath():
                return self._workspace_entries(path)

    def write(self, path: ScratchPath | WorkspacePath, text: str) -> None:
        """Line endings and encoding of what is there are kept."""
        if len(text.encode("utf-8", "surrogatepass")) > READ_LIMIT_BYTES:
            raise LimitReached(f"`{'/'.join(path.parts)}` would be too large to be read again.", READ_LIMIT_BYTES)
        match path:
            case ScratchPath(parts):
                self._write_scratch(parts, text)
            case WorkspacePath(_, parts):
                base, current = self._base_and_current(path)
                styled = in_style_of(current or base or "", text)
                bytes_or_refusal(Text(styled), parts)
                self.staged.stage(StagedFile(path, base, styled))

    def delete(self, path: ScratchPath | WorkspacePath) -> None:
        match path:
            case ScratchPath(parts):
                self._scratch.delete(parts)
            case WorkspacePath(_, parts):
                base, current = self._base_and_current(path)
                if current is None:
                    raise NotFound(f"`{'/'.join(parts)}` does not exist.")
                self.staged.stage(StagedFile(path, base, None))

    def submit_answer(self, label: str) -> AnswerFiles:
        """Keeps the scratch folder as it is now for the peers to read."""
        return self._answers.submit(label, self._scratch)

    def _write_scratch(self, parts: tuple[str, ...], text: str) -> None:
        self.is_scratch_untouched = False
        data = self._scratch.read_if_present(parts)
        old = Text("") if data is None else decode(data)
        if not isinstance(old, Text):
            raise NotPermitted(f"`scratch/{'/'.join(parts)}` is binary and is not replaced by text.")
        self._scratch.write(parts, bytes_or_refusal(Text(in_style_of(old.text, text), old.encoding), parts))

    def _base_and_current(self, path: WorkspacePath) -> tuple[str | None, str | None]:
        staged = self.staged.get(path)
        if staged is not None:
            return staged.base, staged.text
        shown = self.live.read_if_present(path)
        return shown, shown

    def _workspace_entries(self, path: WorkspacePath) -> tuple[Entry, ...]:
        depth = len(path.parts)
        presence = self.staged.presence().items()
        staged = {each.parts[depth:]: exists for each, exists in presence if each.within(path) and each != path}
        try:
            found = {entry.name: entry for entry in self.live.entries(path)}
        except NotFound:
            if not any(staged.values()):
                raise
            found = {}
        for (name, *below), exists in staged.items():
            if exists:
                found[name] = found.get(name, Entry(name, "directory")) if below else Entry(name, "file")
            elif not below:
                found.pop(name, None)
        return tuple(found[name] for name in sorted(found))
