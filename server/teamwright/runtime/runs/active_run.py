"""One run of a session, from its admission to its last fact, and what persons may say to it meanwhile."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import anyio
from anyio import to_thread

from teamwright.engine.run.answers import result_of
from teamwright.engine.run.budget import spending
from teamwright.engine.run.commands import Command, FinishRun, StartRun, WithdrawDecision
from teamwright.engine.run.deliberation import steerable
from teamwright.engine.run.following import FollowingFact
from teamwright.engine.run.presentation import can_override
from teamwright.engine.run.state import QueuedRun, Run, RunState
from teamwright.engine.run.view import view
from teamwright.engine.spending import NOTHING_SPENT
from teamwright.engine.transcript.evidence import problems_of
from teamwright.models.errors import ModelError
from teamwright.models.port import Message
from teamwright.permissions.actions import WriteFileAction
from teamwright.permissions.judgement import judge
from teamwright.permissions.paths import WorkspacePath
from teamwright.permissions.verdicts import Deny
from teamwright.protocol.changes import Change, FileChoice, SettledFile
from teamwright.protocol.checks import CheckSubject
from teamwright.protocol.errors import BadParams, Conflict, FieldError, NotFound, UserError
from teamwright.protocol.events import (
    AgentStopped,
    CancelRequested,
    ChangesProposed,
    ChangesSettled,
    CheckProblemsShown,
    DurableEvent,
    MessageShared,
    NoticeRaised,
    RunFinished,
)
from teamwright.protocol.ids import AgentId, AnswerId, DecisionId, RunId
from teamwright.protocol.records import EventRecord, Scope
from teamwright.protocol.runs import ResolvedRunSpec
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import RunView
from teamwright.runtime.checks.reproducing import Reproducer
from teamwright.runtime.context.context import Context
from teamwright.runtime.journal import Fact, Journal
from teamwright.runtime.projects.keeping import SessionProject
from teamwright.runtime.runs.agents.asking import PeerQuestions
from teamwright.runtime.runs.agents.earlier_conversation import earlier_conversations
from teamwright.runtime.runs.agents.members import Members, ToldToAgents
from teamwright.runtime.runs.agents.submissions import AgentSubmissions
from teamwright.runtime.runs.agents.tools import AgentTools
from teamwright.runtime.runs.agents.worker import AgentWorker
from teamwright.runtime.runs.check_choice import NO_CHECK, has_checks
from teamwright.runtime.runs.checked_forms import CheckedForm, CheckedForms
from teamwright.runtime.runs.checking import RunChecking
from teamwright.runtime.runs.conductor import Conductor
from teamwright.runtime.runs.effects import Executions, RunEffects
from teamwright.runtime.runs.files import RunChanges, RunFiles, copies_directory, run_directory
from teamwright.runtime.runs.record import RunRecorder
from teamwright.runtime.runs.run_log import RunLog
from teamwright.runtime.runs.specification import presenter_rules
from teamwright.runtime.runs.view_feed import ViewFeed
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.decisions import Decisions
from teamwright.runtime.sessions.permission_questions import PermissionQuestions
from teamwright.store.port import stream
from teamwright.tools.dispatcher import Gate
from teamwright.workspace.changes.change_sets import FileChange
from teamwright.workspace.changes.guarding import ChangeGuard
from teamwright.workspace.copies.cleaning import remove_copies

log = logging.getLogger(__name__)

_OUR_FAULT = "Teamwright failed at this run; its log has the details."

StartFact: TypeAlias = DurableEvent | FollowingFact
# The facts with which an approved run starts. Raises UserError where it cannot start any more.
Begin = Callable[[StartRun], Awaitable[tuple[StartFact, ...]]]


@dataclass(frozen=True, slots=True)
class RunSurroundings:
    """What the runs of a session have in common."""

    services: Services
    journal: Journal
    decisions: Decisions
    project: SessionProject
    context: Context
    executions: Executions


class ActiveRun:
    def __init__(self, run_log: RunLog, around: RunSurroundings, *, begin: Begin, history: str) -> None:
        """`history`: what was said in the session before, for the agents."""
        self.run_id: RunId = run_log.run_id
        self.scope: Scope = run_log.scope
        self._log = run_log
        self._around = around
        self._journal = around.journal
        self._begin = begin
        self._history = history
        services = around.services
        self._directory = run_directory(services.state_path, self.run_id)
        guard = ChangeGuard(self._refusal, self._shown_changes)
        self.changes = RunChanges(self._directory, around.journal.session_id, services.live, services.applier, guard)
        self._forms = CheckedForms(self._directory, around.journal.session_id, services.live, services.checks)
        self._feed = ViewFeed(around.journal, self.scope, self.view, self._is_over)
        self._recorder = RunRecorder(around.journal.session_id, self.run_id, around.project, self._notify)
        # Set once it has come to its last fact, or can come to none.
        self.finished = anyio.Event()
        around.journal.fold_into(self._fold)

    def _fold(self, record: EventRecord) -> None:
        if self._log.fold(record):
            self._feed.changed()
        self._recorder.fold(record)

    @property
    def run(self) -> Run | None:
        return self._log.run

    def view(self) -> RunView:
        """With what is being spent at this moment. Raises NotFound before its first fact."""
        if self.run is None:
            raise NotFound(f"The run {self.run_id} has not begun.")
        return view(self.run, self._log.spending)

    def recall(self, records: Iterable[EventRecord]) -> None:
        """What was written before this process took the run up."""
        self._recorder.recall(records)

    def _is_over(self) -> bool:
        return self.run is not None and self.run.finished is not None

    def retire(self) -> None:
        """It is over, and only looked at from now on."""
        self._journal.stop_folding(self._fold)
        self._feed.close()
        self.finished.set()

    async def start(self, facts: Sequence[StartFact]) -> None:
        """Its first facts: from now on its agents are to be at work."""
        await self._log.start(*facts)

    async def go(self) -> None:
        """To its end, wherever it stands now. Never raises: a run that fails ends no session."""
        try:
            await self._admit()
            if isinstance(self.run, RunState) and self.run.finished is None:
                await self._conduct(self.run)
        except Exception as fault:
            reason = next(_sentences(fault), _OUR_FAULT)
            if reason == _OUR_FAULT:
                log.exception("The run %s failed", self.run_id)
            await self._fail(reason)
        finally:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(remove_copies, copies_directory(self._directory))
            self.retire()

    async def _admit(self) -> None:
        """Until it is started, or is known never to start. Raises UserError where it cannot be started any more."""
        while isinstance(self.run, QueuedRun) and self.run.finished is None:
            if self._log.wanted:
                await self._perform(self._log.wanted[0])
            else:
                await self._log.next_fact()

    async def _perform(self, command: Command) -> None:
        match command:
            case StartRun():
                await self.start(await self._begin(command))
            case WithdrawDecision(decision_id):
                await self._around.decisions.resolve_unless_answered(decision_id, by="cancelled")
            case FinishRun(outcome=outcome, spending=spent, error=error):
                await self._journal.append(RunFinished(outcome=outcome, usage=spent.usage, error=error), self.scope)
            case _:
                raise RuntimeError(f"{type(command).__name__} is not wanted before a run starts")

    async def _conduct(self, run: RunState) -> None:
        services = self._around.services.as_it_stands()
        files = RunFiles(self._directory, self._journal.session_id, services.live, run.spec)
        given = await self._around.context.instructions()
        for problem in given.problems:
            self._notify(problem)
        for found in given.hidden:
            await self._journal.append(found, Scope(turn_id=self.scope.turn_id))
        told = ToldToAgents(self._history, given.texts)
        members = await Members.gather(services, run.spec, files, self._notify, told=told, autonomy=run.autonomy)
        earlier = await self._said_before(run.spec)
        workers: dict[AgentId, AgentWorker] = {}
        decisions = self._around.decisions
        for member in members:
            ask = PermissionQuestions(decisions, self.scope.of_agent(member.agent_id)).ask
            seconds = services.team.settings.commands.timeout_seconds
            reproducer = Reproducer(Gate(member.rules("agent"), ask), files.live, services.checks, seconds)
            submissions = AgentSubmissions(member.agent_id, self._log, files, decisions, reproducer)
            reproduces = run.spec.review and await reproducer.is_possible()
            peers = PeerQuestions(member, self._log, decisions, workers, submissions.spend)
            tools = AgentTools(member, self._log, submissions, files, decisions, peers=peers, reproduces=reproduces)
            said = earlier.get(member.agent_id, ())
            workers[member.agent_id] = AgentWorker(member, self._log, files, submissions, tools, said_before=said)
        if run.spec.checks_policy == "require" and has_checks(run.spec) and not run.spec.checks:
            self._notify(NO_CHECK)
        checking = RunChecking(self._log, files, services.checks)
        effects = RunEffects(self._log, files, self.changes, self._recorder, self._around.executions)
        async with anyio.create_task_group() as tasks:
            conductor = Conductor(self._log, self._around.decisions, effects, workers, tasks, checking=checking)
            await conductor.conduct()
            tasks.cancel_scope.cancel()

    async def _said_before(self, spec: ResolvedRunSpec) -> Mapping[AgentId, tuple[Message, ...]]:
        """By each agent in the run that this one goes on with."""
        if spec.continues is None:
            return {}
        pages = stream(self._around.services.store, self._journal.session_id, run_id=spec.continues)
        return earlier_conversations([record async for page in pages for record in page.records])

    def _refusal(self, path: WorkspacePath) -> str | None:
        """Why a file must not be written now, by the run's own paths and today's settings."""
        if self.run is None:
            return "The run has not begun."
        verdict = judge(presenter_rules(self._around.services, self.run.spec), WriteFileAction(path))
        return verdict.reason if isinstance(verdict, Deny) else None

    def _shown_changes(self) -> tuple[Change, ...]:
        return (self.run.changes.proposed or ()) if isinstance(self.run, RunState) else ()

    def _notify(self, problem: str) -> None:
        self._journal.announce(NoticeRaised(level="warning", text=problem), self.scope)

    async def _fail(self, reason: str) -> None:
        """It ends with what it has and with the reason, and leaves nothing open."""
        run = self.run
        if run is None or run.finished is not None:
            return
        agents = run.agents.values() if isinstance(run, RunState) else ()
        spent = spending(run) if isinstance(run, RunState) else NOTHING_SPENT
        finished = RunFinished(
            outcome="failed",
            result=result_of(run) if isinstance(run, RunState) else None,
            usage=spent.usage,
            cost_usd=spent.cost_usd,
            error=reason,
        )
        try:
            for agent in agents:
                if agent.attempt is not None:
                    stopped = AgentStopped(attempt=agent.attempt.number, reason="cancelled", usage=Usage())
                    await self._journal.append(stopped, self.scope.of_agent(agent.agent_id))
            for decision_id in run.pending:
                await self._around.decisions.resolve_unless_answered(decision_id, by="cancelled")
            await self._journal.append(finished, self.scope)
        except UserError as fault:
            # The log itself is what fails: all that is left is to say so.
            log.exception("The end of the run could not be recorded")
            text = " ".join(dict.fromkeys((reason, fault.message)))
            self._journal.announce(NoticeRaised(level="error", text=text), self.scope)

    # What persons say to it

    async def cancel(self) -> bool:
        def judge(ahead: object) -> tuple[list[Fact], bool]:
            del ahead
            run = self.run
            if run is None or run.finished is not None:
                return [], False
            return [] if run.cancel_requested else [Fact(CancelRequested(), self.scope)], True

        return await self._journal.judge_and_append(judge)

    def check_steering(self, agents: tuple[AgentId, ...] | None) -> None:
        """Raises Conflict where nobody is at work who could hear it, BadParams for an agent who is not of the run."""
        if not isinstance(self.run, RunState):
            raise Conflict("The run has not started yet: say it in its approval.")
        if self.run.finished is not None:
            raise Conflict("The run is over: say it in the chat, or launch another.")
        if strangers := [agent for agent in agents or () if agent not in self.run.spec.agents]:
            known = ", ".join(self.run.spec.agents)
            raise BadParams([FieldError(path="agents", message=f"{', '.join(strangers)} is not in this run ({known})")])

    async def steer(self, text: str, agents: tuple[AgentId, ...] | None) -> tuple[AgentId, ...]:
        """Those it reaches."""
        if not isinstance(self.run, RunState):
            return ()

        def judge(state: RunState) -> tuple[list[DurableEvent], tuple[AgentId, ...]]:
            reached = steerable(state, agents)
            return [MessageShared(sender="user", to=reached, text=text)] if reached else [], reached

        return await self._log.say(judge)

    async def override(self, agent_id: AgentId | None) -> None:
        """None lets the vote stand. Raises BadParams, and Conflict with what was decided where it is too late."""
        if not isinstance(self.run, RunState):
            raise Conflict("The run has not started yet.")
        if (refusal := can_override(self.run, agent_id)) is not None:
            decided = self._around.decisions.latest("override", self.scope)
            if isinstance(refusal, Conflict) and decided is not None:
                raise Conflict(refusal.message, {"decision": decided.to_wire()})
            raise refusal
        window = next(key for key, pending in self.run.pending.items() if pending.kind == "override")
        lets_vote_stand = self.run.winner is not None and agent_id in {None, self.run.winner.agent_id}
        choice = "cancel" if lets_vote_stand or agent_id is None else agent_id
        await self._around.decisions.resolve(DecisionId(window), choice, by="user")

    # What persons want to know of its changes

    async def form_to_check(self, files: tuple[FileChoice, ...] | None) -> CheckedForm:
        return await self._forms.chosen(self._started, files)

    async def check_form(self, form: CheckedForm) -> None:
        """Never raises: what cannot be told of it is told as a notice."""
        try:
            for started in self._forms.begun(form):
                await self._journal.append(started, self.scope)
            for check in form.checks:
                for fact in await self._forms.run(form, check):
                    await self._journal.append(fact, self.scope)
        except UserError as fault:
            self._notify(fault.message)
        except Exception:
            log.exception("The changes of %s could not be checked", self.run_id)
            self._notify("Teamwright failed at checking these changes; its log has the details.")

    def show_problems(self, of: CheckSubject, *, shown: bool) -> int:
        """Raises NotFound where nothing fails at a place that is known."""
        problems = problems_of(self._started, of) if shown else ()
        if shown and not problems:
            raise NotFound("No check fails there at a place that is known.")
        self._journal.announce(CheckProblemsShown(of=of, problems=problems), self.scope)
        return len(problems)

    async def change_of_answer(self, answer_id: AnswerId, uri: str) -> FileChange:
        return await self._forms.change(self._started, answer_id, uri)

    async def propose_answer(self, answer_id: AnswerId) -> ChangesProposed:
        """In place of what it has proposed, once it is over."""
        proposed = await self._forms.propose(self._started, answer_id)
        await self._journal.append(proposed, self.scope)
        self._log.look_again()
        return proposed

    @property
    def _started(self) -> RunState:
        if not isinstance(self.run, RunState):
            raise Conflict("The run has not started yet.")
        return self.run

    async def tell_settled(self, settled: tuple[SettledFile, ...]) -> None:
        """What a person has done about its changes after it was over."""
        await self._journal.append(ChangesSettled(settled=settled), self.scope)


def _sentences(fault: BaseException) -> Iterator[str]:
    """What was meant for users, also among what several tasks raised together."""
    if isinstance(fault, UserError | ModelError):
        yield fault.message
    if isinstance(fault, BaseExceptionGroup):
        for each in cast("BaseExceptionGroup[BaseException]", fault).exceptions:
            yield from _sentences(each)
