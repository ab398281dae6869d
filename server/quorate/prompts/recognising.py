"""What prompts say, read back: for agents that have no language model to understand them with. Pure."""

import re

from quorate.prompts.agent_messages import ShownAnswer
from quorate.prompts.agent_system import READABLE, REVIEWING, WRITABLE

# At the start of a line: what agents read of files is numbered there, so that no file can pass for an answer.
_ANSWER = re.compile(r'^<answer label="([^"]+)"(?: yours=true)?>\n(.*?)\n</answer>$', re.DOTALL | re.MULTILINE)
_ATTACHMENT = re.compile(
    r'<attachment path="([^"]+)"(?: lines="(\d+)(?:-(\d+))?")?[^>]*>\n.*?\n</attachment>', re.DOTALL
)
_PATH = re.compile(r"`([^`]+)`")


def shown_answers(text: str) -> tuple[ShownAnswer, ...]:
    return tuple(ShownAnswer(match[1], match[2]) for match in _ANSWER.finditer(text))


def readable_paths(system: str) -> tuple[str, ...]:
    return _listed(system, READABLE)


def writable_paths(system: str) -> tuple[str, ...]:
    return _listed(system, WRITABLE)


def reports_findings(system: str) -> bool:
    """Whether the run is a review, whose findings users see beside its result."""
    return REVIEWING in system


def attached_files(text: str) -> tuple[tuple[str, int | None, int | None], ...]:
    """The path of each, and its first and last line where only a part is attached."""
    return tuple(
        (match[1], int(match[2]) if match[2] else None, int(match[3] or match[2]) if match[2] else None)
        for match in _ATTACHMENT.finditer(text)
    )


def without_attachments(text: str) -> str:
    return _ATTACHMENT.sub("", text).strip()


def _listed(system: str, lead: str) -> tuple[str, ...]:
    line = next((line for line in system.splitlines() if line.startswith(lead)), "")
    return tuple(_PATH.findall(line))
