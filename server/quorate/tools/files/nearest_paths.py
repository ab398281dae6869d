"""What a model may have meant when it named a file that is not there."""

from difflib import get_close_matches

from quorate.permissions.paths import AnswerPath, ScratchPath, Target, WorkspacePath, render_path
from quorate.permissions.rules import Rules
from quorate.protocol.errors import UserError
from quorate.workspace.listing import list_files
from quorate.workspace.live_files import Readable

_MOST = 3
_LOOKED_AT = 2_000
_SECONDS = 1.0


def nearest_paths(files: Readable, missing: Target, rules: Rules) -> list[str]:
    known = [path for start in _starts(missing, rules) for path in _below(files, start, rules)]
    return get_close_matches(render_path(missing, rules.places), known, _MOST)


def _starts(missing: Target, rules: Rules) -> tuple[Target, ...]:
    match missing:
        case ScratchPath():
            return (ScratchPath(),)
        case AnswerPath():
            return (AnswerPath(),)
        case WorkspacePath():
            return tuple(dict.fromkeys((*rules.roots.read, *rules.roots.write)))


def _below(files: Readable, start: Target, rules: Rules) -> tuple[str, ...]:
    try:
        return list_files(files, start, rules, limit=_LOOKED_AT, seconds=_SECONDS).paths
    except UserError:
        return ()
