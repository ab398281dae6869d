"""Writes as one LSP workspace edit: versioned, as small as can be, and marked with whose they are. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from quorate.lsp.transport.messages import Json, is_list
from quorate.protocol.ids import AgentId
from quorate.workspace.file_writes import Write
from quorate.workspace.text_edits import PositionUnit, text_edits

_ANNOTATION: Final = "quorate"


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


def workspace_edit(writes: Sequence[Write], agent_id: AgentId, support: EditSupport, unit: PositionUnit) -> Json:
    if not support.document_changes:
        return {"changes": {_uri(write): _text_edits(write, unit) for write in writes}}
    mark = {"annotationId": _ANNOTATION} if support.annotations else {}
    edit: Json = {"documentChanges": list(_document_changes(writes, support, unit, mark))}
    if support.annotations:
        edit["changeAnnotations"] = {_ANNOTATION: {"label": f"Quorate: {agent_id}", "needsConfirmation": False}}
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
