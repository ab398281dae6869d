"""The run's own time. It stands still while a person is waited for, so that silence costs a run nothing."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Clock:
    """A reading is a moment on the run's own time; `at` is one on everybody's."""

    stopped_at: datetime | None = None
    stood: timedelta = timedelta(0)

    def reading(self, at: datetime) -> datetime:
        return (self.stopped_at or at) - self.stood

    def due_at(self, reading: datetime, seconds: float) -> datetime:
        return reading + timedelta(seconds=seconds) + self.stood

    def stop(self, at: datetime) -> "Clock":
        return self if self.stopped_at is not None else replace(self, stopped_at=at)

    def go_on(self, at: datetime) -> "Clock":
        if self.stopped_at is None:
            return self
        return replace(self, stopped_at=None, stood=self.stood + max(at - self.stopped_at, timedelta(0)))
