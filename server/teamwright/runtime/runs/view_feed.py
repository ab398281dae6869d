"""What clients draw of a run, at most ten times a second."""

import asyncio
from collections.abc import Callable

from teamwright.protocol.events import RunUpdated
from teamwright.protocol.records import Scope
from teamwright.protocol.views import RunView
from teamwright.runtime.coalescing import BehindBurst
from teamwright.runtime.journal import Journal
from teamwright.runtime.throttle import Throttle

# Nine a second, so that the last word, which waits for nobody, is the tenth.
INTERVAL_SECONDS = 1 / 9


class ViewFeed:
    def __init__(
        self, journal: Journal, scope: Scope, view: Callable[[], RunView], is_over: Callable[[], bool]
    ) -> None:
        self._is_over = is_over
        self._is_shown = False
        self._throttle = Throttle(INTERVAL_SECONDS, lambda: journal.announce(RunUpdated(run=view()), scope))
        self._soon = BehindBurst(self._nudge)

    def changed(self) -> None:
        """Said a little later, its beginning and end at once: clients hear of a fact first, and then see it drawn."""
        if self._is_over():
            asyncio.get_running_loop().call_soon(self._say_last)
        else:
            self._soon.nudge(at_once=not self._is_shown)

    def close(self) -> None:
        if self._soon.is_due:
            self._say_last()
        self._throttle.settle()

    def _say_last(self) -> None:
        self._soon.cancel()
        self._nudge()
        self._throttle.settle()

    def _nudge(self) -> None:
        self._is_shown = True
        self._throttle.nudge()
