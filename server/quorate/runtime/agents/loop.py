"""The loop of one agent: it is shown what is new, the model answers, its calls are carried out, until it is done."""

from typing import Protocol

import anyio

from quorate.engine.commands import Present, Work
from quorate.engine.limits import MAX_STEPS_PER_ATTEMPT, has_run_out_of_tries
from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.engine.state import Pressure, RunState
from quorate.models.port import ModelRequest, ToolCall, ToolCallInvalid, UsageReported
from quorate.prompts.agent_messages import reminder_message
from quorate.protocol.events import AgentCorrected, AgentInformed, AgentStarted, DurableEvent, Misstep, Seen, StopReason
from quorate.protocol.items import AssistantMessage, Presentation
from quorate.runtime.agents.conversation import Conversation
from quorate.runtime.agents.member import Member
from quorate.runtime.agents.news import meanwhile, opening, pressed
from quorate.runtime.agents.tool_calls import CallRecorder
from quorate.runtime.answer_stream import AnswerStream, Reply
from quorate.runtime.journal import Journal, Scope
from quorate.tools.dispatcher import Dispatcher
from quorate.tools.port import AnyTool, Failed, Outcome
from quorate.tools.workflow.floor import Floor, NotTaken, Taken

# Steps beyond the limit in which an agent can still submit what it has.
_LAST_STEPS = 5
_NOTHING_TOLD = Seen()


class RunSide(Protocol):
    """The run, as its agents' loops see it."""

    @property
    def state(self) -> RunState: ...

    @property
    def journal(self) -> Journal: ...

    def scope_of(self, member: Member) -> Scope: ...

    def floor_of(self, member: Member) -> Floor: ...

    def workflow_tools(self, member: Member, work: Work) -> tuple[AnyTool, ...]: ...

    def dispatcher(self, member: Member, work: Work, tools: tuple[AnyTool, ...]) -> Dispatcher: ...

    async def note_spending(self) -> None: ...


class AgentLoop:
    """Lives as long as the run, so that every attempt goes on in the same conversation."""

    _wanted: Work

    def __init__(self, run: RunSide, member: Member) -> None:
        self._run = run
        self._member = member
        self._scope = run.scope_of(member)
        self._conversation = Conversation()
        self._told = _NOTHING_TOLD
        self._pressure: Pressure = "none"
        self._news = anyio.Event()
        self.spending = NOTHING_SPENT

    def want(self, work: Work) -> None:
        """What the run wants of the agent now; taken up at its next step."""
        self._wanted = work
        self._news.set()

    async def attempt(self, work: Work) -> StopReason:
        """One attempt, to what it brought. Raises ModelError."""
        self._wanted = work
        self.spending = NOTHING_SPENT
        self._pressure = "none"
        await self._begin(work)
        for step in range(MAX_STEPS_PER_ATTEMPT + _LAST_STEPS):
            work = await self._released()
            await self._keep_informed(work)
            tools = self._tools(work, files=step < MAX_STEPS_PER_ATTEMPT and work.pressure != "tools_closed")
            dispatcher = self._run.dispatcher(self._member, work, tools)
            reply = await self._ask(dispatcher, work)
            if brought := await self._take(reply, dispatcher, work):
                return brought
        return "abstained"

    async def _begin(self, work: Work) -> None:
        attempt = self._run.state.agents[self._member.agent_id].attempt
        if self._told == _NOTHING_TOLD and not self._conversation.to_send():
            self._conversation.tell(self._member.first_message)
        for text in opening(self._run.state, work, self._told):
            self._conversation.tell(text)
        self._told = work.show
        if attempt is None:
            purpose = "present" if isinstance(work, Present) else work.purpose
            await self._record(AgentStarted(attempt=work.attempt, purpose=purpose, seen=work.show))

    async def _released(self) -> Work:
        while True:
            self._news = anyio.Event()
            if not self._wanted.on_hold:
                return self._wanted
            await self._news.wait()

    async def _keep_informed(self, work: Work) -> None:
        if work.show != self._told:
            for text in meanwhile(self._run.state, work, self._told):
                self._conversation.tell(text)
            self._told = work.show
            await self._record(AgentInformed(attempt=work.attempt, seen=work.show))
        if work.pressure != self._pressure:
            self._pressure = work.pressure
            grace = self._run.state.spec.coordination_overrides.round_timeout_grace_seconds
            if (text := pressed(work.pressure, grace)) is not None:
                self._conversation.tell(text)

    def _tools(self, work: Work, *, files: bool) -> tuple[AnyTool, ...]:
        workflow = self._run.workflow_tools(self._member, work)
        role = "presenter" if work.writes else "agent"
        return (*workflow, *self._member.toolkit(role)) if files else workflow

    async def _ask(self, dispatcher: Dispatcher, work: Work) -> Reply:
        request = ModelRequest(
            messages=self._conversation.to_send(), system=self._member.system, tools=dispatcher.specs
        )
        kind = Presentation if isinstance(work, Present) or self._run.state.is_direct else AssistantMessage
        stream = AnswerStream(self._run.journal, self._scope, self._spent, text_kind=kind)
        reply = await stream.follow(self._member.model, request)
        await self._run.note_spending()
        return reply

    def _spent(self, report: UsageReported) -> None:
        self.spending += Spending(report.usage, report.cost_usd)

    async def _take(self, reply: Reply, dispatcher: Dispatcher, work: Work) -> StopReason | None:
        if reply.calls:
            await self._carry_out(reply, dispatcher, work)
            return self._brought()
        self._conversation.answered(reply, ())
        if isinstance(work, Present):
            return "finished"
        match await self._run.floor_of(self._member).say(reply.text):
            case Taken():
                return self._brought()
            case NotTaken():
                self._conversation.tell(reminder_message(may_answer=work.tools != ("vote",)))
                await self._correct(work, "plain_text", reply.text)
                return self._brought()

    async def _carry_out(self, reply: Reply, dispatcher: Dispatcher, work: Work) -> None:
        outcomes: list[Outcome] = []
        try:
            for call in reply.calls:
                outcome = await self._outcome(call, reply, dispatcher, work)
                outcomes.append(outcome)
        finally:
            # Also when the agent is stopped here: a later attempt goes on in this conversation.
            missing = len(reply.calls) - len(outcomes)
            self._conversation.answered(reply, [*outcomes, *[Failed("The call was interrupted.")] * missing])

    async def _outcome(
        self, call: ToolCall | ToolCallInvalid, reply: Reply, dispatcher: Dispatcher, work: Work
    ) -> Outcome:
        is_workflow = call.name in work.tools
        recorder = CallRecorder(self._run.journal, self._scope)
        if isinstance(call, ToolCallInvalid):
            outcome = await recorder.refused(call, call.problem)
        elif is_workflow and sum(each.name in work.tools for each in reply.calls) > 1:
            outcome = await recorder.refused(call, "Contradictory: submit or vote, one call at a time.")
        else:
            outcome = await recorder.carried_out(call, dispatcher)
        if is_workflow and isinstance(outcome, Failed):
            await self._correct(work, "bad_call", outcome.text)
        return outcome

    async def _correct(self, work: Work, misstep: Misstep, text: str) -> None:
        await self._record(AgentCorrected(attempt=work.attempt, misstep=misstep, text=text))

    def _brought(self) -> StopReason | None:
        """What ends the attempt, if anything has: what it brought, or that it has used up its tries."""
        agent = self._run.state.agents[self._member.agent_id]
        if agent.attempt is None:
            return "superseded"
        return agent.attempt.brought or ("abstained" if has_run_out_of_tries(agent) else None)

    async def _record(self, event: DurableEvent) -> None:
        await self._run.journal.append(event, self._scope)
