"""The client as the hand that changes the user's files."""

from collections.abc import Sequence
from typing import Final

from anyio import to_thread

from quorate.lsp.features.workspace_edits import EditSupport, workspace_edit
from quorate.lsp.transport.messages import mapping
from quorate.lsp.transport.peer import Peer, PeerError
from quorate.protocol.ids import AgentId
from quorate.workspace.editor import Accepted, Answer, Declined
from quorate.workspace.file_writes import Write

# An editor may have to open many files.
_DEADLINE_SECONDS: Final = 10.0
_SECONDS_PER_FILE: Final = 0.2


class ClientEditor:
    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def can_make(self, write: Write) -> bool:
        return self._peer.can("workspace", "applyEdit") and self._support.can_express(write)

    async def make(self, writes: Sequence[Write], agent_id: AgentId) -> Answer:
        # Comparing long texts takes its time.
        edit = await to_thread.run_sync(workspace_edit, writes, agent_id, self._support, self._peer.position_encoding)
        params = {"label": f"Quorate: changes by {agent_id}", "edit": edit}
        deadline = _DEADLINE_SECONDS + _SECONDS_PER_FILE * len(writes)
        try:
            result = mapping(await self._peer.request("workspace/applyEdit", params, deadline=deadline))
        except PeerError as fault:
            return Declined(f"the editor failed: {fault}")
        except TimeoutError:
            return Declined("the editor did not answer")
        if result.get("applied") is True:
            return Accepted()
        reason = result.get("failureReason")
        return Declined(f"the editor refused: {reason}" if reason else "the editor refused it")

    @property
    def _support(self) -> EditSupport:
        workspace = mapping(self._peer.capabilities.get("workspace"))
        return EditSupport.told(mapping(workspace.get("workspaceEdit")))
