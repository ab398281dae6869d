"""What has been heard of a run so far, folded from its events: all that the live view draws."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from quorate.protocol.events import (
    AgentStopped,
    FindingsUpdated,
    ItemDelta,
    ItemFinished,
    ItemStarted,
    RunFinished,
    RunStarted,
    RunUpdated,
)
from quorate.protocol.ids import AgentId, ItemId, RunId
from quorate.protocol.items import AssistantMessage, Item, Presentation, Reasoning, ToolCall, UserMessage
from quorate.protocol.records import EventRecord
from quorate.protocol.views import RunView

# Enough for the tallest terminal; the whole text is printed at the end.
_LONGEST_TAIL = 8_000


@dataclass(frozen=True, slots=True)
class Story:
    views: Mapping[RunId, RunView] = field(default_factory=dict[RunId, RunView])
    # The newest run: a plan's execution while there is one, else the run that was asked for.
    shown: RunId | None = None
    doing: Mapping[AgentId, str] = field(default_factory=dict[AgentId, str])
    findings: int = 0
    presentation: ItemId | None = None
    presented: str = ""

    @property
    def view(self) -> RunView | None:
        return None if self.shown is None else self.views.get(self.shown)


def heard(story: Story, record: EventRecord) -> Story:
    match record.event:
        case RunStarted():
            return replace(story, shown=record.run_id, presented="", presentation=None)
        case RunUpdated(run=view):
            return replace(story, views={**story.views, view.run_id: view}, shown=story.shown or view.run_id)
        case FindingsUpdated(findings=findings):
            return replace(story, findings=len(findings))
        case ItemStarted(item=item):
            return _begun(story, record.agent_id, item)
        case ItemDelta(item_id=item_id, text=text) if item_id == story.presentation:
            return replace(story, presented=(story.presented + text)[-_LONGEST_TAIL:])
        case ItemFinished(item=Presentation(item_id=item_id, discarded=True)) if item_id == story.presentation:
            return replace(story, presented="")
        case AgentStopped() if record.agent_id is not None:
            return replace(story, doing={**story.doing, record.agent_id: ""})
        case RunFinished(outcome=outcome) if story.shown == record.run_id:
            told = replace(story, presented="")
            if story.view is None:
                return told
            view = story.view.model_copy(update={"phase": "finished", "outcome": outcome})
            return replace(told, views={**story.views, view.run_id: view})
        case _:
            return story


def _begun(story: Story, agent_id: AgentId | None, item: Item) -> Story:
    if agent_id is not None:
        story = replace(story, doing={**story.doing, agent_id: _activity(item)})
    return replace(story, presentation=item.item_id, presented="") if isinstance(item, Presentation) else story


def _activity(item: Item) -> str:
    match item:
        case Reasoning():
            return "thinking"
        case AssistantMessage() | Presentation():
            return "writing"
        case ToolCall(name=name, arguments=arguments):
            path = arguments.get("path")
            return f"{name} {path}" if isinstance(path, str) else name
        case UserMessage():
            return ""
