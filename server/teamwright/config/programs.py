"""Where programs come from: the user's own PATH, and never the folder that we happen to stand in.

A relative entry (`.`, `node_modules/.bin`, an empty one) means another directory wherever one stands, so a folder that
was merely opened would bring its own `git` or `claude`; Windows even looks there first.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path


def find_program(name: str, environ: Mapping[str, str] | None = None) -> str | None:
    """Its path; None where there is none. A name with a directory in it is taken as it was written."""
    if len(Path(name).parts) > 1:
        return shutil.which(name)
    found = shutil.which(name, path=search_path(os.environ if environ is None else environ))
    return found if found is not None and Path(found).is_absolute() and not _is_where_we_stand(found) else None


def search_path(environ: Mapping[str, str]) -> str:
    entries = environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if Path(entry).is_absolute())


def _is_where_we_stand(path: str) -> bool:
    """Whether Windows put the current directory before all others."""
    return os.name == "nt" and Path(path).parent == Path.cwd()
