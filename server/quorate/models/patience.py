"""How long an answer may still be waited for, and what to say when it was too long."""

import asyncio
from typing import Final

from quorate.models.errors import ModelError
from quorate.models.faults import Target
from quorate.models.port import Deadlines

# After the answer's end the rest of the stream is still read, so that the connection can serve the next request.
LINGER_SECONDS: Final = 2.0


class Patience:
    """`ends_at` is on the event loop's clock; every sign of life renews it."""

    def __init__(self, deadlines: Deadlines, target: Target) -> None:
        self._deadlines = deadlines
        self._target = target
        self._clock = asyncio.get_running_loop().time
        now = self._clock()
        self._whole_ends_at = now + deadlines.whole
        self._begun = False
        self.ends_at = min(now + deadlines.first_byte, self._whole_ends_at)

    def renew(self, *, answered: bool) -> None:
        self._begun = True
        self.ends_at = min(self._clock() + (LINGER_SECONDS if answered else self._deadlines.idle), self._whole_ends_at)

    def lost(self) -> ModelError:
        who, limits = self._target.provider, self._deadlines
        if self.ends_at >= self._whole_ends_at:
            return ModelError("timeout", f"{who} took too long to answer: ask for less, or raise timeout_seconds.")
        if self._begun:
            return ModelError("stalled", f"{who} fell silent in mid-answer for {limits.idle:g} s: try again.")
        message = f"{who} did not begin to answer within {limits.first_byte:g} s: try again, or choose another model."
        return ModelError("timeout", message)
