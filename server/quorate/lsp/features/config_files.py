"""Which documents are configurations of ours."""

import os
from pathlib import Path, PurePath

from quorate.config.sources import WORKSPACE_FILES, user_file
from quorate.runtime.premises import Premises
from quorate.workspace.folders import STYLE
from quorate.workspace.uris import path_of_uri


def config_path(uri: object, premises: Premises) -> PurePath | None:
    """The path of such a document; None for any other."""
    path = path_of_uri(uri, STYLE) if isinstance(uri, str) else None
    if path is None:
        return None
    own = {user_file(os.environ), *([premises.config_path] if premises.config_path is not None else [])}
    is_ours = is_of_workspace(path) or Path(path) in own
    return path if is_ours else None


def is_of_workspace(path: PurePath) -> bool:
    return any(path.parts[-len(name.parts) :] == name.parts for name in WORKSPACE_FILES)
