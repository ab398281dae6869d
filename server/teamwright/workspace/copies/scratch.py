"""An agent's working copy: its writes over what its commands have left, over open documents, over the disk; beside it
its scratch folder, and the answers of its peers.

Nothing is copied: a view costs nothing until it is written to, however large the workspace. What is written lies in the
run's directory in the state directory, not in memory, so that it survives a crash and has no size to spill at.
Everything here blocks on the disk: call it in a worker thread.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from teamwright.permissions.paths import AnswerPath, ScratchPath, Target, WorkspacePath, render_path
from teamwright.protocol.errors import LimitReached, NotFound, NotPermitted
from teamwright.workspace.copies.answers import AnswerFiles, Answers
from teamwright.workspace.copies.cleaning import remove_copies
from teamwright.workspace.copies.kept import KeptLayer
from teamwright.workspace.copies.new_names import NewNames
from teamwright.workspace.copies.staging import Blobs, StagedFile, StagedWrites
from teamwright.workspace.files.beneath import DirectoryEntry
from teamwright.workspace.files.folders import Folders
from teamwright.workspace.files.live_files import LiveFiles, LiveText, bytes_or_refusal, text_or_refusal
from teamwright.workspace.files.safe_files import READ_LIMIT_BYTES, Root, is_leftover, make_private_directories
from teamwright.workspace.files.text import Text, decode, in_style_of
from teamwright.workspace.files.walking import is_ignored

_KEPT: Final = "kept"


class AgentFiles:
    """Permissions are not checked here: the dispatcher has asked them before."""

    def __init__(
        self,
        live: LiveFiles,
        run_directory: Path,
        agent: str,
        *,
        shown: LiveFiles | None = None,
        copies: Path | None = None,
    ) -> None:
        """`agent` is the anonymous name in the run, such as `agent1`: it names a directory.

        `shown` is what the agent sees below its own writes: open documents as they were when the run began. `copies`
        is where copies lie that outlive neither the run nor the process.
        """
        home = run_directory / agent
        self.copy_directory = (copies or run_directory / "copies") / agent
        self.shown = shown or live
        self._scratch_directory = home / "scratch"
        # Whether an answer has no files, without a look at the disk.
        self.is_scratch_untouched = not self._scratch_directory.exists()
        make_private_directories(self._scratch_directory)
        # The answer that the copy was last made into.
        self.adopted: str | None = None
        self.live = live
        self.staged = StagedWrites(Root(home, private=True), Blobs(Root(run_directory, private=True)))
        self._scratch = Root(self._scratch_directory, private=True)
        self._answers = Answers(Root(run_directory, private=True))
        self._forget_commands()

    @property
    def folders(self) -> Folders:
        return self.live.folders

    def lend_scratch(self) -> Path:
        """For commands, which may leave anything there."""
        self.is_scratch_untouched = False
        return self._scratch_directory

    def lend_kept(self, folder: str) -> Path:
        """Where what commands write in this folder is kept."""
        kept = self.copy_directory / _KEPT / folder
        make_private_directories(kept)
        self._kept[folder] = KeptLayer(kept)
        return kept

    def kept_layers(self) -> dict[str, KeptLayer]:
        """By the folder's name; none before the first command."""
        return dict(self._kept)

    def read(self, path: Target) -> LiveText:
        """As the agent has left it. Raises NotFound, and NotPermitted for what is no text."""
        match path:
            case ScratchPath(parts):
                return LiveText(text_or_refusal(self._scratch.read(parts), parts), "disk")
            case AnswerPath(parts):
                return LiveText(text_or_refusal(self._answers.read(parts), parts), "disk")
            case WorkspacePath(_, parts):
                staged = self.staged.get(path)
                if staged is None:
                    return self._below_staged(path)
                if staged.text is None:
                    raise NotFound(f"`{'/'.join(parts)}` does not exist: it is deleted in this run.")
                return LiveText(staged.text, "staged")

    def entries(self, path: Target) -> tuple[DirectoryEntry, ...]:
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
                if base is None and (fault := NewNames(self).fault(path)) is not None:
                    raise NotPermitted(f"{fault}.")
                styled = in_style_of(current or base or "", text)
                bytes_or_refusal(Text(styled), parts)
                self.staged.stage(StagedFile(path, base, styled), keep_equal=bool(self._kept))

    def delete(self, path: ScratchPath | WorkspacePath) -> None:
        """Staged, as every write to the workspace is. Raises NotFound."""
        match path:
            case ScratchPath(parts):
                self._scratch.delete(parts)
            case WorkspacePath(_, parts):
                base, current = self._base_and_current(path)
                if current is None:
                    raise NotFound(f"`{'/'.join(parts)}` does not exist.")
                self.staged.stage(StagedFile(path, base, None), keep_equal=bool(self._kept))

    @property
    def is_unchanged(self) -> bool:
        """Whether nothing of the workspace is written, without a look at the disk."""
        return self.staged.is_unchanged

    def difference(self) -> tuple[StagedFile, ...]:
        """All that the agent has changed in the workspace's files, but for what is ignored there."""
        return tuple(file for file in self._written() if not is_ignored(self, file.path))

    def ignored(self) -> tuple[WorkspacePath, ...]:
        """What the agent has changed and the difference leaves out."""
        return tuple(file.path for file in self._written() if is_ignored(self, file.path))

    def _written(self) -> tuple[StagedFile, ...]:
        return tuple(file for file in self.staged.all() if file.text != file.base)

    def adopt(self, files: Iterable[StagedFile], label: str | None = None) -> None:
        """The copy becomes this, whole; `label` says whose answer it is, where it is a peer's."""
        self.staged.replace(files)
        self.adopted = label
        self._forget_commands()

    def submit_answer(self, label: str) -> AnswerFiles:
        """Keeps what is written as it is now for the peers to read: the workspace's files by their paths, and the
        scratch folder."""
        return self._answers.submit(label, self._scratch, self._changed())

    def _changed(self) -> dict[str, str]:
        places = self.folders.places
        return {render_path(file.path, places): file.text for file in self.difference() if file.text is not None}

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
        base = self.shown.read_if_present(path)
        layer = self._kept.get(path.folder)
        match "nothing" if layer is None else layer.says_of(path.parts):
            case "nothing":
                return base, base
            case "gone":
                return base, None
            case _:
                return base, self._below_staged(path).text

    def _below_staged(self, path: WorkspacePath) -> LiveText:
        layer = self._kept.get(path.folder)
        match "nothing" if layer is None else layer.says_of(path.parts):
            case "here" if layer is not None:
                return LiveText(text_or_refusal(layer.read(path.parts), path.parts), "staged")
            case "gone":
                raise NotFound(f"`{'/'.join(path.parts)}` does not exist: it is deleted in this run.")
            case _:
                return self.shown.read(path)

    def _forget_commands(self) -> None:
        """What a command has left is never read again after a crash: nobody knows how far it had come."""
        self._kept: dict[str, KeptLayer] = {}
        remove_copies(self.copy_directory)

    def _workspace_entries(self, path: WorkspacePath) -> tuple[DirectoryEntry, ...]:
        depth = len(path.parts)
        presence = self.staged.presence().items()
        staged = {each.parts[depth:]: exists for each, exists in presence if each.within(path) and each != path}
        layer = self._kept.get(path.folder)
        word = "nothing" if layer is None else layer.says_of(path.parts)
        try:
            found = {} if word == "gone" else {entry.name: entry for entry in self.shown.entries(path)}
        except NotFound:
            if word != "here" and not any(staged.values()):
                raise
            found = {}
        if layer is not None and word == "here":
            found = layer.laid_over(path.parts, found)
        elif word == "gone" and not any(staged.values()):
            raise NotFound(f"`{'/'.join(path.parts)}` does not exist: it is deleted in this run.")
        for (name, *below), exists in staged.items():
            if exists:
                found[name] = (
                    found.get(name, DirectoryEntry(name, "directory")) if below else DirectoryEntry(name, "file")
                )
            elif not below:
                found.pop(name, None)
        return tuple(found[name] for name in sorted(found))
