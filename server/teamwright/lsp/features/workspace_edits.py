"""The client as the hand that changes the user's files: writes as one LSP workspace edit, versioned, as small as can
be, and marked with whose they are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from anyio import to_thread

from teamwright.lsp.transport.messages import Json, is_list, mapping
from teamwright.lsp.transport.peer import Peer, PeerError
from teamwright.protocol.ids import AgentId
from teamwright.workspace.changes.file_writes import EditAccepted, EditDeclined, EditOutcome, Write
from teamwright.workspace.changes.text_edits import text_edits
from teamwright.workspace.files.positions import PositionUnit

_ANNOTATION: Final = "teamwright"
# An editor may have to open many files.
_DEADLINE_SECONDS: Final = 10.0
_SECONDS_PER_FILE: Final = 0.2


@dataclass(frozen=True, slots=True)
class EditSupport:
    """What a client understands of workspace edits."""

    document_changes: bool = False
    annotations: bool = False
    # "create", "rename", "delete"
    operations: frozenset[str] = frozenset()

    @classmethod
    def told(cls, workspace_edit: Mapping[str, Any]) -> "EditSupport":
        """From `capabilities.workspace.workspaceEdit`."""
        document_changes = workspace_edit.get("documentChanges") is True
        given = workspace_edit.get("resourceOperations")
        operations = frozenset(each for each in given if isinstance(each, str)) if is_list(given) else frozenset[str]()
        return cls(
            document_changes=document_changes,
            annotations=document_changes and isinstance(workspace_edit.get("changeAnnotationSupport"), dict),
            operations=operations if document_changes else frozenset(),
        )

    def can_express(self, write: Write) -> bool:
        if write.found.text is None:
            # A file that an editor creates has the editor's own encoding.
            return "create" in self.operations and write.encoding == "utf-8"
        return write.text is not None or "delete" in self.operations


class ClientEditor:
    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def can_make(self, write: Write) -> bool:
        return self._peer.can("workspace", "applyEdit") and self._support.can_express(write)

    async def make(self, writes: Sequence[Write], agent_id: AgentId) -> EditOutcome:
        # Comparing long texts takes its time.
        edit = await to_thread.run_sync(workspace_edit, writes, agent_id, self._support, self._peer.position_encoding)
        params = {"label": f"Teamwright: changes by {agent_id}", "edit": edit}
        deadline = _DEADLINE_SECONDS + _SECONDS_PER_FILE * len(writes)
        try:
            result = mapping(await self._peer.request("workspace/applyEdit", params, deadline=deadline))
        except PeerError as fault:
            return EditDeclined(f"the editor failed: {fault}")
        except TimeoutError:
            return EditDeclined("the editor did not answer")
        if result.get("applied") is True:
            return EditAccepted()
        reason = result.get("failureReason")
        return EditDeclined(f"the editor refused: {reason}" if reason else "the editor refused it")

    @property
    def _support(self) -> EditSupport:
        workspace = mapping(self._peer.capabilities.get("workspace"))
        return EditSupport.told(mapping(workspace.get("workspaceEdit")))


def workspace_edit(writes: Sequence[Write], agent_id: AgentId, support: EditSupport, unit: PositionUnit) -> Json:
    if not support.document_changes:
        return {"changes": {_uri(write): _text_edits(write, unit) for write in writes}}
    mark = {"annotationId": _ANNOTATION} if support.annotations else {}
    edit: Json = {"documentChanges": list(_document_changes(writes, support, unit, mark))}
    if support.annotations:
        edit["changeAnnotations"] = {_ANNOTATION: {"label": f"Teamwright: {agent_id}", "needsConfirmation": False}}
    return edit


def _document_changes(
    writes: Sequence[Write], support: EditSupport, unit: PositionUnit, mark: Mapping[str, str]
) -> Iterator[Json]:
    renames = _renames(writes) if "rename" in support.operations else {}
    yield from ({"kind": "rename", "oldUri": old, "newUri": new, **mark} for old, new in renames.items())
    for write in writes:
        uri = _uri(write)
        if uri in renames or uri in renames.values():
            continue
        if write.text is None:
            yield {"kind": "delete", "uri": uri, **mark}
            continue
        if write.found.text is None:
            yield {"kind": "create", "uri": uri, **mark}
        edits = [{**edit, **mark} for edit in _text_edits(write, unit)]
        version = None if write.found.document is None else write.found.document.version
        if edits:
            yield {"textDocument": {"uri": uri, "version": version}, "edits": edits}


def _renames(writes: Sequence[Write]) -> dict[str, str]:
    """From where to where whole files have moved: what is deleted here and created there reads the same."""
    created = {write.text: _uri(write) for write in writes if write.found.text is None and write.text}
    deleted = {write.found.text: _uri(write) for write in writes if write.text is None and write.found.text}
    return {old: created[text] for text, old in deleted.items() if text in created}


def _text_edits(write: Write, unit: PositionUnit) -> list[Json]:
    edits = text_edits(write.found.text or "", write.text or "", unit)
    return [{"range": edit.range.to_wire(), "newText": edit.new_text} for edit in edits]


def _uri(write: Write) -> str:
    """In the editor's own spelling, where it has the file open."""
    return write.uri if write.found.document is None else write.found.document.uri
