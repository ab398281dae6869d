"""Help with writing a configuration: what is wrong at its place, what may stand there, what it means."""

import os
from typing import Final

from anyio import to_thread
from lsprotocol import types
from pygls.workspace import PositionCodec

from quorate.config.load import load_text
from quorate.config.problems import Problem
from quorate.config.suggestions import Suggestion, explanation, suggestions
from quorate.config.surroundings import Surroundings, missing_things
from quorate.lsp.features.config_files import config_path, is_of_workspace
from quorate.lsp.features.diagnostics import NAME
from quorate.lsp.handlers.desk import Desk
from quorate.lsp.transport.messages import Json, mapping
from quorate.lsp.transport.methods import Methods
from quorate.workspace.lines import split_lines

_ERROR, _WARNING, _INFORMATION = 1, 2, 3
_KINDS: Final = {"key": 10, "value": 12, "variable": 6}


def register(methods: Methods, desk: Desk) -> None:
    support = ConfigSupport(desk)
    for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"):
        methods.on_notification(method, support.follow_text)
    methods.on_notification("workspace/didChangeConfiguration", lambda _: support.check_all())
    methods.on_request("textDocument/completion", support.complete)
    methods.on_request("textDocument/hover", support.hover)


class ConfigSupport:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._codec = PositionCodec(types.PositionEncodingKind(desk.peer.position_encoding))
        self._being_checked: set[str] = set()

    def follow_text(self, params: Json) -> None:
        self._check(mapping(params.get("textDocument")).get("uri"))

    def check_all(self) -> None:
        for document in self._desk.documents.all():
            self._check(document.uri)

    async def complete(self, params: Json) -> list[Json]:
        lines, place = self._place(params)
        if lines is None:
            return []
        found = suggestions(lines, place.line, place.character, sorted(os.environ))
        return [self._item(each, lines, place) for each in found]

    async def hover(self, params: Json) -> Json | None:
        lines, place = self._place(params)
        text = explanation(lines, place.line, place.character) if lines is not None else None
        return None if text is None else {"contents": {"kind": "markdown", "value": text}}

    def _check(self, uri: object) -> None:
        if isinstance(uri, str) and config_path(uri, self._desk.options.premises) and uri not in self._being_checked:
            self._being_checked.add(uri)
            self._desk.errands.start(self._show_problems, uri)

    async def _show_problems(self, uri: str) -> None:
        """Until what is shown is of the text as it is now: it may have been changed meanwhile."""
        try:
            while True:
                document = self._desk.documents.get(uri)
                found = [] if document is None else await to_thread.run_sync(self._problems, uri, document.text)
                if self._desk.documents.get(uri) == document:
                    self._desk.diagnostics.put("configuration", uri, found)
                    return
        finally:
            self._being_checked.discard(uri)

    def _problems(self, uri: str, text: str) -> list[Json]:
        """Before trust the text is only looked at: nothing that it names is looked for."""
        premises = self._desk.options.premises
        path = config_path(uri, premises)
        lines = split_lines(text)
        loaded = load_text(text, str(path))
        told = [(_ERROR, fault) for fault in loaded.faults] + [(_WARNING, each) for each in loaded.warnings]
        if path is not None and is_of_workspace(path) and not premises.trusted:
            return [_untrusted(), *(self._diagnostic(level, problem, lines) for level, problem in told)]
        if loaded.settings is not None and loaded.tree is not None:
            missing = missing_things(loaded.settings, loaded.tree, Surroundings(), premises.root)
            told += [(_WARNING, each) for each in missing]
        return [self._diagnostic(level, problem, lines) for level, problem in told]

    def _diagnostic(self, severity: int, problem: Problem, lines: list[str]) -> Json:
        at = problem.place
        start = types.Position(at.line - 1, at.column - 1)
        end = types.Position(at.end_line - 1, at.end_column - 1)
        message = f"{problem.path}: {problem.message}" if problem.path else problem.message
        placed = self._codec.range_to_client_units(lines, types.Range(start, end))
        return {"range": _range(placed), "severity": severity, "source": NAME, "message": message}

    def _place(self, params: Json) -> tuple[list[str] | None, types.Position]:
        """In code points. No lines where it is no configuration of ours."""
        uri, position = mapping(params.get("textDocument")).get("uri"), mapping(params.get("position"))
        line, character = position.get("line"), position.get("character")
        document = self._desk.documents.get(uri) if isinstance(uri, str) else None
        if document is None or not config_path(uri, self._desk.options.premises):
            return None, types.Position(0, 0)
        lines = [*split_lines(document.text), ""]
        given = types.Position(line if isinstance(line, int) else 0, character if isinstance(character, int) else 0)
        place = self._codec.position_from_client_units(lines, given)
        return lines, types.Position(place.line, place.character)

    def _item(self, suggestion: Suggestion, lines: list[str], cursor: types.Position) -> Json:
        replaced = types.Range(types.Position(cursor.line, suggestion.start), cursor)
        placed = self._codec.range_to_client_units(lines, replaced)
        item: Json = {
            "label": suggestion.label,
            "kind": _KINDS[suggestion.kind],
            "filterText": suggestion.text,
            "textEdit": {"range": _range(placed), "newText": suggestion.text},
        }
        if suggestion.about:
            item["documentation"] = {"kind": "markdown", "value": suggestion.about}
        return item


def _untrusted() -> Json:
    return {
        "range": _range(types.Range(types.Position(0, 0), types.Position(0, 0))),
        "severity": _INFORMATION,
        "source": NAME,
        "message": "This file is not in force: trust this workspace to use it.",
    }


def _range(given: types.Range) -> Json:
    return {
        "start": {"line": given.start.line, "character": given.start.character},
        "end": {"line": given.end.line, "character": given.end.character},
    }
