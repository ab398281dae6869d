"""What the client said of itself and of its workspace when it introduced itself."""

from pathlib import Path
from typing import Any, cast

from quorate.runtime.premises import Premises
from quorate.workspace.folders import Folders


class ClientOptions:
    def __init__(self) -> None:
        self.premises = Premises(folders=Folders.at(Path.cwd()))

    def take(self, params: object) -> None:
        """From the params of `initialize`. What is missing or of the wrong type counts as not said."""
        said = _mapping(params)
        options = _mapping(said.get("initializationOptions"))
        folders = Folders.opened(_folders(said))
        self.premises = Premises(
            folders=folders if folders.folders else self.premises.folders,
            config_path=_path(options.get("configPath")),
            state_dir=_path(options.get("stateDir")),
            trusted=options.get("trusted") is True,
            editor=_text(options.get("editor")) or _text(_mapping(said.get("clientInfo")).get("name")) or "an editor",
        )


def _folders(said: dict[str, Any]) -> list[tuple[str, str]]:
    given = said.get("workspaceFolders")
    folders = [_mapping(each) for each in cast("list[object]", given)] if isinstance(given, list) else []
    named = [(uri, _text(folder.get("name")) or "") for folder in folders if (uri := _text(folder.get("uri")))]
    root = _text(said.get("rootUri"))
    return named or ([(root, "")] if root else [])


def _path(value: object) -> Path | None:
    text = _text(value)
    return Path(text) if text else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
