"""The programs as these tests ask them."""

from typing import Any, Final

import pytest

from teamwright.config.backends import CliBackend
from tests.models.asking import program_backend
from tests.support.programs.kinds import ProgramName

LABELS: Final[dict[ProgramName, str]] = {"claude": "Claude Code", "gemini": "Gemini CLI", "codex": "Codex CLI"}

_TYPES: Final[dict[ProgramName, str]] = {"claude": "claude_code", "gemini": "gemini_cli", "codex": "codex"}

every_program = pytest.mark.parametrize("name", list(LABELS))


def program(name: ProgramName, model: str | None = None, **settings: Any) -> CliBackend:
    return program_backend(_TYPES[name], name, model, **settings)
