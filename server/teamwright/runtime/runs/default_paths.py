"""What a run may read where nobody says it: the workspace, and by their names the files that its task speaks of.

Those are listed beside the workspace that holds them: on the card they are what could be changed, too, and agents are
told of them first. Blocks on the disk.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from teamwright.permissions.paths import WorkspacePath, parse_path, render_path
from teamwright.permissions.protection import is_secret
from teamwright.permissions.rules import whole_workspace
from teamwright.protocol.items import Attachment
from teamwright.protocol.runs import ContextPath
from teamwright.workspace.files.folders import Folders

_MOST_NAMED: Final = 20
# Words of a task that are compared with the disk.
_MOST_WORDS: Final = 500
_QUOTED: Final = re.compile(r"`([^`\n]{1,300})`|\"([^\"\n]{1,300})\"")
_AROUND: Final = "`'\"()[]{}<>,;:!?*@\u201c\u201d\u2018\u2019\u201e\u2026"
# Behind a path: `app.py:12`, `app.py:3-9`, `app.py#L4`.
_PLACE: Final = re.compile(r"(?::\d+(?:[-:]\d+)*|#L\d+(?:-L?\d+)?)$")


def whole_workspace_paths(folders: Folders) -> tuple[ContextPath, ...]:
    places = folders.places
    return tuple(ContextPath(path=render_path(root, places)) for root in whole_workspace(places).read)


def named_paths(task: str, folders: Folders) -> tuple[ContextPath, ...]:
    """Files and directories that are there and that the text names, in its order."""
    return _rendered(_there(task, folders), folders)


def attached_paths(attachments: Iterable[Attachment], folders: Folders) -> tuple[ContextPath, ...]:
    located = (folders.locate(attachment.uri) for attachment in attachments)
    return _rendered((path for path in located if path is not None and _may_be_given(path, folders)), folders)


def together(*paths: Sequence[ContextPath]) -> tuple[ContextPath, ...]:
    """Each once; what is said of a path first holds."""
    return tuple({path.path: path for group in reversed(paths) for path in reversed(group)}.values())[::-1]


def _rendered(paths: Iterable[WorkspacePath], folders: Folders) -> tuple[ContextPath, ...]:
    names = dict.fromkeys(render_path(path, folders.places) for path in paths)
    return tuple(ContextPath(path=name) for name in [*names][:_MOST_NAMED])


def _there(task: str, folders: Folders) -> Iterator[WorkspacePath]:
    places = folders.places
    for word, is_quoted in _words(task):
        path = parse_path(word, places)
        if not isinstance(path, WorkspacePath) or not path.parts or not _may_be_given(path, folders):
            continue
        # A word such as “tests” is the name of a directory only where it is written as one.
        if is_quoted or "/" in word or folders.root(path).path.joinpath(*path.parts).is_file():
            yield path


def _may_be_given(path: WorkspacePath, folders: Folders) -> bool:
    if is_secret(path.parts) or folders.places.is_private(path):
        return False
    try:
        return folders.root(path).path.joinpath(*path.parts).exists()
    except OSError:
        # Too long for a name, or in a directory that is closed to us.
        return False


def _words(task: str) -> Iterator[tuple[str, bool]]:
    quoted = [found[1] or found[2] for found in _QUOTED.finditer(task)]
    words = [*((word, True) for word in quoted), *((word, False) for word in task.split()[:_MOST_WORDS])]
    for word, is_quoted in words[:_MOST_WORDS]:
        bare = _PLACE.sub("", word.strip(_AROUND).removesuffix("."))
        if bare and not bare.startswith("~"):
            yield bare, is_quoted
