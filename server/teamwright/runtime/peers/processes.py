"""The other processes that work on this workspace: they are told what we have written, and we hear what they have.

Told is only where there is something new; it is in the store, for whoever wants to read it.
"""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord
from teamwright.runtime.bus import is_told_to_all
from teamwright.runtime.coalescing import BehindBurst
from teamwright.store.wake_signal import WakeSignal, send

_LAST_WORDS_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class LogGrowth:
    """From `seq` on a session's log has grown, and from `seq_for_all` on by something that every client is told."""

    session_id: SessionId
    seq: int
    seq_for_all: int | None

    @classmethod
    def of(cls, record: EventRecord) -> "LogGrowth | None":
        if record.session_id is None or record.seq is None:
            return None
        return cls(record.session_id, record.seq, record.seq if is_told_to_all(record) else None)

    def followed_by(self, later: "LogGrowth") -> "LogGrowth":
        return LogGrowth(self.session_id, self.seq, later.seq_for_all if self.seq_for_all is None else self.seq_for_all)

    def line(self) -> bytes:
        return json.dumps([self.session_id, self.seq, self.seq_for_all]).encode()

    @classmethod
    def read(cls, line: bytes) -> "LogGrowth | None":
        """None for what a peer of another version may mean by it."""
        try:
            match json.loads(line):
                case [str(session_id), int(seq), int() | None as seq_for_all] if SessionId.admits(session_id):
                    return cls(SessionId(session_id), seq, seq_for_all)
                case _:
                    return None
        except ValueError:
            return None


Hear = Callable[[LogGrowth], None]


class PeerProcesses:
    """For one event loop, from `settle` to `leave`."""

    def __init__(self) -> None:
        self._directory: Path | None = None
        self._hear: Hear | None = None
        self._signal: WakeSignal | None = None
        self._untold: dict[SessionId, LogGrowth] = {}
        self._has_news = asyncio.Event()
        self._soon = BehindBurst(self._has_news.set)
        self._settling = anyio.Lock()

    def listen(self, hear: Hear) -> None:
        """Before `settle`. Whoever does not listen can tell all the same."""
        self._hear = hear

    async def settle(self, state_path: Path) -> None:
        """Where there are no named pipes, nothing is heard, and what others write is seen when it is opened."""
        directory = state_path / "peers"
        async with self._settling:
            if directory == self._directory:
                return
            await self._close_signal()
            self._directory = directory
            if self._hear is not None:
                loop = asyncio.get_running_loop()

                def on_signal(line: bytes) -> None:
                    loop.call_soon_threadsafe(self._on_signal, line)

                with suppress(OSError):
                    self._signal = await to_thread.run_sync(WakeSignal, directory, on_signal)

    def tell(self, record: EventRecord) -> None:
        """Of what is on disk. Nobody waits for it."""
        news = LogGrowth.of(record)
        if news is not None:
            before = self._untold.get(news.session_id)
            self._untold[news.session_id] = news if before is None else before.followed_by(news)
            self._soon.nudge()

    async def keep_telling(self) -> None:
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            await self._tell_the_rest()

    async def leave(self) -> None:
        self._soon.cancel()
        with anyio.move_on_after(_LAST_WORDS_SECONDS, shield=True):
            await self._tell_the_rest()
            await self._close_signal()

    async def _tell_the_rest(self) -> None:
        if self._directory is None or not self._untold:
            return
        lines = [news.line() for news in self._untold.values()]
        self._untold.clear()
        own = self._signal.path if self._signal is not None else None
        with suppress(OSError):
            await to_thread.run_sync(partial(send, self._directory, lines, but=own), abandon_on_cancel=True)

    async def _close_signal(self) -> None:
        signal, self._signal = self._signal, None
        if signal is not None:
            await to_thread.run_sync(signal.close, abandon_on_cancel=True)

    def _on_signal(self, line: bytes) -> None:
        news = LogGrowth.read(line)
        if news is not None and self._hear is not None:
            self._hear(news)
