"""Results for a client that knows only LSP: a Markdown file in the state directory, shown as a document."""

from pathlib import Path
from typing import Final

from anyio import to_thread

from quorate.lsp.handlers.desk import Desk
from quorate.lsp.transport.messages import mapping
from quorate.lsp.transport.methods import Methods
from quorate.lsp.transport.peer import PeerError
from quorate.protocol.errors import UserError
from quorate.protocol.events import ItemFinished, NoticeRaised, RunFinished, RunStarted, TurnFinished
from quorate.protocol.ids import RunId, TurnId
from quorate.protocol.items import AssistantMessage, Presentation
from quorate.protocol.records import EventRecord
from quorate.store.private_files import make_private_directory

_SHOW_SECONDS: Final = 30.0
_UNFINISHED: Final = {
    "cancelled": "**This run was cancelled.**",
    "failed": "**This run failed.**",
    "timed_out": "**This run ran out of time.**",
}
_MESSAGE_TYPES: Final = {"error": 1, "warning": 2, "info": 3}


def register(methods: Methods, desk: Desk) -> None:
    del methods
    if not desk.peer.knows_our_protocol:
        desk.client.follow(PlainResults(desk))


class PlainResults:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._tasks_of_runs: dict[RunId, str] = {}
        self._said: dict[TurnId, list[str]] = {}

    def __call__(self, record: EventRecord) -> None:
        match record.event, record.turn_id, record.run_id:
            case NoticeRaised(level=level, text=text), _, _:
                self._desk.peer.notify("window/showMessage", {"type": _MESSAGE_TYPES[level], "message": text})
            case ItemFinished(item=AssistantMessage(text=text) | Presentation(text=text) as item), str(turn_id), _:
                if text and not item.discarded:
                    self._said.setdefault(turn_id, []).append(text)
            case TurnFinished(error=error), str(turn_id), _:
                texts = [*self._said.pop(turn_id, []), *([f"**Failed:** {error}"] if error else [])]
                self._desk.errands.start(self._show, turn_id, "\n\n".join(texts))
            case RunStarted(spec=spec), None, str(run_id):
                self._tasks_of_runs[run_id] = spec.task
            case RunFinished() as finished, None, str(run_id):
                text = _as_markdown(self._tasks_of_runs.pop(run_id, ""), finished)
                self._desk.errands.start(self._show, run_id, text)
            case _:
                pass

    async def _show(self, name: str, text: str) -> None:
        if not text:
            return
        try:
            house = await self._desk.supervisor.house()
            path = house.state_path / "results" / f"{name}.md"
            await to_thread.run_sync(_write, path, text)
        except (OSError, UserError) as fault:
            self._desk.peer.notify("window/showMessage", {"type": 1, "message": f"A result cannot be kept: {fault}"})
            return
        if not await self._shown_as_document(path):
            self._desk.peer.notify("window/showMessage", {"type": 3, "message": f"Quorate's result is in {path}"})

    async def _shown_as_document(self, path: Path) -> bool:
        peer = self._desk.peer
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


def _write(path: Path, text: str) -> None:
    make_private_directory(path.parent)
    path.write_text(text, encoding="utf-8")
