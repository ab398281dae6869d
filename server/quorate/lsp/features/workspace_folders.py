"""The folders of the workspace, as they are opened and closed in the editor."""

from quorate.lsp.handlers.desk import Desk
from quorate.lsp.transport.messages import Json, mapping
from quorate.lsp.transport.methods import Methods


def register(methods: Methods, desk: Desk) -> None:
    def change(params: Json) -> None:
        desk.options.change_folders(mapping(params.get("event")))

    methods.on_notification("workspace/didChangeWorkspaceFolders", change)
