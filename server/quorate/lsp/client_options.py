"""What the client said of itself and of its workspace when it introduced itself."""

from pathlib import Path

from quorate.lsp.messages import Json, is_list, mapping
from quorate.runtime.premises import Premises
from quorate.workspace.folders import Folders


class ClientOptions:
    """From the params of `initialize`. What is missing or of the wrong type counts as not said."""

    def __init__(self, said: Json) -> None:
        options = mapping(said.get("initializationOptions"))
        folders = Folders.opened(_folders(said))
        self.wants_deltas = options.get("deltas") is not False
        self.premises = Premises(
            folders=folders if folders.folders else Folders.at(Path.cwd()),
            config_path=_path(options.get("configPath")),
            state_dir=_path(options.get("stateDir")),
            trusted=options.get("trusted") is True,
            editor=_text(options.get("editor")) or _text(mapping(said.get("clientInfo")).get("name")) or "an editor",
        )


def _folders(said: Json) -> list[tuple[str, str]]:
    given = said.get("workspaceFolders")
    folders = [mapping(each) for each in given] if is_list(given) else []
    named = [(uri, _text(folder.get("name")) or "") for folder in folders if (uri := _text(folder.get("uri")))]
    root = _text(said.get("rootUri"))
    return named or ([(root, "")] if root else [])


def _path(value: object) -> Path | None:
    text = _text(value)
    return Path(text) if text else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
