"""What a model did on its way, in words: no name of a tool, and no JSON."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from teamwright.engine.transcript.entries import Origin, StreamedText, Subject
from teamwright.engine.transcript.words import counted, lines, listed, on_one_line
from teamwright.protocol.ids import EntryId
from teamwright.protocol.items import ToolCall
from teamwright.protocol.transcript import AnyPart, CodePart, Entry, EntryState, PlainPart

Arguments = Mapping[str, Any]

_STATES: Final[Mapping[str, EntryState]] = {
    "running": "running",
    "succeeded": "done",
    "failed": "failed",
    "cancelled": "cancelled",
}
# Shown as what they bring about: a run, a question, an answer, a vote, a finding, a plan.
SEEN_BY_THEIR_EFFECT: Final = frozenset(
    {"launch_run", "request_input", "task_list", "new_answer", "vote", "report_finding", "submit_plan"}
)


class ActivitySubject(Subject):
    def __init__(self, entry_id: EntryId, origin: Origin, call: ToolCall) -> None:
        super().__init__(entry_id, origin)
        self.call = call

    def draw(self) -> Entry:
        return Entry(
            entry_id=self.entry_id,
            kind="activity",
            title=in_words(self.call),
            parts=tuple(_parts(self.call)),
            state=_STATES[self.call.status],
            **self.origin.fields(),
        )


def in_words(call: ToolCall) -> str:
    doing, done = _words(call.name, call.arguments)
    if call.status == "running":
        return on_one_line(doing)
    return on_one_line(done if call.status == "succeeded" else f"{doing}: {_ENDINGS[call.status]}")


# Which argument a fault lies in is for who has made the call.
_FIELD: Final = re.compile(r"(?:(?<=; )|^)[A-Za-z_]+(?:\.\w+)+: ", re.MULTILINE)
_ENDINGS: Final = {"failed": "it failed", "cancelled": "cancelled"}


def _words(name: str, arguments: Arguments) -> tuple[str, str]:
    """While it is done, and when it is done."""
    if say := _SAYINGS.get(name):
        return say(arguments)
    server, found, tool = name.partition("__")
    what = (tool if found else name).replace("_", " ").replace("-", " ").strip()
    by = f" of {server.replace('_', ' ')}" if found else ""
    return f"Using {what}{by}", f"Used {what}{by}"


def _parts(call: ToolCall) -> list[AnyPart]:
    parts: list[AnyPart] = []
    if call.error:
        parts.append(PlainPart(part="error", text=_FIELD.sub("", call.error)))
    if call.result:
        output = StreamedText(call.result)
        cut = output.is_cut or call.truncated or None
        parts.append(CodePart(part="output", title="Output", text=output.text, folded=True, truncated=cut))
    return parts


def _said(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    return on_one_line(str(value), 80) if value not in (None, "") else ""


def _where(arguments: Arguments) -> str:
    path = _said(arguments, "path")
    return "the workspace" if path in ("", ".") else path


def _reading(arguments: Arguments) -> tuple[str, str]:
    first, last = arguments.get("line"), arguments.get("end_line")
    path = _where(arguments)
    if isinstance(first, int) or isinstance(last, int):
        start = first if isinstance(first, int) else 1
        path += f", {lines(start, last)}" if isinstance(last, int) else f", from line {start}"
    return f"Reading {path}", f"Read {path}"


def _listing(arguments: Arguments) -> tuple[str, str]:
    pattern = _said(arguments, "glob")
    what = f"{pattern} in {_where(arguments)}" if pattern else _where(arguments)
    return f"Listing {what}", f"Listed {what}"


def _searching(arguments: Arguments) -> tuple[str, str]:
    where = f"{_said(arguments, 'glob')} in {_where(arguments)}" if _said(arguments, "glob") else _where(arguments)
    what = f"{where} for “{_said(arguments, 'pattern')}”"
    return f"Searching {what}", f"Searched {what}"


def _writing(arguments: Arguments) -> tuple[str, str]:
    text = arguments.get("content")
    size = f", {counted(text.count(chr(10)) + 1, 'line')}" if isinstance(text, str) and text else ""
    return f"Writing {_where(arguments)}", f"Wrote {_where(arguments)}{size}"


def _comparing(arguments: Arguments) -> tuple[str, str]:
    base = _said(arguments, "base") or "HEAD"
    since = "the last commit" if base == "HEAD" else base
    what = f"{_where(arguments)} with {since}"
    return f"Comparing {what}", f"Compared {what}"


def _history(arguments: Arguments) -> tuple[str, str]:
    return f"Reading the history of {_where(arguments)}", f"Read the history of {_where(arguments)}"


def _command(arguments: Arguments) -> tuple[str, str]:
    argv = cast("list[object]", arguments.get("argv") or [])
    line = " ".join(str(word) for word in argv)
    return f"Running {on_one_line(line, 90)}", f"Ran {on_one_line(line, 90)}"


def _checks(arguments: Arguments) -> tuple[str, str]:
    names = [str(name) for name in cast("list[object]", arguments.get("names") or [])]
    what = on_one_line(listed(names), 90) if names else "the project's checks"
    return f"Running {what}", f"Ran {what}"


def _reporting(arguments: Arguments) -> tuple[str, str]:
    proves = arguments.get("reproduce") is not None
    return "Reproducing a finding" if proves else "Reporting a finding", "Reported a finding"


def _adopting(arguments: Arguments) -> tuple[str, str]:
    del arguments
    return "Building on another answer", "Built on another answer"


def _plain(doing: str, done: str) -> Callable[[Arguments], tuple[str, str]]:
    return lambda arguments: (doing.format(_where(arguments)), done.format(_where(arguments)))


_SAYINGS: Final[Mapping[str, Callable[[Arguments], tuple[str, str]]]] = {
    "read_file": _reading,
    "list_files": _listing,
    "search_files": _searching,
    "write_file": _writing,
    "edit_file": _plain("Editing {}", "Edited {}"),
    "delete_file": _plain("Deleting {}", "Deleted {}"),
    "git_diff": _comparing,
    "git_log": _history,
    "run_command": _command,
    "run_checks": _checks,
    "get_run": _plain("Looking up an earlier run", "Looked up an earlier run"),
    "analyze_run": _plain("Analysing an earlier run", "Analysed an earlier run"),
    "update_project": _plain("Writing down what is known of the project", "Wrote down what is known of the project"),
    "launch_run": _plain("Starting a run", "Started a run"),
    "task_list": _plain("Writing the list of tasks", "Wrote the list of tasks"),
    "request_input": _plain("Asking you", "Asked you"),
    "ask_others": _plain("Asking the others", "Asked the others"),
    "adopt_answer": _adopting,
    "new_answer": _plain("Submitting an answer", "Submitted an answer"),
    "vote": _plain("Voting", "Voted"),
    "report_finding": _reporting,
    "submit_plan": _plain("Submitting a plan", "Submitted a plan"),
}
