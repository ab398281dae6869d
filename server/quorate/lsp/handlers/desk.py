"""What a handler works with: the runtime, the open documents, and the client that it answers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from quorate.lsp.client_options import ClientOptions
from quorate.lsp.containment import Errands
from quorate.lsp.features.diagnostics import Diagnostics
from quorate.lsp.outbound import Outbound
from quorate.lsp.transport.peer import Peer
from quorate.protocol.ids import DecisionId, FindingId, RunId, TurnId
from quorate.runtime.session import Session
from quorate.runtime.supervisor import Supervisor
from quorate.workspace.documents import Documents


@dataclass(frozen=True, slots=True)
class Desk:
    supervisor: Supervisor
    # What the client hears of its sessions; a feature may `follow` it.
    client: Outbound
    # The client itself: its capabilities, `request` and `notify`.
    peer: Peer
    documents: Documents
    errands: Errands
    options: ClientOptions
    # What our features say of the client's documents.
    diagnostics: Diagnostics
    # To be called when trust or the configuration has changed. Raises UserError where it has faults now.
    renew: Callable[[], Awaitable[None]]

    async def attend(self, session: Session) -> None:
        """Whoever writes to a session hears what becomes of it."""
        (await self.supervisor.house()).bus.subscribe(self.client, session.session_id)

    async def attend_to(self, thing: RunId | TurnId | DecisionId | FindingId) -> None:
        """Raises NotFound, and Conflict where another window writes to its session."""
        await self.attend(await self.supervisor.session_with(thing))
