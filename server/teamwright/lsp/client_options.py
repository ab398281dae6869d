"""What the client said of itself and of its workspace: when it introduced itself, and since."""

from dataclasses import replace
from pathlib import Path

from teamwright.application.lifecycle import ClientContext
from teamwright.config.sources import NamedFile
from teamwright.lsp.transport.messages import Json, is_list, mapping
from teamwright.workspace.files.folders import Folders, uri_of_path


class ClientOptions:
    """What is missing or of the wrong type counts as not said."""

    def __init__(self, said: Json) -> None:
        """From the params of `initialize`."""
        options = mapping(said.get("initializationOptions"))
        root = _text(said.get("rootUri")) or _uri(said.get("rootPath"))
        self._folders = _named_uris(said.get("workspaceFolders")) or ({root: ""} if root else {})
        self.wants_deltas = options.get("deltas") is not False
        self.wants_transcript = options.get("transcript") is True
        config_path = _path(options.get("configPath"))
        self.client_context = ClientContext(
            folders=_opened(self._folders),
            config=NamedFile(config_path) if config_path is not None else None,
            state_dir=_path(options.get("stateDir")),
            trusted=options.get("trusted") is True,
            editor=_text(options.get("editor")) or _text(mapping(said.get("clientInfo")).get("name")) or "an editor",
        )

    def change_trust(self, *, trusted: bool) -> None:
        self.client_context = replace(self.client_context, trusted=trusted)

    def change_folders(self, event: Json) -> None:
        """From the event of `workspace/didChangeWorkspaceFolders`."""
        removed = _named_uris(event.get("removed"))
        kept = {uri: name for uri, name in self._folders.items() if uri not in removed}
        self._folders = kept | _named_uris(event.get("added"))
        self.client_context = replace(self.client_context, folders=_opened(self._folders))


def _named_uris(given: object) -> dict[str, str]:
    folders = [mapping(each) for each in given] if is_list(given) else []
    return {uri: _text(folder.get("name")) or "" for folder in folders if (uri := _text(folder.get("uri")))}


def _opened(folders: dict[str, str]) -> Folders:
    opened = Folders.opened(folders.items())
    return opened if opened.folders or opened.too_wide else Folders.at(Path.cwd())


def _uri(value: object) -> str | None:
    """Of an absolute path, as older clients name their workspace."""
    path = _path(value)
    return uri_of_path(path) if path is not None and path.is_absolute() else None


def _path(value: object) -> Path | None:
    text = _text(value)
    return Path(text) if text else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
