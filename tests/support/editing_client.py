"""A client that holds documents and applies edits, as editors do: versions are checked, and changes are told."""

from codecs import BOM_UTF8
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from lsprotocol.converters import get_converter

from tests.support.editor_text import edited, position_of
from tests.support.lsp_client import Json, LspClient

_CONVERTER = get_converter()


def capabilities(*, unit: str = "utf-16", document_changes: bool = True) -> Json:
    edit: Json = {"documentChanges": document_changes, "changeAnnotationSupport": {"groupsOnLabel": True}}
    edit["resourceOperations"] = ["create", "rename", "delete"]
    return {"general": {"positionEncodings": [unit]}, "workspace": {"applyEdit": True, "workspaceEdit": edit}}


@dataclass
class OpenDocument:
    version: int
    text: str


class EditingClient:
    """`unopened` says what it does with files that are not open: VS Code opens them, others write them."""

    def __init__(
        self, client: LspClient, *, unit: str = "utf-16", unopened: Literal["opens", "writes"] = "opens"
    ) -> None:
        self.client = client
        self.documents: dict[str, OpenDocument] = {}
        # Every edit that the server asked for, in order.
        self.asked: list[Json] = []
        # What the user does at the very moment when an edit comes in.
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        self.refuses: str | None = None
        self.tells = True
        self._unit = unit
        self._unopened = unopened
        client.answers["workspace/applyEdit"] = self.apply

    async def open(self, path: Path, text: str | None = None) -> str:
        uri = path.as_uri()
        await self._open(uri, _text_of(path) if text is None else text)
        return uri

    async def close(self, uri: str) -> None:
        del self.documents[uri]
        await self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    async def type(self, uri: str, old: str, new: str) -> None:
        """Replaces the first place that reads `old`, as a change of that place alone."""
        text = self.documents[uri].text
        start = text.index(old)
        place = {
            "start": position_of(text, start, self._unit),
            "end": position_of(text, start + len(old), self._unit),
        }
        await self._change(uri, text.replace(old, new, 1), [{"range": place, "text": new}])

    async def _open(self, uri: str, text: str) -> None:
        self.documents[uri] = OpenDocument(1, text)
        document = {"uri": uri, "languageId": "plaintext", "version": 1, "text": text}
        await self.client.notify("textDocument/didOpen", {"textDocument": document})

    async def _change(self, uri: str, text: str, changes: list[Json]) -> None:
        document = self.documents[uri]
        document.text, document.version = text, document.version + 1
        if self.tells:
            identifier = {"uri": uri, "version": document.version}
            params = {"textDocument": identifier, "contentChanges": changes}
            await self.client.notify("textDocument/didChange", params)

    async def apply(self, params: Json) -> Json:
        _CONVERTER.structure(params, types.ApplyWorkspaceEditParams)
        self.asked.append(params)
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        if self.refuses is not None:
            return {"applied": False, "failureReason": self.refuses}
        edit: Json = params["edit"]
        for uri, edits in edit.get("changes", {}).items():
            await self._edit(uri, edits)
        steps: list[Json] = edit.get("documentChanges", [])
        if any(self._is_stale(step) for step in steps):
            return {"applied": False, "failureReason": "a document has changed meanwhile"}
        for step in steps:
            await self._take(step)
        return {"applied": True}

    def _is_stale(self, step: Json) -> bool:
        identifier = step.get("textDocument", {})
        document = self.documents.get(identifier.get("uri"))
        return document is not None and identifier["version"] not in {None, document.version}

    async def _take(self, step: Json) -> None:
        match step:
            case {"kind": "create", "uri": uri}:
                path = path_of(uri)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.open("x", encoding="utf-8").close()
            case {"kind": "rename", "oldUri": old, "newUri": new}:
                path_of(old).rename(path_of(new))
            case {"kind": "delete", "uri": uri}:
                path_of(uri).unlink()
                if uri in self.documents:
                    await self.close(uri)
            case {"textDocument": {"uri": uri}, "edits": edits}:
                await self._edit(uri, edits)
            case _:
                raise AssertionError(f"an edit that no editor knows: {step}")

    async def _edit(self, uri: str, edits: list[Json]) -> None:
        if uri not in self.documents:
            data = path_of(uri).read_bytes()
            text, mark = data.decode("utf-8-sig"), BOM_UTF8 if data.startswith(BOM_UTF8) else b""
            if self._unopened == "writes":
                path_of(uri).write_bytes(mark + edited(text, edits, self._unit).encode())
                return
            await self._open(uri, text)
        text = edited(self.documents[uri].text, edits, self._unit)
        await self._change(uri, text, [{"text": text}])


def _text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig")


def path_of(uri: str) -> Path:
    return Path(unquote(urlsplit(uri).path))


def edits_in(asked: Json) -> list[tuple[Any, ...]]:
    """An edit request in short: what is done to which file."""
    steps: list[Json] = asked["edit"]["documentChanges"]
    return [
        (step["kind"], *(Path(step[key]).name for key in ("uri", "oldUri", "newUri") if key in step))
        if "kind" in step
        else (
            "edit",
            Path(step["textDocument"]["uri"]).name,
            step["textDocument"]["version"],
            *(edit["newText"] for edit in step["edits"]),
        )
        for step in steps
    ]
