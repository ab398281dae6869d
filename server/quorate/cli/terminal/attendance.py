"""Decisions in the order they come up, each put to the respondent until it is answered or no longer open."""

from collections import deque

import anyio

from quorate.cli.terminal.replies import Answer, Approve, Decline, Present, Reply
from quorate.cli.terminal.respondents import Respondent
from quorate.cli.terminal.talk import Line, Talk
from quorate.protocol.commands import ApproveParams, OverrideParams, RespondParams
from quorate.protocol.decisions import Decision
from quorate.protocol.errors import BadParams, UserError
from quorate.protocol.events import DecisionRequested, DecisionResolved
from quorate.protocol.ids import DecisionId, RunId
from quorate.protocol.records import EventRecord
from quorate.runtime.supervisor import Supervisor


class Attendance:
    def __init__(self, supervisor: Supervisor, respondent: Respondent, talk: Talk) -> None:
        self._supervisor = supervisor
        self._respondent = respondent
        self._talk = talk
        self._open: deque[tuple[Decision, RunId | None]] = deque()
        self._being_asked: tuple[DecisionId, anyio.CancelScope] | None = None
        self._news = anyio.Event()

    def take(self, record: EventRecord) -> None:
        match record.event:
            case DecisionRequested(decision=decision):
                self.put(decision, record.run_id)
            case DecisionResolved(decision_id=decision_id):
                self._settled(decision_id)
            case _:
                pass

    def put(self, decision: Decision, run_id: RunId | None) -> None:
        self._open.append((decision, run_id))
        self._news.set()

    async def attend(self) -> None:
        """Until it is cancelled."""
        while True:
            self._news = anyio.Event()
            if self._open:
                await self._put(*self._open.popleft())
            else:
                await self._news.wait()

    def _settled(self, decision_id: DecisionId) -> None:
        """By a rule, by time, or because the run went on without it."""
        self._open = deque(each for each in self._open if each[0].decision_id != decision_id)
        if self._being_asked is not None and self._being_asked[0] == decision_id:
            self._being_asked[1].cancel()

    async def _put(self, decision: Decision, run_id: RunId | None) -> None:
        while True:
            with anyio.CancelScope() as scope:
                self._being_asked = (decision.decision_id, scope)
                try:
                    reply = await self._respondent.reply_to(decision)
                finally:
                    self._being_asked = None
                if await self._send(reply, decision.decision_id, run_id):
                    return
            if scope.cancelled_caught:
                return

    async def _send(self, reply: Reply, decision_id: DecisionId, run_id: RunId | None) -> bool:
        """False where the reply cannot be taken as it is, and the question has to be put again."""
        try:
            match reply:
                case Approve(edits=edits, instructions=instructions):
                    approval = ApproveParams(
                        decision_id=decision_id, choice="approve", edits=edits, instructions=instructions
                    )
                    await self._supervisor.approve(approval)
                case Decline():
                    await self._supervisor.approve(ApproveParams(decision_id=decision_id, choice="cancel"))
                case Answer(text=text):
                    await self._supervisor.respond(RespondParams(decision_id=decision_id, text=text))
                case Present(agent_id=agent_id) if run_id is not None:
                    await self._supervisor.override(OverrideParams(run_id=run_id, agent_id=agent_id))
                case Present():
                    return True
        except BadParams as fault:
            self._talk.tell(Line(fault.message, "alarm"))
            return False
        except UserError as fault:
            self._talk.tell(Line(fault.message, "faint"))
        return True
