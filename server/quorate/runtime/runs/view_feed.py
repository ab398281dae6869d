"""What clients draw of a run, at most ten times a second."""

import asyncio
from collections.abc import Callable

from quorate.protocol.events import RunUpdated
from quorate.protocol.views import RunView
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.throttle import Throttle

# Nine a second, so that the last word, which waits for nobody, is the tenth.
INTERVAL_SECONDS = 1 / 9
# Facts come in bursts, and the agents' next requests go out behind one: it is drawn when they are on their way.
_BURST_SECONDS = 0.03


class ViewFeed:
    def __init__(
        self, journal: Journal, scope: Scope, view: Callable[[], RunView], is_over: Callable[[], bool]
    ) -> None:
        self._is_over = is_over
        self._is_shown = False
        self._throttle = Throttle(INTERVAL_SECONDS, lambda: journal.announce(RunUpdated(run=view()), scope))
        self._soon: asyncio.TimerHandle | None = None

    def changed(self) -> None:
        """Said a little later, its beginning and end at once: clients hear of a fact first, and then see it drawn."""
        loop = asyncio.get_running_loop()
        if self._is_over():
            loop.call_soon(self._say_last)
        elif self._soon is None:
            self._soon = loop.call_later(_BURST_SECONDS if self._is_shown else 0, self._nudge)

    def close(self) -> None:
        if self._soon is not None:
            self._say_last()
        self._throttle.settle()

    def _say_last(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
        self._nudge()
        self._throttle.settle()

    def _nudge(self) -> None:
        self._soon = None
        self._is_shown = True
        self._throttle.nudge()
