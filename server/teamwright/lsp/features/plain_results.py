"""Results for a client that knows only LSP: a Markdown file in the state directory, shown as a document."""

from pathlib import Path
from typing import Final

from teamwright.lsp.features.context import FeatureContext
from teamwright.lsp.transport.messages import mapping
from teamwright.lsp.transport.peer import PeerError
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import (
    HiddenTextFound,
    ItemFinished,
    NoticeRaised,
    RunFinished,
    RunStarted,
    TurnFinished,
)
from teamwright.protocol.ids import RunId, TurnId
from teamwright.protocol.items import AssistantMessage, Presentation
from teamwright.protocol.records import EventRecord

_SHOW_SECONDS: Final = 30.0
_UNFINISHED: Final = {
    "cancelled": "**This run was cancelled.**",
    "failed": "**This run failed.**",
    "timed_out": "**This run ran out of time.**",
}


class PlainResults:
    def __init__(self, context: FeatureContext) -> None:
        self._context = context
        self._tasks_of_runs: dict[RunId, str] = {}
        self._said: dict[TurnId, list[str]] = {}

    def __call__(self, record: EventRecord) -> None:
        match record.event, record.turn_id, record.run_id:
            case NoticeRaised(level=level, text=text), _, _:
                self._context.peer.say(level, text)
            case HiddenTextFound(text=text), _, _:
                self._context.peer.say("warning", text)
            case ItemFinished(item=AssistantMessage(text=text) | Presentation(text=text) as item), str(turn_id), _:
                if text and not item.discarded:
                    self._said.setdefault(turn_id, []).append(text)
            case TurnFinished(error=error), str(turn_id), _:
                texts = [*self._said.pop(turn_id, []), *([f"**Failed:** {error}"] if error else [])]
                self._context.background.start(self._show, turn_id, "\n\n".join(texts))
            case RunStarted(spec=spec), None, str(run_id):
                self._tasks_of_runs[run_id] = spec.task
            case RunFinished() as finished, None, str(run_id):
                text = _as_markdown(self._tasks_of_runs.pop(run_id, ""), finished)
                self._context.background.start(self._show, run_id, text)
            case _:
                pass

    async def _show(self, name: str, text: str) -> None:
        if not text:
            return
        try:
            path = await (await self._context.commands()).keep_result(name, text)
        except (OSError, UserError) as fault:
            self._context.peer.say("error", f"A result cannot be kept: {fault}")
            return
        if not await self._shown_as_document(path):
            self._context.peer.say("info", f"Teamwright's result is in {path}")

    async def _shown_as_document(self, path: Path) -> bool:
        peer = self._context.peer
        if not peer.can("window", "showDocument", "support"):
            return False
        try:
            shown = await peer.request(
                "window/showDocument", {"uri": path.as_uri(), "takeFocus": False}, deadline=_SHOW_SECONDS
            )
        except (PeerError, TimeoutError):
            return False
        return mapping(shown).get("success") is True


def _as_markdown(task: str, finished: RunFinished) -> str:
    heading = " ".join(task.split())[:100]
    parts = [
        f"# {heading}" if heading else "",
        finished.result.text if finished.result is not None else "",
        _UNFINISHED.get(finished.outcome, ""),
        finished.error or "",
        finished.footer or "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"
