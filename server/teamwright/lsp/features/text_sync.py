"""Open documents, kept as the editor shows them: unsaved text included, to the character."""

import logging
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from teamwright.lsp.transport.messages import Json
from teamwright.protocol.items import Range
from teamwright.workspace.files.content_changes import whole_characters, with_change
from teamwright.workspace.files.documents import Document, Documents
from teamwright.workspace.files.positions import PositionUnit

log = logging.getLogger(__name__)


class _Said(BaseModel):
    """Clients of a later version may say more."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, frozen=True)


class _OpenedDocument(_Said):
    uri: str
    version: int
    text: str


class DidOpen(_Said):
    text_document: _OpenedDocument


class _NamedDocument(_Said):
    uri: str
    version: int | None = None


class _ContentChange(_Said):
    # Without one, the text is all of the document.
    range: Range | None = None
    text: str


class DidChange(_Said):
    text_document: _NamedDocument
    content_changes: tuple[_ContentChange, ...]


class DidClose(_Said):
    text_document: _NamedDocument


P = TypeVar("P", bound=_Said)


class TextSync:
    def __init__(self, documents: Documents, unit: PositionUnit) -> None:
        self._documents = documents
        self._unit: PositionUnit = unit

    def open(self, params: Json) -> None:
        said = _read(DidOpen, params)
        if said is not None:
            opened = said.text_document
            self._documents.show(Document(opened.uri, opened.version, whole_characters(opened.text)))

    def change(self, params: Json) -> None:
        said = _read(DidChange, params)
        if said is None:
            return
        named = said.text_document
        document = self._documents.get(named.uri)
        if document is None:
            log.warning("The client has changed a document that it has not opened")
            return
        text = document.text
        for change in said.content_changes:
            text = (
                whole_characters(change.text)
                if change.range is None
                else with_change(text, change.range, change.text, self._unit)
            )
        version = document.version + 1 if named.version is None else named.version
        self._documents.show(Document(document.uri, version, text))

    def close(self, params: Json) -> None:
        said = _read(DidClose, params)
        if said is not None:
            self._documents.close(said.text_document.uri)


def _read(said: type[P], params: Json) -> P | None:
    """None for what cannot be read: then nothing changes."""
    try:
        return said.model_validate(params)
    except ValidationError as fault:
        # Only where and what: the text of a person's document has no place in a log.
        faults = "; ".join(f"{error['loc']}: {error['msg']}" for error in fault.errors(include_input=False))
        log.warning("The client's %s cannot be read: %s", said.__name__, faults)
        return None
