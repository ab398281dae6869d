"""What went before: the latest exchanges and results for a run's agents, a summary for the assistant. Bounded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from teamwright.prompts.assistant.quoting import excerpt, one_line, quoted

LONGEST_HISTORY: Final = 12_000
_LONGEST_PART: Final = 2_000


@dataclass(frozen=True, slots=True)
class Happened:
    """Somebody's words, or what a run came to."""

    what: str
    text: str


def history_text(happened: Sequence[Happened], limit: int = LONGEST_HISTORY) -> str:
    """The latest of it, oldest first."""
    parts: list[str] = []
    room = limit
    for each in reversed(happened):
        part = quoted(each.what, excerpt(each.text.strip(), _LONGEST_PART))
        room -= len(part) + 1
        if room < 0:
            break
        parts.append(part)
    return "\n".join(reversed(parts))


_LONGEST_REQUEST: Final = 160
_LONGEST_RUN: Final = 200


def summary_instruction(words: int) -> str:
    return (
        "[The conversation up to here is about to be replaced by a summary, which you now write for yourself. Keep all "
        "that later work needs: what the user wants and how they want it; decisions and their reasons; facts found, "
        "with paths, names and lines; each run with its id, outcome and what it changed; what is done, what is open, "
        f"what was promised. Leave out what is settled and no longer matters. Write notes, at most {words} words, no "
        "preamble, no tool calls. If there is an earlier summary above, carry over what still counts.]"
    )


def summary_message(summary: str) -> str:
    told = "[The conversation so far was long; this summary stands for its beginning.\n"
    return told + quoted("summary", summary) + "]"


@dataclass(frozen=True, slots=True)
class Digest:
    """What is certain about the part that is left out, without a model's help."""

    summary: str
    requests: Sequence[str]
    runs: Sequence[str]


def digest_text(digest: Digest, limit: int) -> str:
    """The latest of everything, as far as there is room: never more than `limit` characters."""
    parts = ["No summary could be made; these are the bare traces of what is left out."]
    if digest.summary.strip():
        parts.append(f"Earlier summary:\n{excerpt(digest.summary.strip(), limit // 2)}")
    room = limit - sum(len(part) + 2 for part in parts)
    lines = [f"- Run: {one_line(run, _LONGEST_RUN)}" for run in digest.runs]
    lines += [f"- The user: {one_line(request, _LONGEST_REQUEST)}" for request in digest.requests if request.strip()]
    fitting: list[str] = []
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        fitting.append(line)
    return excerpt("\n\n".join([*parts, "\n".join(reversed(fitting))]).strip(), limit)
