"""When a server that failed may be started again. Pure: it is told the time."""

from dataclasses import dataclass
from typing import Final

_FIRST_SECONDS: Final = 5.0
_LONGEST_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Backoff:
    """The first failure may be chance: the server is started again at once. Then it rests, longer each time."""

    failures: int = 0
    not_before: float = 0.0

    def after_failure(self, now: float) -> "Backoff":
        rest = 0.0 if self.failures == 0 else min(_FIRST_SECONDS * 2 ** (self.failures - 1), _LONGEST_SECONDS)
        return Backoff(self.failures + 1, now + rest)

    def seconds_left(self, now: float) -> float:
        return max(0.0, self.not_before - now)
