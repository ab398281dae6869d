"""What was said in a session, folded from its log: the conversation that the model is sent is built from it."""

from collections.abc import Sequence

from quorate.protocol.events import ItemFinished, RunFinished, RunStarted
from quorate.protocol.items import AssistantMessage, UserMessage
from quorate.protocol.records import EventRecord

Said = UserMessage | AssistantMessage


class Transcript:
    def __init__(self) -> None:
        self._said: list[Said] = []
        self._tasks: dict[str, str] = {}
        self.run_results: list[str] = []

    @property
    def said(self) -> Sequence[Said]:
        return self._said

    def fold(self, record: EventRecord) -> None:
        match record.event:
            case ItemFinished(item=UserMessage() | AssistantMessage() as item) if record.run_id is None:
                self._said = [each for each in self._said if each.item_id != item.item_id]
                if not item.discarded:
                    self._said.append(item)
            case RunStarted(spec=spec) if record.run_id is not None:
                self._tasks[record.run_id] = spec.task
            case RunFinished(result=result) if result is not None and record.run_id is not None:
                self.run_results.append(f"Run “{self._tasks.get(record.run_id, '')}” came to:\n{result.text}")
            case _:
                pass
