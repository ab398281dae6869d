"""What the client said of itself and of its workspace when it introduced itself."""

from pathlib import Path
from typing import Any, cast

from pygls.uris import to_fs_path

from quorate.runtime.team import Premises


class ClientOptions:
    def __init__(self) -> None:
        self.premises = Premises(workspace=Path.cwd())

    def take(self, params: object) -> None:
        """From the params of `initialize`. What is missing or of the wrong type counts as not said."""
        said = _mapping(params)
        options = _mapping(said.get("initializationOptions"))
        config_path = options.get("configPath")
        self.premises = Premises(
            workspace=_root(said) or self.premises.workspace,
            config_path=Path(config_path) if isinstance(config_path, str) and config_path else None,
            trusted=options.get("trusted") is True,
        )


def _root(said: dict[str, Any]) -> Path | None:
    folders = said.get("workspaceFolders")
    first = _mapping(cast("list[object]", folders)[0]) if isinstance(folders, list) and folders else {}
    uri = first.get("uri") or said.get("rootUri")
    path = to_fs_path(uri) if isinstance(uri, str) else None
    return Path(path) if path else None


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
