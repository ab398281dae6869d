"""A session: one log, and everything that is folded from it or writes to it."""

from typing import Any

from quorate.protocol.decisions import Resolution
from quorate.protocol.events import SessionCreated
from quorate.protocol.ids import DecisionId, SessionId
from quorate.protocol.modes import Modes
from quorate.protocol.views import SessionSummary
from quorate.runtime.assistant import assistant_for
from quorate.runtime.decisions import Decisions
from quorate.runtime.house import House
from quorate.runtime.identity import now
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.runs.desk import RunDesk
from quorate.runtime.transcript import Transcript
from quorate.runtime.turn import Assistant
from quorate.runtime.turns import Turns

_TITLE_LENGTH = 60
_RESULTS_SHOWN = 3


class Session:
    def __init__(self, house: House, session_id: SessionId) -> None:
        self.session_id = session_id
        self._house = house
        self._journal = Journal(session_id, house.store, house.bus)
        self._transcript = Transcript()
        self.decisions = Decisions(self._journal)
        for fold in (self._transcript.fold, self.decisions.fold):
            self._journal.fold_into(fold)
        self.modes = Modes(autonomy=house.team.settings.orchestrator.interactive_mode.autonomy)
        self.runs = RunDesk(
            house, self._journal, self.decisions, modes=lambda: self.modes, history=self._recent_results
        )
        self.turns = Turns(self._journal, self._transcript, self._assistant, house.tasks)

    async def create(self, about: str) -> None:
        at = now()
        title = " ".join(about.split())[:_TITLE_LENGTH]
        summary = SessionSummary(
            session_id=self.session_id, title=title, created_at=at, updated_at=at, modes=self.modes
        )
        await self._journal.append(SessionCreated(session=summary), Scope())

    async def approve(
        self, decision_id: DecisionId, choice: str, edits: dict[str, Any] | None, instructions: str | None
    ) -> Resolution:
        await self.runs.check_edits(decision_id, edits)
        return await self.decisions.resolve(decision_id, choice, by="user", edits=edits, text=instructions)

    async def _assistant(self, scope: Scope) -> Assistant:
        return assistant_for(self._house, self.modes, self.runs, self.decisions, scope)

    def _recent_results(self) -> str:
        return "\n\n".join(self._transcript.run_results[-_RESULTS_SHOWN:])
