"""Facts come in bursts, and the agents' next requests go out behind one: what can wait is done when those are away."""

import asyncio
from collections.abc import Callable
from typing import Final

BURST_SECONDS: Final = 0.03


class BehindBurst:
    """However often it is nudged meanwhile, `do` is called once, a little later."""

    def __init__(self, do: Callable[[], None]) -> None:
        self._do = do
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_due(self) -> bool:
        return self._timer is not None

    def nudge(self, *, at_once: bool = False) -> None:
        """`at_once`: in the next round of the loop."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(0 if at_once else BURST_SECONDS, self._over)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _over(self) -> None:
        self._timer = None
        self._do()
