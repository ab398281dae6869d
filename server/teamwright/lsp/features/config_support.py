"""Help with writing a configuration: what is wrong at its place, what may stand there, what it means."""

import os
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from anyio import to_thread

from teamwright.application.lifecycle import ClientContext
from teamwright.config.load import load_text
from teamwright.config.problems import Problem
from teamwright.config.sources import WORKSPACE_FILES, user_file
from teamwright.config.suggestions import Suggestion, explanation, suggestions
from teamwright.config.surroundings import Surroundings, missing_things
from teamwright.lsp.features.context import FeatureContext
from teamwright.lsp.features.diagnostics import NAME
from teamwright.lsp.transport.messages import Json, mapping
from teamwright.workspace.files.folders import STYLE, path_of_uri
from teamwright.workspace.files.lines import split_lines
from teamwright.workspace.files.positions import PositionUnit, split_at_column, width

_ERROR, _WARNING, _INFORMATION = 1, 2, 3
_KINDS: Final = {"key": 10, "value": 12, "variable": 6}


def config_path(uri: object, client_context: ClientContext) -> PurePath | None:
    """The path of such a document; None for any other."""
    path = path_of_uri(uri, STYLE) if isinstance(uri, str) else None
    if path is None:
        return None
    pointed_at = [client_context.config.path] if client_context.config is not None else []
    own = {user_file(os.environ, client_context.folders.paths), *pointed_at}
    is_ours = is_of_workspace(path) or Path(path) in own
    return path if is_ours else None


def is_of_workspace(path: PurePath) -> bool:
    return any(path.parts[-len(name.parts) :] == name.parts for name in WORKSPACE_FILES)


class ConfigSupport:
    def __init__(self, context: FeatureContext) -> None:
        self._context = context
        self._unit: PositionUnit = context.peer.position_encoding
        self._being_checked: set[str] = set()

    def follow_text(self, params: Json) -> None:
        self._check(mapping(params.get("textDocument")).get("uri"))

    def check_all(self) -> None:
        for document in self._context.documents.all():
            self._check(document.uri)

    def complete(self, params: Json) -> list[Json]:
        cursor = self._cursor(params)
        if cursor is None:
            return []
        found = suggestions(cursor.lines, cursor.line, cursor.column, sorted(os.environ))
        return [self._item(each, cursor) for each in found]

    def hover(self, params: Json) -> Json | None:
        cursor = self._cursor(params)
        text = None if cursor is None else explanation(cursor.lines, cursor.line, cursor.column)
        return None if text is None else {"contents": {"kind": "markdown", "value": text}}

    def _check(self, uri: object) -> None:
        if (
            isinstance(uri, str)
            and config_path(uri, self._context.options.client_context)
            and uri not in self._being_checked
        ):
            self._being_checked.add(uri)
            self._context.background.start(self._show_problems, uri)

    async def _show_problems(self, uri: str) -> None:
        """Until what is shown is of the text as it is now: it may have been changed meanwhile."""
        try:
            while True:
                document = self._context.documents.get(uri)
                found = [] if document is None else await to_thread.run_sync(self._problems, uri, document.text)
                if self._context.documents.get(uri) == document:
                    self._context.diagnostics.put("configuration", uri, found)
                    return
        finally:
            self._being_checked.discard(uri)

    def _problems(self, uri: str, text: str) -> list[Json]:
        """Before trust the text is only looked at: nothing that it names is looked for."""
        client_context = self._context.options.client_context
        path = config_path(uri, client_context)
        lines = split_lines(text)
        loaded = load_text(text, str(path))
        told = [(_ERROR, fault) for fault in loaded.faults] + [(_WARNING, each) for each in loaded.warnings]
        if path is not None and is_of_workspace(path) and not client_context.trusted:
            return [_untrusted(), *(self._diagnostic(level, problem, lines) for level, problem in told)]
        if loaded.settings is not None and loaded.tree is not None:
            missing = missing_things(loaded.settings, loaded.tree, Surroundings(), client_context.root)
            told += [(_WARNING, each) for each in missing]
        return [self._diagnostic(level, problem, lines) for level, problem in told]

    def _diagnostic(self, severity: int, problem: Problem, lines: list[str]) -> Json:
        at = problem.place
        message = f"{problem.path}: {problem.message}" if problem.path else problem.message
        start = self._position(lines, at.line - 1, at.column - 1)
        end = self._position(lines, at.end_line - 1, at.end_column - 1)
        return {"range": {"start": start, "end": end}, "severity": severity, "source": NAME, "message": message}

    def _cursor(self, params: Json) -> "_Cursor | None":
        """None where it is no configuration of ours."""
        uri, position = mapping(params.get("textDocument")).get("uri"), mapping(params.get("position"))
        document = self._context.documents.get(uri) if isinstance(uri, str) else None
        if document is None or not config_path(uri, self._context.options.client_context):
            return None
        lines = [*split_lines(document.text), ""]
        line = min(_count(position.get("line")), len(lines) - 1)
        before, _ = split_at_column(lines[line].rstrip("\r\n"), _count(position.get("character")), self._unit)
        return _Cursor(lines, line, len(before))

    def _item(self, suggestion: Suggestion, cursor: "_Cursor") -> Json:
        start = self._position(cursor.lines, cursor.line, suggestion.start)
        end = self._position(cursor.lines, cursor.line, cursor.column)
        item: Json = {
            "label": suggestion.label,
            "kind": _KINDS[suggestion.kind],
            "filterText": suggestion.text,
            "textEdit": {"range": {"start": start, "end": end}, "newText": suggestion.text},
        }
        if suggestion.about:
            item["documentation"] = {"kind": "markdown", "value": suggestion.about}
        return item

    def _position(self, lines: list[str], line: int, column: int) -> Json:
        """As the client counts."""
        if line >= len(lines):
            return {"line": len(lines), "character": 0}
        return {"line": line, "character": width(lines[line][:column], self._unit)}


@dataclass(frozen=True, slots=True)
class _Cursor:
    """`column` in characters."""

    lines: list[str]
    line: int
    column: int


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _untrusted() -> Json:
    start = {"line": 0, "character": 0}
    return {
        "range": {"start": start, "end": start},
        "severity": _INFORMATION,
        "source": NAME,
        "message": "This file is not in force: trust this workspace to use it.",
    }
