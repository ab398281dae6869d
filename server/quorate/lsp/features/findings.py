"""Findings in the editor: shown where they are, and offered to be fixed or dismissed."""

from quorate.lsp.features.code_actions import CodeActions
from quorate.lsp.features.finding_marks import FindingMarks
from quorate.lsp.handlers.desk import Desk
from quorate.lsp.transport.methods import Methods


def register(methods: Methods, desk: Desk) -> None:
    marks = FindingMarks(desk.documents, desk.diagnostics)
    desk.client.follow(marks)
    for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"):
        methods.on_notification(method, marks.follow_text)
    methods.on_request("textDocument/codeAction", CodeActions(desk.peer, marks).offered)
