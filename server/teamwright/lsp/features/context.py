"""What a feature of the language server works with: the application, the open documents, and the client."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from teamwright.application.background import BackgroundTasks
from teamwright.application.lifecycle import RunningApplication
from teamwright.lsp.client_options import ClientOptions
from teamwright.lsp.features.diagnostics import Diagnostics
from teamwright.lsp.outbound import Outbound
from teamwright.lsp.transport.peer import Peer
from teamwright.workspace.files.documents import Documents

if TYPE_CHECKING:
    from teamwright.application.context import CommandContext


@dataclass(frozen=True, slots=True)
class FeatureContext:
    application: RunningApplication
    # What the client hears of its sessions; a feature may `follow` it.
    client: Outbound
    # The client itself: its capabilities, `request` and `notify`.
    peer: Peer
    documents: Documents
    options: ClientOptions
    # What our features say of the client's documents.
    diagnostics: Diagnostics

    async def commands(self) -> "CommandContext":
        """For what a feature does in the client's name."""
        await self.application.load()
        return self.application.context_for(self.client)

    @property
    def background(self) -> BackgroundTasks:
        return self.application.background
