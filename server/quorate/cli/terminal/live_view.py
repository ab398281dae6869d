"""A run redrawn in place, on a terminal that can."""

import asyncio
import time
from functools import partial
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from quorate.cli.terminal.findings_report import FindingsReport
from quorate.cli.terminal.frame import Room, frame
from quorate.cli.terminal.printable import printable
from quorate.cli.terminal.scribe import Scribe
from quorate.cli.terminal.story import Story, heard
from quorate.cli.terminal.talk import Line, Talk
from quorate.cli.terminal.telling import noteworthy
from quorate.protocol.records import EventRecord
from quorate.runtime.throttle import Throttle

_FRAME_SECONDS = 0.08
_CLOCK_SECONDS = 1.0


class LiveView:
    """Made and called on the event loop; the scribe's thread alone touches the terminal."""

    def __init__(self, console: Console, stream: TextIO, scribe: Scribe, talk: Talk) -> None:
        self._console = console
        self._printable = partial(printable, stream=stream)
        self._scribe = scribe
        self._talk = talk
        self._story = Story()
        self._findings = FindingsReport(with_votes=True)
        self._began = time.monotonic()
        self._live: Live | None = None
        self._is_held = self._is_closed = False
        self._kept: list[Line] = []
        self._frame_waits = False
        self._throttle = Throttle(_FRAME_SECONDS, self._show)
        self._clock = asyncio.get_running_loop().call_later(_CLOCK_SECONDS, self._tick)
        self._throttle.nudge()

    def take(self, record: EventRecord) -> None:
        self._story = heard(self._story, record)
        self._kept += (*noteworthy(record), *self._findings.take(record))
        self._flush()
        self._throttle.nudge()

    def hold(self) -> None:
        self._is_held = True
        self._scribe.post(self._stop)

    def resume(self) -> None:
        self._is_held = False
        self._flush()
        self._throttle.nudge()

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._clock.cancel()
        self._throttle.settle()
        self.resume()
        self._is_held = True
        story = self._story
        self._scribe.post(self._stop)
        if story.view is not None:
            self._scribe.post(lambda: self._console.print(*self._picture(story), sep="\n"))

    def _flush(self) -> None:
        if self._kept and not self._is_held:
            self._talk.tell(*self._kept)
            self._kept = []

    def _tick(self) -> None:
        self._clock = asyncio.get_running_loop().call_later(_CLOCK_SECONDS, self._tick)
        self._throttle.nudge()

    def _show(self) -> None:
        # A terminal that is slow gets fewer pictures, never old ones.
        if not self._is_held and not self._frame_waits:
            self._frame_waits = True
            self._scribe.post(self._draw)

    def _draw(self) -> None:
        self._frame_waits = False
        picture = Group(*self._picture(self._story, time.monotonic() - self._began))
        if self._live is None:
            self._live = Live(
                console=self._console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
            )
            self._live.start()
        self._live.update(picture, refresh=True)

    def _stop(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _picture(self, story: Story, elapsed: float | None = None) -> list[Text]:
        width, height = self._console.size
        return frame(story, Room(width, height, self._printable), elapsed)
