"""Which sessions are at work in this process, and how many may be."""

from collections.abc import Callable, Collection, Generator, Iterable
from contextlib import contextmanager

from quorate.engine.state import Run, RunState
from quorate.protocol.errors import LimitReached
from quorate.protocol.ids import SessionId
from quorate.runtime.journal import Scope
from quorate.runtime.session_state import SessionState


def is_at_work(state: SessionState, asking: Iterable[Scope]) -> bool:
    """`asking`: whatever waits for a person. A turn or run that does so is not at work."""
    waiting = {name for scope in asking for name in (scope.turn_id, scope.run_id)}
    runs = {run_id for run_id, run in state.unfinished_runs() if not _only_follows(run)}
    return bool((runs | state.turns_under_way.keys()) - waiting)


def _only_follows(run: Run) -> bool:
    """A plan's run, while another carries the plan out."""
    return isinstance(run, RunState) and run.planning.execution is not None and run.planning.execution.outcome is None


class Workload:
    def __init__(self, at_work: Callable[[], Collection[SessionId]]) -> None:
        self._at_work = at_work
        self._starting: list[SessionId] = []

    @contextmanager
    def admitted(self, session_id: SessionId, limit: int) -> Generator[None]:
        """While a session is set to work. Raises LimitReached where too many are already."""
        others = {*self._at_work(), *self._starting} - {session_id}
        if len(others) >= limit and session_id not in self._at_work():
            raise LimitReached(
                f"{len(others)} sessions are at work, which is the limit: wait for one of them, or cancel one.", limit
            )
        self._starting.append(session_id)
        try:
            yield
        finally:
            self._starting.remove(session_id)
