"""The programs that can be played, by the name under which they are installed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tests.support.programs import claude, codex, gemini
from tests.support.programs.dialect import Dialect, Invocation

ProgramName = Literal["claude", "gemini", "codex"]


@dataclass(frozen=True)
class Kind:
    version: str
    version_line: Callable[[str], str]
    invocation: Callable[[Sequence[str]], Invocation]
    dialect: Callable[[Invocation, str], Dialect]


KINDS: Mapping[ProgramName, Kind] = {
    "claude": Kind(claude.VERSION, claude.version_line, claude.invocation, claude.Claude),
    "gemini": Kind(gemini.VERSION, gemini.version_line, gemini.invocation, gemini.Gemini),
    "codex": Kind(codex.VERSION, codex.version_line, codex.invocation, codex.Codex),
}
