"""The transcript on its way to the terminal: what is under way is drawn in place, what is settled is said for good.

Where nothing can be redrawn only the latter is seen. Answers that go to standard output go there as they come.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from teamwright.cli.terminal.blocks import EMPTY, Block, Line, Prose
from teamwright.cli.terminal.display_state import DisplayState
from teamwright.cli.terminal.entry_blocks import entry_blocks
from teamwright.cli.terminal.printable import on_one_line
from teamwright.cli.terminal.terminal_io import TerminalIO
from teamwright.protocol.ids import EntryId
from teamwright.protocol.transcript import AnyPatchOp, Entry, MarkdownPart, PlainPart, UpsertEntry

_UNSETTLED: Final = frozenset({"queued", "streaming", "running", "waiting"})
# Lines of their own, without room around them.
_REMARKS: Final = frozenset({"activity", "notice", "compaction"})
# What they are called is not what has become of them.
_FLEETING: Final = frozenset({"decision", "message", "activity", "reasoning"})
# Said in the session's own transcript, or nothing but thoughts.
_UNTOLD: Final = frozenset({"reasoning", "run", "findings", "changes", "plan"})
_FRAME_SECONDS: Final = 0.06
_MOST_PRESENTED_LINES: Final = 12


class TranscriptPrinter:
    """Used on the event loop.

    `write_answer` takes the text of answers where they go elsewhere than to the terminal. `ask` is told of every
    decision that is open, or settled, and says whether it puts it to the person itself.
    """

    def __init__(
        self,
        io: TerminalIO,
        *,
        write_answer: Callable[[str], None] | None,
        ask: Callable[[Entry], bool],
        is_silent: bool = False,
    ) -> None:
        self._io = io
        self._write_answer = write_answer
        self._ask = ask
        self._is_silent = is_silent
        self._state = DisplayState()
        self._settled: set[EntryId] = set()
        # How much of a text has been said for good.
        self._said: dict[EntryId, str] = {}
        # Of what was said, what it was called then.
        self._titles: dict[EntryId, str | None] = {}
        # Below all that is under way.
        self._status: Line | None = None
        self._last_kind: str | None = None
        # Said for good with the patch at hand, and not yet shown.
        self._saying: list[Block] = []
        self._frame: asyncio.TimerHandle | None = None

    @property
    def entries(self) -> Iterator[Entry]:
        return iter(self._state)

    @property
    def under_way(self) -> Iterator[Entry]:
        return (entry for entry in self._state if entry.state in _UNSETTLED)

    @property
    def status(self) -> Line | None:
        return self._status

    @status.setter
    def status(self, line: Line | None) -> None:
        self._status = line
        self._draw_soon()

    def open(self, entries: Iterable[Entry], *, shown: int) -> None:
        """Another transcript, of which the last few settled entries are said again."""
        self._state = DisplayState(entries)
        self._said.clear()
        self._titles.clear()
        settled = [entry for entry in self._state if entry.state not in _UNSETTLED]
        self._settled = {entry.entry_id for entry in settled[: max(0, len(settled) - shown)]}
        for entry in self._state:
            self._take(entry)
        self._show_changes()

    def patch(self, ops: Iterable[AnyPatchOp]) -> None:
        """Raises OutOfStep."""
        for entry_id in self._state.apply(ops):
            entry = self._state.get(entry_id)
            if entry is not None:
                self._take(entry)
        self._show_changes()

    def catch_up(self, entries: Iterable[Entry]) -> None:
        """With the transcript as it is now."""
        self.patch([UpsertEntry(entry=entry) for entry in entries])

    def close(self) -> None:
        """What is under way is left as it is: nobody draws it any more."""
        if self._frame is not None:
            self._frame.cancel()
        self._io.draw(())

    def _take(self, entry: Entry) -> None:
        is_asked_here = entry.decision_id is not None and self._ask(entry)
        if self._is_silent:
            if entry.state not in _UNSETTLED:
                self._settled.add(entry.entry_id)
        elif entry.kind == "tasks":
            self._say_tasks(entry)
        elif entry.entry_id in self._settled:
            self._say_change(entry)
        elif entry.decision_id is not None and entry.state == "waiting":
            self._say_question(entry, is_asked_here=is_asked_here)
        elif entry.kind == "answer":
            if not self._is_presented(entry):
                self._say_text(entry)
        elif entry.state not in _UNSETTLED:
            self._say(entry)

    def _say(self, entry: Entry) -> None:
        self._settled.add(entry.entry_id)
        self._titles[entry.entry_id] = entry.title
        # A question that nobody here was asked is seen by what follows from it.
        # A message that was typed where nothing is redrawn stands there already.
        if entry.kind != "decision" and (self._io.redraws or entry.kind != "message"):
            self._show(entry.kind, entry_blocks(entry))
        if entry.kind == "run":
            for each in self._state:
                if each.kind == "answer" and each.run_id == entry.run_id:
                    self._take(each)

    def _say_tasks(self, entry: Entry) -> None:
        """Where nothing is redrawn: the list once, and how far it is; else it is drawn until all of it is over."""
        if entry.state == "done" and entry.entry_id not in self._settled:
            self._say(entry)
        elif not self._io.redraws and entry.title != self._titles.get(entry.entry_id):
            is_known = entry.entry_id in self._titles
            self._titles[entry.entry_id] = entry.title
            self._show(entry.kind, (Line(entry.title or "", "strong"),) if is_known else entry_blocks(entry))

    def _say_question(self, entry: Entry, *, is_asked_here: bool) -> None:
        """Who is asked about changes wants to have read what they are for."""
        for each in self._state if entry.kind == "changes" else ():
            if each.kind == "findings" and each.run_id == entry.run_id and each.entry_id not in self._settled:
                self._say(each)
        if is_asked_here:
            self._settled.add(entry.entry_id)
            self._titles[entry.entry_id] = entry.title
            self._last_kind = entry.kind
        else:
            self._say(entry)

    def _say_change(self, entry: Entry) -> None:
        """What was said cannot be taken back; what has become of it since is told by its new title."""
        if entry.state not in _UNSETTLED and entry.entry_id in self._titles:
            if entry.kind not in _FLEETING and entry.title != self._titles[entry.entry_id] and entry.title:
                # With what it says about it, such as why a file could not be written; who decided it knows.
                said = (part for part in entry.parts if isinstance(part, PlainPart) and not part.folded)
                told = (Line(part.text) for part in said if part.part != "resolution")
                self._saying += (Line(entry.title, "strong"), *told)
            self._titles[entry.entry_id] = entry.title

    def _say_text(self, entry: Entry) -> None:
        """As it comes, by whole paragraphs where Markdown is drawn: a line that was said cannot be taken back."""
        is_settled = entry.state not in _UNSETTLED
        text = _text_of(entry)
        said = self._said.get(entry.entry_id, "")
        if not text.startswith(said):
            said = ""
        if self._write_answer is not None:
            self._write_answer(text[len(said) :])
            if is_settled and text and not text.endswith("\n"):
                self._write_answer("\n")
            self._said[entry.entry_id] = text
        elif rest := text[len(said) : len(text) if is_settled else max(len(said), self._io.finished_length(text))]:
            title = [Line(entry.title, "strong")] if entry.agent_id is not None and entry.title and not said else []
            self._show("paragraph" if said else entry.kind, [*title, Prose(rest)])
            self._said[entry.entry_id] = said + rest
        if is_settled:
            self._settled.add(entry.entry_id)

    def _is_presented(self, entry: Entry) -> bool:
        """What a run comes to is seen below the run while it is written, and said when the run has had its word."""
        run = None if entry.run_id is None else self._state.get(EntryId(entry.run_id))
        return run is not None and run.entry_id not in self._settled

    def _show(self, kind: str, blocks: Iterable[Block]) -> None:
        said = tuple(blocks)
        if not said:
            return
        is_remark = kind in _REMARKS and self._last_kind in _REMARKS
        gap = (EMPTY,) if self._io.redraws and self._last_kind is not None and not is_remark else ()
        self._last_kind = kind
        self._saying += (*gap, *said)

    def _show_changes(self) -> None:
        """What is said for good leaves what is under way at the same moment; anything else waits for the next frame."""
        said, self._saying = self._saying, []
        if said:
            self._io.show(*said, live=self._under_way_blocks())
        else:
            self._draw_soon()

    def _draw_soon(self) -> None:
        if self._io.redraws and self._frame is None:
            self._frame = asyncio.get_running_loop().call_later(_FRAME_SECONDS, self._draw)

    def _draw(self) -> None:
        self._frame = None
        self._io.draw(self._under_way_blocks())

    def _under_way_blocks(self) -> tuple[Block, ...]:
        under_way = (each for each in self._state if each.entry_id not in self._settled)
        status = () if self._status is None else (EMPTY, self._status)
        return (*(block for entry in under_way for block in self._live(entry)), *status)

    def _live(self, entry: Entry) -> Iterator[Block]:
        if entry.kind == "findings":
            # They are said in full, when they are all there.
            return
        if entry.kind != "answer":
            yield EMPTY
            yield from entry_blocks(entry)
        elif self._write_answer is None and (rest := _text_of(entry)[len(self._said.get(entry.entry_id, "")) :]):
            yield EMPTY
            yield Prose(rest, _MOST_PRESENTED_LINES if self._is_presented(entry) else None)


def _text_of(entry: Entry) -> str:
    return "".join(part.text for part in entry.parts if isinstance(part, MarkdownPart | PlainPart))


class ProgressLines:
    """What the agents of a run do, a line each: for terminals and files where nothing can be redrawn."""

    def __init__(self, io: TerminalIO) -> None:
        self._io = io
        self._state = DisplayState()
        self._told: set[EntryId] = set()

    def open(self, entries: Iterable[Entry]) -> None:
        """Another run, or the same one as it is now."""
        self._state = DisplayState(entries)
        for entry in self._state:
            self._take(entry)

    def patch(self, ops: Iterable[AnyPatchOp]) -> None:
        """Raises OutOfStep."""
        for entry_id in self._state.apply(ops):
            entry = self._state.get(entry_id)
            if entry is not None:
                self._take(entry)

    def _take(self, entry: Entry) -> None:
        is_told = entry.agent_id is not None and entry.kind not in _UNTOLD and entry.state not in _UNSETTLED
        if not is_told or entry.entry_id in self._told or entry.decision_id is not None:
            return
        self._told.add(entry.entry_id)
        detail = f": {on_one_line(_text_of(entry))}" if entry.kind == "activity" and _text_of(entry) else ""
        self._io.show(Line(f"{entry.agent_id}: {entry.title}{detail}", "faint"))
