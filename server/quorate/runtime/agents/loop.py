"""The loop of one agent: it is shown what is new, the model answers, its calls are carried out, until it is done."""

from collections.abc import Callable
from typing import Protocol

from quorate.engine.commands import Present, Work
from quorate.engine.limits import MAX_STEPS_PER_ATTEMPT, has_run_out_of_tries
from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.engine.state import Pressure, RunState
from quorate.models.port import ModelRequest, ToolCall, ToolCallInvalid, UsageReported
from quorate.prompts.agent_messages import answered_questions_message, reminder_message
from quorate.protocol.events import (
    AgentCorrected,
    AgentInformed,
    AgentStarted,
    AgentStopped,
    DurableEvent,
    Misstep,
    Seen,
    StopReason,
)
from quorate.protocol.events import UsageReported as UsageNews
from quorate.protocol.items import AssistantMessage, Presentation
from quorate.runtime.agents.conversation import Conversation
from quorate.runtime.agents.member import Member
from quorate.runtime.agents.news import meanwhile, opening, pressed
from quorate.runtime.agents.tool_calls import CallRecorder, SubmissionRecorder, carry_out, misstep_in
from quorate.runtime.answer_stream import AnswerStream, Reply
from quorate.runtime.journal import Journal, Scope
from quorate.tools.dispatcher import Dispatcher
from quorate.tools.port import Outcome
from quorate.tools.workflow.floor import Floor, NotTaken, Taken

# Of an attempt's steps the last ones, in which an agent can only submit what it has.
_LAST_STEPS = 5
MOST_STEPS = MAX_STEPS_PER_ATTEMPT + _LAST_STEPS


# The facts that end an attempt, for whoever records what it brought: its kind, and the words for the agent.
Closing = Callable[[StopReason, str], tuple[DurableEvent, ...]]


class RunSide(Protocol):
    """The run, as its agents' loops see it."""

    @property
    def state(self) -> RunState: ...

    @property
    def journal(self) -> Journal: ...

    def work_of(self, member: Member) -> Work | None:
        """What the run wants of the agent at this moment; None where it wants it to stop, or to wait."""
        ...

    async def next_fact(self) -> None: ...

    def scope_of(self, member: Member) -> Scope: ...

    def note(self, event: DurableEvent, scope: Scope) -> None:
        """It goes into the log ahead of whatever follows; nobody waits for it."""
        ...

    def seat(self, member: Member, closing: Closing) -> Floor:
        """The agent's place for as long as the run lives."""
        ...

    def dispatcher(self, member: Member, work: Work, *, last_call: bool) -> Dispatcher: ...

    async def answered_questions(self, member: Member) -> list[tuple[str, str]]:
        """What the agent had asked before a restart of ours, with the answers."""
        ...

    def findings_so_far(self) -> str:
        """Of a review, in words; nothing of any other run."""
        ...

    async def note_spending(self) -> None: ...


class AgentLoop:
    """Lives as long as the run, so that every attempt goes on in the same conversation."""

    def __init__(self, run: RunSide, member: Member) -> None:
        self._run = run
        self._member = member
        self._scope = run.scope_of(member)
        self._conversation = Conversation()
        self._told = Seen()
        self._pressure: Pressure = "none"
        self._number = 0
        self._closed_with: StopReason | None = None
        # Its model is asked, and its tools do their work, while their items are on the way to the disk.
        self._recorder = CallRecorder(self._on_the_way)
        self._submissions = SubmissionRecorder(lambda event: run.journal.note(event, self._scope))
        self._floor = run.seat(member, self._closing)
        self.spending = NOTHING_SPENT

    async def attempt(self, number: int) -> StopReason | None:
        """One attempt, to what it brought; None where nobody wanted it any more when its turn came.

        Raises ModelError.
        """
        self.spending = NOTHING_SPENT
        self._pressure = "none"
        self._number = number
        if not await self._begin(number):
            return None
        last_steps = min(_LAST_STEPS, self._member.most_steps // 4)
        for step in range(self._steps_done() + 1, self._member.most_steps + 1):
            work = await self._released(number)
            await self._keep_informed(work)
            last_call = step > self._member.most_steps - last_steps or work.pressure == "tools_closed"
            dispatcher = self._run.dispatcher(self._member, work, last_call=last_call)
            reply = await self._ask(dispatcher, work, step)
            await self._until_begun()
            brought = await self._take(reply, dispatcher, work, step)
            # Only now: what was paid for is taken, also where it is the last that the budget allows. What ended the
            # attempt has been counted with its end.
            if not self.has_ended(number):
                await self._run.note_spending()
            if brought is not None:
                return brought
        return "abstained"

    async def _begin(self, number: int) -> bool:
        answers = await self._run.answered_questions(self._member) if self._conversation.is_empty else []
        work = self._run.work_of(self._member)
        if work is None or work.attempt != number:
            return False
        state = self._run.state
        first = [self._member.first_message] if self._conversation.is_empty else []
        first += [answered_questions_message(answers)] if answers else []
        texts = [*first, *opening(state, work, self._told, self._run.findings_so_far())]
        if state.agents[self._member.agent_id].attempt is None:
            purpose = "present" if isinstance(work, Present) else work.purpose
            begun: DurableEvent = AgentStarted(attempt=number, purpose=purpose, seen=work.show)
        else:
            # Of an attempt that another process had begun; what it had been told is told anew.
            begun = AgentInformed(attempt=number, seen=work.show)
        # The model is asked meanwhile; what it says is taken when this is a fact.
        self._run.note(begun, self._scope)
        self._tell(texts, work.show)
        return True

    def _steps_done(self) -> int:
        """Before a restart, of the attempt that goes on now."""
        attempt = self._run.state.agents[self._member.agent_id].attempt
        return attempt.steps if attempt is not None and attempt.number == self._number else 0

    async def _until_begun(self) -> None:
        if self._run.state.agents[self._member.agent_id].attempt is None:
            await self._run.journal.write_noted()

    async def _released(self, number: int) -> Work:
        """Asked right before each model call, so that none is made that the run no longer wants."""
        while True:
            work = self._run.work_of(self._member)
            if work is not None and work.attempt == number and not work.on_hold:
                return work
            await self._run.next_fact()

    async def _keep_informed(self, work: Work) -> None:
        if work.show != self._told:
            texts = meanwhile(self._run.state, work, self._told, self._run.findings_so_far())
            await self._record(AgentInformed(attempt=work.attempt, seen=work.show))
            self._tell(texts, work.show)
        if work.pressure != self._pressure:
            self._pressure = work.pressure
            grace = self._run.state.spec.coordination_overrides.round_timeout_grace_seconds
            if (text := pressed(work.pressure, grace)) is not None:
                self._conversation.tell(text)

    def _tell(self, texts: list[str], shown: Seen) -> None:
        for text in texts:
            self._conversation.tell(text)
        self._told = shown

    async def _ask(self, dispatcher: Dispatcher, work: Work, step: int) -> Reply:
        request = ModelRequest(
            messages=self._conversation.to_send(), system=self._member.system, tools=dispatcher.specs
        )
        kind = Presentation if isinstance(work, Present) or self._run.state.is_direct else AssistantMessage
        stream = AnswerStream(self._run.journal, self._scope, self._spent, text_kind=kind, step=step, is_followed=True)
        return await stream.follow(self._member.model, request)

    def _spent(self, report: UsageReported) -> None:
        self.spending += Spending(report.usage, report.cost_usd)
        self._run.journal.announce(UsageNews(usage=report.usage, cost_usd=report.cost_usd), self._scope)

    async def _take(self, reply: Reply, dispatcher: Dispatcher, work: Work, step: int) -> StopReason | None:
        if reply.calls:
            await self._carry_out(reply, dispatcher, work, step)
            return self._brought()
        self._conversation.answered(reply, ())
        if isinstance(work, Present):
            return "finished"
        match await self._floor.say(reply.text):
            case Taken():
                pass
            case NotTaken():
                self._conversation.tell(reminder_message(may_answer=work.tools != ("vote",)))
                await self._correct(work, "plain_text", reply.text)
        return self._brought()

    async def _carry_out(self, reply: Reply, dispatcher: Dispatcher, work: Work, step: int) -> None:
        contradicts = sum(call.name in work.tools for call in reply.calls) > 1
        missteps: list[tuple[Misstep, str]] = []

        async def outcome_of(call: ToolCall | ToolCallInvalid) -> Outcome:
            if contradicts and call.name in work.tools:
                outcome = await self._recorder.refused(call, "Contradictory: submit or vote, one call at a time.", step)
            elif isinstance(call, ToolCall) and call.name in work.tools:
                outcome = await self._submissions.submitted(call, dispatcher, step)
            else:
                outcome = await self._recorder.carried_out(call, dispatcher, step)
            if (misstep := misstep_in(call, outcome, work.tools, dispatcher)) is not None:
                missteps.append((misstep, outcome.text))
            return outcome

        await carry_out(reply, self._conversation, outcome_of, is_over=lambda: self._brought() is not None)
        # However many calls it had: an answer is one try.
        for misstep, text in missteps[:1]:
            await self._correct(work, misstep, text)

    async def _correct(self, work: Work, misstep: Misstep, text: str) -> None:
        await self._record(AgentCorrected(attempt=work.attempt, misstep=misstep, text=text))

    def _brought(self) -> StopReason | None:
        """What ends the attempt, if anything has: what it brought, or that it has used up its tries."""
        agent = self._run.state.agents[self._member.agent_id]
        if agent.has_ended(self._number):
            return self._closed_with
        brought = agent.attempt.brought if agent.attempt is not None else None
        return brought or ("abstained" if has_run_out_of_tries(agent) else None)

    def has_ended(self, number: int) -> bool:
        """Whether the log has the end of that attempt."""
        return self._run.state.agents[self._member.agent_id].has_ended(number)

    def stopped(self, reason: StopReason, error: str | None = None) -> AgentStopped:
        """The fact that ends the attempt, with all that it has used."""
        spent = self.spending
        return AgentStopped(
            attempt=self._number, reason=reason, error=error, usage=spent.usage, cost_usd=spent.cost_usd
        )

    def _closing(self, reason: StopReason, text: str) -> tuple[DurableEvent, ...]:
        self._closed_with = reason
        return (*self._submissions.end_with_fact(text), self.stopped(reason))

    async def _on_the_way(self, event: DurableEvent) -> None:
        self._run.note(event, self._scope)

    async def _record(self, event: DurableEvent) -> None:
        await self._run.journal.append(event, self._scope)
