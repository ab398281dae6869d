"""What a session has cost up to this moment, with the turns and runs that are still under way."""

from collections.abc import Callable

from quorate.engine.spending import NOTHING_SPENT, Spending, spending_of
from quorate.protocol.events import AgentStopped, RunFinished, TurnFinished, UsageReported
from quorate.protocol.ids import AgentId, RunId, TurnId
from quorate.protocol.records import EventRecord

_Spender = tuple[RunId | TurnId | None, AgentId | None]


class RunningCost:
    """`settled` is what the session's log says was spent by what is over."""

    def __init__(self, settled: Callable[[], Spending]) -> None:
        self._settled = settled
        # Of attempts that are over, in runs that are not: a run tells its sum when it ends.
        self._stopped: dict[RunId | None, Spending] = {}
        self._at_work: dict[_Spender, Spending] = {}

    @property
    def total(self) -> Spending:
        return sum((*self._stopped.values(), *self._at_work.values()), self._settled())

    def fold(self, record: EventRecord) -> None:
        """What is over has told its sum."""
        match record.event:
            case AgentStopped(usage=usage, cost_usd=cost_usd):
                self._at_work.pop(_spender(record), None)
                so_far = self._stopped.get(record.run_id, NOTHING_SPENT)
                self._stopped[record.run_id] = so_far + spending_of(usage, cost_usd)
            case RunFinished():
                self._stopped.pop(record.run_id, None)
                self._forget(record.run_id)
            case TurnFinished():
                self._forget(record.turn_id)
            case _:
                pass

    def see(self, record: EventRecord) -> EventRecord:
        event = record.event
        if not isinstance(event, UsageReported):
            return record
        spender = _spender(record)
        so_far = self._at_work.get(spender, NOTHING_SPENT)
        self._at_work[spender] = so_far + Spending(event.usage, event.cost_usd)
        return record.model_copy(update={"event": event.model_copy(update={"session_cost_usd": self.total.cost_usd})})

    def _forget(self, whose: RunId | TurnId | None) -> None:
        self._at_work = {spender: spent for spender, spent in self._at_work.items() if spender[0] != whose}


def _spender(record: EventRecord) -> _Spender:
    return record.run_id or record.turn_id, record.agent_id
