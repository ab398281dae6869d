"""What a session has cost up to this moment, with the turns and runs that are still under way."""

from collections.abc import Callable

from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.protocol.events import RunFinished, TurnFinished, UsageReported
from quorate.protocol.ids import RunId, TurnId
from quorate.protocol.records import EventRecord


class RunningCost:
    """`settled` is what the session's log says was spent."""

    def __init__(self, settled: Callable[[], Spending]) -> None:
        self._settled = settled
        self._under_way: dict[RunId | TurnId | None, Spending] = {}

    def fold(self, record: EventRecord) -> None:
        """What is over has told its sum."""
        match record.event:
            case RunFinished():
                self._under_way.pop(record.run_id, None)
            case TurnFinished():
                self._under_way.pop(record.turn_id, None)
            case _:
                pass

    def see(self, record: EventRecord) -> EventRecord:
        event = record.event
        if not isinstance(event, UsageReported):
            return record
        spender = record.run_id or record.turn_id
        so_far = self._under_way.get(spender, NOTHING_SPENT)
        self._under_way[spender] = so_far + Spending(event.usage, event.cost_usd)
        total = sum(self._under_way.values(), self._settled())
        return record.model_copy(update={"event": event.model_copy(update={"session_cost_usd": total.cost_usd})})
