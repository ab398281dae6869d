"""A conversation as it is told: answers as they stream, and the team's runs drawn in between."""

from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TextIO

from quorate.cli import output
from quorate.cli.terminal.course import Course
from quorate.cli.terminal.ending import after_result, before_result
from quorate.cli.terminal.printable import on_one_line, printable
from quorate.cli.terminal.scribe import Scribe
from quorate.cli.terminal.talk import Line, Talk
from quorate.cli.terminal.telling import noteworthy
from quorate.cli.terminal.view import View
from quorate.cli.terminal.wording import spending
from quorate.protocol.events import (
    FindingsUpdated,
    ItemDelta,
    ItemFinished,
    ItemStarted,
    RunStarted,
    SessionCompacted,
    TurnFinished,
)
from quorate.protocol.ids import FindingId, ItemId, RunId
from quorate.protocol.items import AssistantMessage, Item, Reasoning, ToolCall
from quorate.protocol.records import EventRecord

_LONGEST_ARGUMENT = 60
# Shown as what they cause: a run, a question.
_SEEN_BY_THEIR_EFFECT = frozenset({"launch_run", "request_input"})

NewView = Callable[[], View]


class ChatView:
    """The answers go to stdout; everything else is said by `talk`."""

    def __init__(self, talk: Talk, scribe: Scribe, new_run_view: NewView) -> None:
        self._talk = talk
        self._scribe = scribe
        self._new_run_view = new_run_view
        self._terminal: TextIO | None = output.stdout_terminal()
        self.run_directory: Callable[[RunId], Path] = Path
        self._text: _StreamedText | None = None
        self._run: _RunShown | None = None
        self._findings: frozenset[FindingId] = frozenset()
        self._findings_before: frozenset[FindingId] = frozenset()
        self._is_held = False
        self._kept: list[EventRecord] = []

    def take(self, record: EventRecord) -> None:
        if isinstance(record.event, FindingsUpdated):
            self._take_findings(record, record.event)
        elif record.run_id is not None:
            self._take_of_run(record)
        elif self._is_held:
            self._kept.append(record)
        else:
            self._end_run()
            self._take(record)

    def tell(self, *lines: Line) -> None:
        """Something in between: what streams goes on behind it."""
        if self._text is not None:
            self._text.end()
        self._talk.tell(*lines)

    def hold(self) -> None:
        self._is_held = True
        self._end_text()
        if self._run is not None:
            self._run.view.hold()

    def resume(self) -> None:
        self._is_held = False
        if self._run is not None:
            self._run.view.resume()
        kept, self._kept = self._kept, []
        for record in kept:
            self.take(record)

    def close(self) -> None:
        self.resume()
        self._end_text()
        if self._run is not None:
            self._run.view.close()
            self._run = None

    def _take(self, record: EventRecord) -> None:
        match record.event:
            case ItemStarted(item=item):
                self._begin(item)
            case ItemDelta(item_id=item_id, text=text) if self._text is not None and self._text.item_id == item_id:
                self._text.add(text)
            case ItemFinished(item=item):
                self._finish(item)
            case TurnFinished() as finished:
                self._end_text()
                self._talk.tell(*self._end_of_turn(finished))
            case SessionCompacted():
                self._talk.tell(Line("Earlier messages were summed up; the latest stay as they are.", "faint"))
            case _:
                lines = tuple(noteworthy(record))
                if lines:
                    self._end_text()
                    self._talk.tell(*lines)

    def _begin(self, item: Item) -> None:
        self._end_text()
        match item:
            case AssistantMessage(item_id=item_id):
                self._text = _Answer(item_id, self._scribe, self._terminal)
            case Reasoning(item_id=item_id):
                self._text = _Thoughts(item_id, self._talk)
            case ToolCall(name=name) if name not in _SEEN_BY_THEIR_EFFECT:
                self._talk.tell(Line(f"{name} {_arguments(item)}".rstrip(), "faint"))
            case _:
                pass

    def _finish(self, item: Item) -> None:
        if isinstance(item, ToolCall) and item.error is not None:
            self._talk.tell(Line(f"{item.name}: {on_one_line(item.error)}", "faint"))
        if self._text is None or self._text.item_id != item.item_id:
            return
        if item.discarded:
            self._end_text()
            self._talk.tell(Line("The model was cut off and is asked again.", "faint"))
        elif isinstance(item, AssistantMessage | Reasoning):
            self._text.complete(item.text)
            self._end_text()

    def _end_text(self) -> None:
        if self._text is not None:
            self._text.end()
            self._text = None

    def _end_of_turn(self, finished: TurnFinished) -> tuple[Line, ...]:
        if finished.outcome == "failed":
            return (Line(finished.error or "The turn failed.", "alarm"),)
        if finished.outcome == "cancelled":
            return (Line("Cancelled.", "strong"),)
        used = ", ".join(spending(finished.usage, finished.cost_usd))
        return (Line(f"({used})", "faint"), Line("")) if self._terminal is not None and used else ()

    def _take_findings(self, record: EventRecord, updated: FindingsUpdated) -> None:
        """They are the session's, and a run's view tells of those that came with its run."""
        self._findings = frozenset(finding.finding_id for finding in updated.findings)
        new = tuple(each for each in updated.findings if each.finding_id not in self._findings_before)
        self._take_of_run(record.model_copy(update={"event": FindingsUpdated(findings=new)}))

    def _take_of_run(self, record: EventRecord) -> None:
        if self._run is None and isinstance(record.event, RunStarted):
            self._findings_before = self._findings
            self._end_text()
            self._run = _RunShown(self._new_run_view())
            if self._is_held:
                self._run.view.hold()
        if self._run is None:
            return
        self._run.view.take(record)
        self._run.course.take(record)
        if self._run.course.drawn.is_set() and self._run.course.ended.is_set():
            self._end_run()

    def _end_run(self) -> None:
        """A run has its last word before the conversation goes on."""
        run = self._run
        if run is None or run.course.ending is None:
            return
        self._run = None
        run.view.close()
        ending = run.course.ending
        space = () if self._terminal is None else (Line(""),)
        self._talk.tell(*space, *before_result(ending))
        if ending.text is not None:
            shown = ending.text if self._terminal is None else printable(ending.text, self._terminal)
            self._scribe.post(partial(output.say, shown))
        self._talk.tell(*chain(space, after_result(ending, self.run_directory(ending.run_id)), space))


class _RunShown:
    def __init__(self, view: View) -> None:
        self.view = view
        self.course = Course()


class _Answer:
    """Written as it comes, character by character."""

    def __init__(self, item_id: ItemId, scribe: Scribe, terminal: TextIO | None) -> None:
        self.item_id = item_id
        self._scribe = scribe
        self._terminal = terminal
        self._length = 0
        self._ends_line = True

    def add(self, text: str) -> None:
        self._length += len(text)
        self._ends_line = text.endswith("\n") if text else self._ends_line
        shown = text if self._terminal is None else printable(text, self._terminal)
        self._scribe.post(partial(output.say, shown, end=""))

    def complete(self, text: str) -> None:
        self.add(text[self._length :])

    def end(self) -> None:
        if not self._ends_line:
            self._ends_line = True
            self._scribe.post(partial(output.say, ""))


class _Thoughts:
    """Told apart from the answer, line by line."""

    def __init__(self, item_id: ItemId, talk: Talk) -> None:
        self.item_id = item_id
        self._talk = talk
        self._length = 0
        self._line = "Thinking: "

    def add(self, text: str) -> None:
        self._length += len(text)
        *lines, self._line = (self._line + text).split("\n")
        self._talk.tell(*(Line(line, "faint") for line in lines))

    def complete(self, text: str) -> None:
        self.add(text[self._length :])

    def end(self) -> None:
        if self._line:
            self._talk.tell(Line(self._line, "faint"))
        self._line = ""


_StreamedText = _Answer | _Thoughts


def _arguments(call: ToolCall) -> str:
    said = on_one_line(", ".join(str(value) for value in call.arguments.values() if isinstance(value, str | int)))
    return said if len(said) <= _LONGEST_ARGUMENT else f"{said[:_LONGEST_ARGUMENT]}..."
