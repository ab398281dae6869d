"""What a reproduction of a finding may bring along: the files it names are judged as an agent's writes are."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from teamwright.permissions.actions import WriteFileAction
from teamwright.permissions.judgement import judge
from teamwright.permissions.paths import AnswerPath, ScratchPath, parse_path
from teamwright.permissions.rules import Roots, Rules, whole_workspace
from teamwright.permissions.verdicts import Allow, Ask, Deny
from teamwright.protocol.findings import Reproduction

_MOST_WORDS: Final = 200
_MOST_FILES: Final = 20
# Of the command, and of all files together; it is all kept in the log.
_LONGEST_COMMAND: Final = 10_000
_LONGEST_FILES: Final = 50_000


def reproduction_fault(rules: Rules, reproduction: Reproduction) -> str | None:
    """Why it cannot be run, whoever may run commands; as part of a sentence.

    Its files lie in a copy that is thrown away, so they may be anywhere in the workspace where anybody may write.
    """
    anywhere = Roots(write=whole_workspace(rules.places).read, protected=rules.roots.protected)
    return next(_faults(replace(rules, role="agent", roots=anywhere), reproduction), None)


def _faults(rules: Rules, reproduction: Reproduction) -> Iterator[str]:
    argv, files = reproduction.argv, reproduction.files
    if not argv[0].strip():
        yield "it names no program"
    if len(argv) > _MOST_WORDS or sum(map(len, argv)) > _LONGEST_COMMAND:
        yield "its command is too long; put what it does into a file"
    if any("\0" in word or not _is_text(word) for word in argv):
        yield "its command holds what is no text"
    if len(files) > _MOST_FILES:
        yield f"it brings {len(files)} files, and {_MOST_FILES} are the most"
    if sum(len(file.content) for file in files) > _LONGEST_FILES:
        yield f"its files are longer than {_LONGEST_FILES:,} characters together"
    for file in files:
        path = parse_path(file.path, rules.places)
        if isinstance(path, ScratchPath | AnswerPath):
            yield f"`{file.path}` is not in the workspace"
        match judge(rules, WriteFileAction(path)):
            case Deny(reason):
                # What comes after it is for whoever would write there.
                yield reason.partition(";")[0]
            case Allow() | Ask():
                pass


def _is_text(word: str) -> bool:
    """Half of a surrogate pair is none, and no system takes it."""
    return not any("\ud800" <= character <= "\udfff" for character in word)
