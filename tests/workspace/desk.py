"""What a test of the workspace has at hand: a folder, what the editor shows of it, and agents by name."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.changes import FileChoice, SettledFile
from teamwright.protocol.ids import AgentId, SessionId
from teamwright.workspace.changes.applications import ChangeApplication
from teamwright.workspace.changes.applying import Applier
from teamwright.workspace.changes.change_ledger import ChangeLedger
from teamwright.workspace.changes.change_sets import propose, to_wire
from teamwright.workspace.changes.file_writes import Editor
from teamwright.workspace.changes.guarding import ChangeGuard
from teamwright.workspace.changes.operations import ChangeOperation, Reversal
from teamwright.workspace.copies.scratch import AgentFiles
from teamwright.workspace.files.documents import Document, Documents
from teamwright.workspace.files.exact_writes import ExactWrites
from teamwright.workspace.files.folders import Folders
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.safe_files import Root


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
        return ChangeLedger(Root(self.run_directory), SessionId("ses_1"))

    def guard(self) -> ChangeGuard:
        """Nothing is refused, and what is stored is what is shown."""
        ledger = self.ledger()
        return ChangeGuard(lambda _: None, lambda: [to_wire(each, ledger.agent_id) for each in ledger.changes()])

    def apply(self, choices: Sequence[FileChoice] | None = None) -> tuple[SettledFile, ...]:
        return asyncio.run(self._carry_out(lambda: ChangeApplication(self.ledger(), self.live, self.guard(), choices)))

    def undo(self) -> tuple[SettledFile, ...]:
        return asyncio.run(self._carry_out(lambda: Reversal(self.ledger(), self.live, self.guard())))

    async def _carry_out(self, operation: Callable[[], ChangeOperation]) -> tuple[SettledFile, ...]:
        return await Applier(self.live, ExactWrites(self.run_directory / "replacing"), self.editor).carry_out(operation)

    def proposed(self, agent: AgentFiles) -> ChangeLedger:
        ledger = self.ledger()
        ledger.record(propose(agent.live, agent.difference()), AgentId("claude"))
        return ledger
