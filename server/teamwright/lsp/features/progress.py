"""Every run as `$/progress`, which the client may offer to cancel."""

from dataclasses import dataclass
from typing import Final

from teamwright.engine.transcript.words import PHASES
from teamwright.lsp.features.context import FeatureContext
from teamwright.lsp.transport.messages import Json
from teamwright.lsp.transport.peer import PeerError
from teamwright.protocol.commands import CancelParams
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import RunFinished, RunUpdated
from teamwright.protocol.ids import RunId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import RunView
from teamwright.protocol.visible_text import spoken

_CREATE_SECONDS: Final = 10.0
_TITLE_LENGTH: Final = 60
_HAVE_ANSWERED: Final = frozenset({"answered", "voted", "abstained", "presenting"})


@dataclass(slots=True)
class _Shown:
    message: str
    has_begun: bool = False


class Progress:
    def __init__(self, context: FeatureContext) -> None:
        self._context = context
        self._shown: dict[RunId, _Shown] = {}

    def __call__(self, record: EventRecord) -> None:
        match record.event:
            case RunUpdated(run=run) if run.phase != "finished":
                self._update(run)
            case RunFinished() if record.run_id is not None:
                self._end(record.run_id)
            case _:
                pass

    def cancel(self, params: Json) -> None:
        token = params.get("token")
        if isinstance(token, str) and RunId(token) in self._shown:
            self._context.background.start(self._cancel_run, RunId(token))

    def _update(self, run: RunView) -> None:
        shown = self._shown.get(run.run_id)
        if shown is None:
            self._shown[run.run_id] = _Shown(_message(run))
            self._context.background.start(self._begin, run)
        elif shown.message != _message(run):
            shown.message = _message(run)
            if shown.has_begun:
                report = {"kind": "report", "message": shown.message, "cancellable": True}
                self._context.peer.notify("$/progress", {"token": run.run_id, "value": report}, latest_of=run.run_id)

    async def _begin(self, run: RunView) -> None:
        try:
            await self._context.peer.request(
                "window/workDoneProgress/create", {"token": run.run_id}, deadline=_CREATE_SECONDS
            )
        except (PeerError, TimeoutError):
            return
        shown = self._shown.get(run.run_id)
        if shown is not None:
            shown.has_begun = True
            title = "Teamwright: " + " ".join(spoken(run.task[:_TITLE_LENGTH]).split())
            begin = {"kind": "begin", "title": title, "message": shown.message, "cancellable": True}
            self._context.peer.notify("$/progress", {"token": run.run_id, "value": begin})

    def _end(self, run_id: RunId) -> None:
        shown = self._shown.pop(run_id, None)
        if shown is not None and shown.has_begun:
            self._context.peer.notify("$/progress", {"token": run_id, "value": {"kind": "end"}})

    async def _cancel_run(self, run_id: RunId) -> None:
        try:
            context = await self._context.commands()
            from teamwright.application import chat  # noqa: PLC0415 - loaded by now

            await chat.cancel(context, CancelParams(run_id=run_id))
        except UserError as fault:
            self._context.peer.say("warning", fault.message)


def _message(run: RunView) -> str:
    if run.phase == "answering":
        done = sum(agent.status in _HAVE_ANSWERED for agent in run.agents)
        return f"{done} of {len(run.agents)} agents have answered"
    if run.phase == "voting":
        return f"{sum(vote.counts for vote in run.votes)} of {len(run.agents)} agents have voted"
    return "Waits for you" if run.decisions else PHASES[run.phase]
