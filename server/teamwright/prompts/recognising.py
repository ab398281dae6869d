"""What prompts say, read back: for agents that have no language model to understand them with. Pure."""

import re

from teamwright.prompts.agent_messages import EARLIER, ShownAnswer
from teamwright.prompts.agent_system import READABLE, REVIEWING, WRITABLE
from teamwright.prompts.assistant.given import INSTRUCTIONS

# At the start of a line: what agents read of files is numbered there, so that no file can pass for an answer.
_ANSWER = re.compile(
    r'^<answer-(?P<mark>[0-9a-f]{8}) label="(?P<label>[^"]+)"[^>]*>\n(?P<text>.*?)\n</answer-(?P=mark)>$',
    re.DOTALL | re.MULTILINE,
)
_ATTACHMENT = re.compile(
    r'<attachment-(?P<mark>[0-9a-f]{8}) path="(?P<path>[^"]+)"(?: lines="(?P<first>\d+)(?:-(?P<last>\d+))?")?[^>]*>\n'
    r".*?\n</attachment-(?P=mark)>",
    re.DOTALL,
)
_RESULT = re.compile(r"<result-(?P<mark>[0-9a-f]{8})[^>]*>\n(?P<text>.*?)\n</result-(?P=mark)>", re.DOTALL)
_PATH = re.compile(r"`([^`]+)`")
_SECTION_BEHIND = re.compile(r"\n\n(?=# (?:Context|The plan to carry out|Task)\n)")


def without_earlier(said: str) -> str:
    """A task message without what was said in the session before: places that are named there are not meant now."""
    if not said.startswith(f"# {EARLIER}\n"):
        return said
    *_, now = _SECTION_BEHIND.split(said, maxsplit=1)
    return now


def shown_answers(text: str) -> tuple[ShownAnswer, ...]:
    return tuple(ShownAnswer(match["label"], match["text"]) for match in _ANSWER.finditer(text))


def shown_result(text: str) -> str | None:
    found = _RESULT.search(text)
    return None if found is None else found["text"]


def readable_paths(system: str) -> tuple[str, ...]:
    return _listed(system, READABLE)


def writable_paths(system: str) -> tuple[str, ...]:
    return _listed(system, WRITABLE)


def reports_findings(system: str) -> bool:
    """Whether the run is a review, whose findings users see beside its result."""
    return REVIEWING in _own_words(system)


def attached_files(text: str) -> tuple[tuple[str, int | None, int | None], ...]:
    """The path of each, and its first and last line where only a part is attached."""
    return tuple((match["path"], *_lines(match["first"], match["last"])) for match in _ATTACHMENT.finditer(text))


def _lines(first: str | None, last: str | None) -> tuple[int | None, int | None]:
    return (None, None) if first is None else (int(first), int(last or first))


def without_attachments(text: str) -> str:
    return _ATTACHMENT.sub("", text).strip()


def _own_words(system: str) -> str:
    """Without what the owners of a workspace wrote, who could write the same."""
    return system.partition(INSTRUCTIONS)[0]


def _listed(system: str, lead: str) -> tuple[str, ...]:
    line = next((line for line in _own_words(system).splitlines() if line.startswith(lead)), "")
    return tuple(_PATH.findall(line))
