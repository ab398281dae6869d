"""What a test of the workspace has at hand: a folder, what the editor shows of it, and agents by name."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from quorate.permissions.paths import WorkspacePath
from quorate.protocol.changes import FileChoice, SettledFile
from quorate.protocol.ids import AgentId
from quorate.workspace.applications import Application
from quorate.workspace.applying import Applier
from quorate.workspace.change_ledger import ChangeLedger
from quorate.workspace.change_sets import propose
from quorate.workspace.documents import Document, Documents
from quorate.workspace.editor import Editor
from quorate.workspace.errands import Errand
from quorate.workspace.folders import Folders
from quorate.workspace.live_files import LiveFiles
from quorate.workspace.reversals import Reversal
from quorate.workspace.safe_files import Root
from quorate.workspace.scratch import AgentFiles


class Desk:
    def __init__(self, directory: Path) -> None:
        self.folder = directory / "app"
        self.folder.mkdir()
        self.run_directory = directory / "state" / "run_1"
        self.documents = Documents()
        self.editor: Editor | None = None
        self.folders = Folders.at(self.folder)
        self.live = LiveFiles(lambda: self.folders, self.documents)

    def path(self, text: str) -> WorkspacePath:
        return WorkspacePath("app", tuple(text.split("/")))

    def put(self, path: str, content: str | bytes = "") -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def edit(self, path: str, text: str, version: int = 1) -> None:
        """The user opens or changes a document."""
        self.documents.show(Document(self.live.folders.uri(self.path(path)), version, text))

    def agent(self, name: str = "agent1") -> AgentFiles:
        return AgentFiles(self.live, self.run_directory, name)

    def ledger(self) -> ChangeLedger:
        return ChangeLedger(Root(self.run_directory))

    def apply(self, choices: Sequence[FileChoice] | None = None) -> tuple[SettledFile, ...]:
        return asyncio.run(self._carry_out(lambda: Application(self.ledger(), self.live, choices)))

    def undo(self) -> tuple[SettledFile, ...]:
        return asyncio.run(self._carry_out(lambda: Reversal(self.ledger(), self.live)))

    async def _carry_out(self, errand: Callable[[], Errand]) -> tuple[SettledFile, ...]:
        return await Applier(self.live, self.editor).carry_out(errand)

    def proposed(self, agent: AgentFiles) -> ChangeLedger:
        ledger = self.ledger()
        ledger.record(propose(agent), AgentId("claude"))
        return ledger
