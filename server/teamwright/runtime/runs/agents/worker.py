"""An agent at work: it is shown what is new, the model answers, its calls are carried out, until it is done."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import anyio

from teamwright.engine.run.commands import Present, StopAgent, Work
from teamwright.engine.run.state import Agent, Pressure
from teamwright.engine.run.voting import has_run_out_of_tries
from teamwright.models.errors import ModelError
from teamwright.models.port import (
    Message,
    ModelRequest,
    ModelToolCall,
    ModelUsage,
    ToolCallInvalid,
    ToolSpec,
    UserPrompt,
)
from teamwright.prompts.agent_messages import answered_questions_message, asked_aside_message, reminder_message
from teamwright.protocol.events import (
    AgentCorrected,
    AgentInformed,
    DurableEvent,
    ItemFinished,
    ItemStarted,
    Misstep,
    Seen,
    StopReason,
)
from teamwright.protocol.items import AssistantMessage, Presentation
from teamwright.runtime.runs.agents.conversation import AgentConversation
from teamwright.runtime.runs.agents.members import FILE_TOOLS, LAST_STEPS, RunMember
from teamwright.runtime.runs.agents.news import Aside, meanwhile, opening, pressed
from teamwright.runtime.runs.agents.submissions import AgentSubmissions, AttemptProgress
from teamwright.runtime.runs.agents.tool_calls import CallRecorder, carry_out, ended_item, item_of, misstep_in
from teamwright.runtime.runs.agents.tools import AgentTools
from teamwright.runtime.runs.files import RunFiles
from teamwright.runtime.runs.run_log import RunLog
from teamwright.runtime.sessions.answer_stream import AnswerStream, Reply, text_alone
from teamwright.tools.dispatcher import Dispatcher
from teamwright.tools.port import Outcome
from teamwright.tools.workflow import NotTaken, Taken

log = logging.getLogger(__name__)

# An attempt that has come to one of these ends itself, in its own good order.
_ITS_OWN_END: frozenset[StopReason] = frozenset({"answered", "voted", "abstained", "finished"})


@dataclass(slots=True)
class _UnderWay:
    attempt: int
    cancel: anyio.CancelScope
    stopped_for: StopReason | None = None


class AgentWorker:
    """Lives as long as the run, so that every attempt goes on in the same conversation."""

    def __init__(
        self,
        member: RunMember,
        log: RunLog,
        files: RunFiles,
        submissions: AgentSubmissions,
        tools: AgentTools,
        *,
        said_before: Sequence[Message] = (),
    ) -> None:
        """`said_before`: by the agent in a run that this one goes on with."""
        self.agent_id = member.agent_id
        self._files = files
        self._member = member
        self._log = log
        self._submissions = submissions
        self._tools = tools
        self._conversation = AgentConversation()
        self._said_before = said_before
        # What the agent answered aside, until it is told so.
        self._overheard: list[str] = []
        self._offered: tuple[ToolSpec, ...] = ()
        self._told = Seen()
        self._pressure: Pressure = "none"
        self._recorder = CallRecorder(self._record)
        # Of calls that touch nothing but the agent's own view of the files: they need not wait for the disk.
        self._file_recorder = CallRecorder(self._record_meanwhile)
        self._has_unrecorded = anyio.Event()
        self._under_way: _UnderWay | None = None

    async def work(self) -> None:
        """One attempt after the other, whenever the run has begun one."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._keep_recorded)
            while True:
                while (number := self._begun_attempt) is None:
                    await self._log.next_fact()
                await self._make(_UnderWay(number, anyio.CancelScope()))

    def stop(self, command: StopAgent) -> bool:
        """The attempt says itself that it has stopped; False where none is under way that could say so."""
        under_way = self._under_way
        if under_way is None or under_way.attempt != command.attempt:
            return False
        if under_way.stopped_for is None:
            under_way.stopped_for = command.reason
            if command.reason not in _ITS_OWN_END:
                under_way.cancel.cancel()
        return True

    def is_stopping(self, command: StopAgent) -> bool:
        under_way = self._under_way
        return under_way is not None and under_way.attempt == command.attempt and under_way.stopped_for is not None

    @property
    def _begun_attempt(self) -> int | None:
        """Of an attempt that the log has, and that the run still wants."""
        work, attempt = self._log.work_of(self.agent_id), self._agent.attempt
        return attempt.number if work is not None and attempt is not None and work.attempt == attempt.number else None

    @property
    def _agent(self) -> Agent:
        return self._log.state.agents[self.agent_id]

    @property
    def _attempt(self) -> AttemptProgress:
        return self._submissions.attempt

    @property
    def _has_ended(self) -> bool:
        """Whether the log has the end of the attempt."""
        return self._agent.has_ended(self._attempt.number)

    async def _make(self, under_way: _UnderWay) -> None:
        self._under_way = under_way
        self._submissions.attempt = AttemptProgress(under_way.attempt)
        self._log.meter(self.agent_id, under_way.attempt)
        self._pressure = "none"
        reason, error = None, None
        try:
            with under_way.cancel:
                reason = await self._to_the_end()
        except ModelError as fault:
            reason, error = "failed", fault.message
        except Exception:
            log.exception("The agent %s failed", self.agent_id)
            reason, error = "failed", "Teamwright failed at this agent's work; its log has the details."
        reason = reason or under_way.stopped_for
        if reason is not None and not self._has_ended:
            candidate = await self._submissions.bring() if reason == "finished" else None
            ended = (*self._attempt.take_unrecorded(), self._attempt.stopped(reason, error, candidate))
            await self._log.submit(lambda _state: (ended, None), self.agent_id)
        self._under_way = None
        self._log.ring()

    async def _to_the_end(self) -> StopReason | None:
        """What the attempt came to; None where the log has its end already, or nobody wants it any more.

        Raises ModelError.
        """
        if not await self._begin():
            return None
        most_steps = self._member.most_steps
        last_steps = min(LAST_STEPS, most_steps // 4)
        for step in range(self._steps_done() + 1, most_steps + 1):
            work = await self._released()
            await self._keep_informed(work)
            last_call = step > most_steps - last_steps or work.pressure == "tools_closed"
            dispatcher = self._tools.dispatcher(work, last_call=last_call)
            reply = await self._ask(dispatcher, work, step)
            reason = await self._take(reply, dispatcher, work, step)
            if self._has_ended or reason is not None:
                # What it has spent is counted with its end.
                return reason
            # Only now: what was paid for is taken, also where it is the last that the budget allows.
            await self._log.count_spending()
        return "abstained"

    async def _begin(self) -> bool:
        answers = await self._tools.answered_questions() if self._conversation.is_empty else []
        work = self._log.work_of(self.agent_id)
        if work is None or work.attempt != self._attempt.number:
            return False
        is_fresh = self._conversation.is_empty
        if work.writes and (is_fresh or isinstance(work, Present)):
            await self._files.start(self.agent_id, work.start_from)
        first = [self._member.first_message] if is_fresh else []
        if is_fresh and self._said_before:
            self._conversation = AgentConversation((UserPrompt(self._member.first_message), *self._said_before))
            first = []
        first += [answered_questions_message(answers)] if answers else []
        told = await self._told_aside()
        texts = [*first, *opening(self._log.state, work, self._told, told)]
        if work.show != self._agent.seen:
            await self._record(AgentInformed(attempt=work.attempt, seen=work.show))
        self._tell(texts, work.show)
        return True

    def _steps_done(self) -> int:
        """Before a restart, of the attempt that goes on now."""
        attempt = self._agent.attempt
        return attempt.steps if attempt is not None and attempt.number == self._attempt.number else 0

    async def _released(self) -> Work:
        """Asked right before each model call, so that none is made that the run no longer wants."""
        while True:
            work = self._log.work_of(self.agent_id)
            if work is not None and work.attempt == self._attempt.number and not work.on_hold:
                return work
            await self._log.next_fact()

    async def _keep_informed(self, work: Work) -> None:
        while self._overheard:
            self._conversation.tell(self._overheard.pop(0))
        if work.show != self._told:
            texts = meanwhile(self._log.state, work, self._told, await self._told_aside())
            await self._record(AgentInformed(attempt=work.attempt, seen=work.show))
            self._tell(texts, work.show)
        if work.pressure != self._pressure:
            self._pressure = work.pressure
            grace = self._log.state.spec.coordination_overrides.round_timeout_grace_seconds
            if (text := pressed(work.pressure, grace)) is not None:
                self._conversation.tell(text)

    async def _told_aside(self) -> Aside:
        """What goes with the answers: what they change, and what a review has found."""
        diffs = await self._files.candidates.diffs(self._log.state.answers)
        return Aside(findings=self._tools.findings_so_far(), diffs=diffs)

    def _tell(self, texts: list[str], shown: Seen) -> None:
        for text in texts:
            self._conversation.tell(text)
        self._told = shown

    async def _ask(self, dispatcher: Dispatcher, work: Work, step: int) -> Reply:
        request = ModelRequest(
            messages=self._conversation.to_send(), system=self._member.system, tools=dispatcher.specs
        )
        kind = Presentation if isinstance(work, Present) or self._log.state.is_direct else AssistantMessage
        scope = self._log.scope.of_agent(self.agent_id)
        self._offered = dispatcher.specs
        stream = AnswerStream(
            self._log.journal, scope, self._submissions.spend, text_kind=kind, step=step, leaves_end=True
        )
        reply = await stream.follow(self._member.model, request)
        self._attempt.unrecorded = (*self._attempt.unrecorded, *reply.ending)
        return reply

    # As the others can ask it

    async def answer_aside(self, asker: str, question: str, spent: Callable[[ModelUsage], None]) -> str:
        known = self._conversation.so_far() or (UserPrompt(self._member.first_message),)
        asked = UserPrompt(asked_aside_message(asker, question))
        request = ModelRequest(messages=(*known, asked), system=self._member.system, tools=self._offered)
        try:
            return await text_alone(self._member.model, request, spent)
        except ModelError:
            return ""

    def overhear(self, text: str) -> None:
        self._overheard.append(text)

    async def _take(self, reply: Reply, dispatcher: Dispatcher, work: Work, step: int) -> StopReason | None:
        """What the attempt has come to with this answer, as far as the log does not say so itself."""
        if reply.calls:
            await self._carry_out(reply, dispatcher, work, step)
            return self._reason_to_end
        self._conversation.answered(reply, ())
        if isinstance(work, Present):
            return "finished"
        match await self._submissions.say(reply.text):
            case Taken():
                pass
            case NotTaken():
                self._conversation.tell(reminder_message(may_answer=work.tools != ("vote",)))
                await self._correct(work, "plain_text", reply.text)
        return self._reason_to_end

    @property
    def _reason_to_end(self) -> StopReason | None:
        agent = self._agent
        if self._has_ended or agent.attempt is None:
            return None
        return agent.attempt.brought or ("abstained" if has_run_out_of_tries(agent) else None)

    async def _carry_out(self, reply: Reply, dispatcher: Dispatcher, work: Work, step: int) -> None:
        contradicts = sum(call.name in work.tools for call in reply.calls) > 1
        missteps: list[tuple[Misstep, str]] = []

        async def outcome_of(call: ModelToolCall | ToolCallInvalid) -> Outcome:
            if contradicts and call.name in work.tools:
                outcome = await self._recorder.refused(call, "Contradictory: submit or vote, one call at a time.", step)
            elif isinstance(call, ModelToolCall) and call.name in work.tools:
                outcome = await self._submit(call, dispatcher, step)
            else:
                recorder = self._file_recorder if call.name in FILE_TOOLS else self._recorder
                outcome = await recorder.carried_out(call, dispatcher, step)
            if (misstep := misstep_in(call, outcome, work.tools, dispatcher)) is not None:
                missteps.append((misstep, outcome.text))
            return outcome

        def is_over() -> bool:
            return self._has_ended or self._reason_to_end is not None

        await carry_out(reply, self._conversation, outcome_of, is_over=is_over)
        # However many calls it had: an answer is one try.
        for misstep, text in missteps[:1]:
            await self._correct(work, misstep, text)

    async def _submit(self, call: ModelToolCall, dispatcher: Dispatcher, step: int) -> Outcome:
        """A call that only makes a fact: it goes into the log with that fact, or without it where it was refused."""
        attempt = self._attempt
        attempt.call, attempt.step = item, _ = item_of(call.name, dict(call.arguments)), step
        ended = item.model_copy(update={"status": "cancelled"})
        try:
            outcome = await dispatcher.dispatch(call)
            ended = ended_item(item, outcome)
        finally:
            attempt.call = None
            if not self._has_ended:
                await self._record(ItemStarted(item=item, step=step), ItemFinished(item=ended))
        return outcome

    async def _correct(self, work: Work, misstep: Misstep, text: str) -> None:
        await self._record(AgentCorrected(attempt=work.attempt, misstep=misstep, text=text))

    async def _record(self, *events: DurableEvent) -> None:
        await self._log.append(*self._attempt.take_unrecorded(), *events, agent_id=self.agent_id)

    async def _record_meanwhile(self, event: DurableEvent) -> None:
        self._attempt.unrecorded = (*self._attempt.unrecorded, event)
        self._has_unrecorded.set()

    async def _keep_recorded(self) -> None:
        """Nobody waits for it; what comes first takes it along."""
        while True:
            await self._has_unrecorded.wait()
            self._has_unrecorded = anyio.Event()
            if self._attempt.unrecorded:
                await self._record()
