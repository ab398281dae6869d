"""What Teamwright says in the conversation by itself, in brackets: what happened between the messages of the two."""

from collections.abc import Sequence
from typing import Final

from teamwright.prompts.assistant.quoting import excerpt, one_line, quoted
from teamwright.protocol.changes import SettledFile
from teamwright.protocol.events import RunFinished
from teamwright.protocol.ids import RunId

_LONGEST_RESULT: Final = 4_000
_LONGEST_TASK: Final = 400
_MOST_FILES: Final = 20
_LONGEST_BEGINNING: Final = 120
_LONGEST_ARGUMENTS: Final = 120

INTERRUPTED: Final = "The call was interrupted before it ended; what it did is not known."
NOT_CARRIED_OUT: Final = "The call was not carried out."
NO_OUTPUT: Final = "(no output)"
EARLIER_MISSING: Final = "[What was said before this is not at hand.]"
TOO_LONG: Final = "[What was said before this is left out here: it does not fit. Read again what you need.]"


def run_note(run_id: RunId, task: str, finished: RunFinished) -> str:
    """For a run that the user launched without the assistant."""
    head = (
        f"[The user launched run {run_id}, which has ended: {finished.outcome}.\nTask: {one_line(task, _LONGEST_TASK)}"
    )
    error = f"\nError: {one_line(finished.error, _LONGEST_TASK)}" if finished.error else ""
    if finished.result is None:
        return f"{head}{error}\nIt has no result.]"
    result = quoted("result", excerpt(finished.result.text.strip(), _LONGEST_RESULT, f"`get_run` {run_id} has more"))
    more = f"\n{finished.footer}" if finished.footer else _written(finished.written)
    return f"{head}{error}\n{result}{more}]"


def run_stub(run_id: RunId, task: str, finished: RunFinished) -> str:
    return f"[The user launched run {run_id}: {one_line(task, _LONGEST_BEGINNING)} It ended: {finished.outcome}.]"


def settled_note(run_id: RunId, settled: Sequence[SettledFile]) -> str:
    """For changes that were settled after their run had ended."""
    files = ", ".join(f"{file.uri} {_outcome(file)}" for file in settled[:_MOST_FILES])
    more = f" and {len(settled) - _MOST_FILES} more" if len(settled) > _MOST_FILES else ""
    return f"[The user settled changes of run {run_id}: {files}{more}.]"


def _outcome(file: SettledFile) -> str:
    return f"{file.outcome} ({one_line(file.reason, _LONGEST_BEGINNING)})" if file.reason else file.outcome


def cancelled_note() -> str:
    return "[The user stopped this turn here; what stands above may be incomplete.]"


def failed_note(error: str | None) -> str:
    why = f": {one_line(error, _LONGEST_TASK)}" if error else ""
    return f"[This turn failed here{why}]"


def cancelled_call(partial: str) -> str:
    return f"The call was cancelled.\nUp to then:\n{partial}" if partial else "The call was cancelled."


def output_stub(tool: str, arguments: str, output: str) -> str:
    """For old output of a tool: what it was, so that the model can get it again."""
    called = f"{tool} {one_line(arguments, _LONGEST_ARGUMENTS)}".strip()
    return (
        f"[Output of {called}, {len(output)} characters, left out to save room; call it again if you need it. "
        f"It began: {one_line(output, _LONGEST_BEGINNING)}]"
    )


def _written(written: Sequence[str]) -> str:
    if not written:
        return ""
    more = f" and {len(written) - _MOST_FILES} more" if len(written) > _MOST_FILES else ""
    return f"\nFiles written: {', '.join(written[:_MOST_FILES])}{more}"
