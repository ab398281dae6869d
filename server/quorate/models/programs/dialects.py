"""Which backend type is which program."""

from collections.abc import Mapping
from typing import Final

from quorate.models.programs.claude import ClaudeCode
from quorate.models.programs.codex import CodexCli
from quorate.models.programs.dialect import ProgramDialect
from quorate.models.programs.gemini import GeminiCli

DIALECTS: Final[Mapping[str, ProgramDialect]] = {
    "claude_code": ClaudeCode(),
    "codex": CodexCli(),
    "gemini_cli": GeminiCli(),
}
