"""An interrupted turn taken up again: what only waited goes on, what was at work asks first, nothing is done twice."""

from typing import Literal

from quorate.prompts.assistant.notes import INTERRUPTED
from quorate.protocol.decisions import ResumeDecision
from quorate.protocol.events import DecisionRequested, DecisionResolved, ItemFinished
from quorate.protocol.ids import DecisionId
from quorate.protocol.items import Item, ToolCall
from quorate.runtime.decisions import Decisions
from quorate.runtime.journal import Journal
from quorate.runtime.lead import SessionLead
from quorate.runtime.open_items import given_up
from quorate.runtime.open_turns import OpenTurn
from quorate.runtime.questions import resume_question
from quorate.runtime.session_budget import SessionBudget
from quorate.runtime.turn import Turn
from quorate.tools.assistant.launch_run import LaunchRun
from quorate.tools.port import Failed, Outcome, Succeeded
from quorate.tools.request_input import RequestInput

Policy = Literal["ask", "auto"]


class Resumption:
    def __init__(
        self,
        turn: Turn,
        log: OpenTurn,
        *,
        journal: Journal,
        decisions: Decisions,
        lead: SessionLead,
        policy: Policy,
        budget: SessionBudget,
    ) -> None:
        self._turn = turn
        self._log = log
        self._journal = journal
        self._decisions = decisions
        self._lead = lead
        self._policy: Policy = policy
        self._budget = budget

    async def goes_on(self) -> bool:
        """Once nothing of it is open any more; False where the person does not want it to."""
        if not self._only_waited and not await self._is_wanted():
            for item in self._log.items.values():
                await self._finish(given_up(item))
            return False
        for item in self._log.items.values():
            if isinstance(item, ToolCall):
                await self._turn.recorder.concluded(item, lambda call=item: self._outcome_of(call))
            else:
                await self._finish(given_up(item))
        return True

    @property
    def _only_waited(self) -> bool:
        """For a person, or for a run that asks for itself whether to go on."""
        match self._log.open_calls:
            case [LaunchRun.name] if self._log.run_id is not None:
                return not self._lead.is_finished(self._log.run_id)
            case [RequestInput.name]:
                return self._log.question_id in self._decisions.pending
            case []:
                return self._budget.question_in(self._turn.scope) is not None
            case _:
                return False

    async def _is_wanted(self) -> bool:
        return (await self._decisions.answer_to(await self._question())).choice == "approve"

    async def _question(self) -> DecisionId:
        """Also where a rule answers it, so that the log says who let it go on."""
        asked = [
            key
            for key, pending in self._decisions.pending.items()
            if isinstance(pending.decision, ResumeDecision) and pending.scope == self._turn.scope
        ]
        if asked:
            return asked[0]
        question = resume_question("turn", self._log.asked.text, self._log.done)
        requested = DecisionRequested(decision=question)
        if self._policy == "auto":
            by_policy = DecisionResolved(decision_id=question.decision_id, choice="approve", by="policy")
            await self._journal.append_together((requested, by_policy), self._turn.scope)
        else:
            await self._journal.append(requested, self._turn.scope)
        return question.decision_id

    async def _outcome_of(self, call: ToolCall) -> Outcome:
        if call.name == LaunchRun.name and self._log.run_id is not None:
            return Succeeded(await self._lead.follow(self._log.run_id))
        if call.name == RequestInput.name and self._log.question_id is not None:
            return Succeeded(await self._lead.answer_to(self._log.question_id))
        return Failed(INTERRUPTED)

    async def _finish(self, item: Item) -> None:
        await self._journal.append(ItemFinished(item=item), self._turn.scope)
