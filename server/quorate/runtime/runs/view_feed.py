"""What clients draw of a run, at most ten times a second."""

from collections.abc import Callable

from quorate.protocol.events import RunUpdated
from quorate.protocol.views import RunView
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.throttle import Throttle

INTERVAL_SECONDS = 0.1


class ViewFeed:
    def __init__(self, journal: Journal, scope: Scope, view: Callable[[], RunView]) -> None:
        self._throttle = Throttle(INTERVAL_SECONDS, lambda: journal.announce(RunUpdated(run=view()), scope))

    def changed(self) -> None:
        self._throttle.nudge()

    def close(self) -> None:
        self._throttle.settle()
