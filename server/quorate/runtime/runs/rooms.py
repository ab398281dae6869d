"""What an agent's loop finds in its run: its place, its workflow tools, the dispatcher for its part."""

from quorate.engine.commands import Deliberate, Present, Work
from quorate.engine.labels import alias
from quorate.engine.state import RunState
from quorate.engine.voting import candidates
from quorate.permissions.actions import Action, RunCommand
from quorate.permissions.rules import Role
from quorate.prompts.agent_messages import findings_digest
from quorate.protocol.decisions import Choice, CommandDecision, CommandDetail
from quorate.protocol.events import DurableEvent
from quorate.protocol.ids import DecisionId
from quorate.runtime.agents.loop import Closing
from quorate.runtime.agents.member import Member
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Scope
from quorate.runtime.runs.conductor import Conductor
from quorate.runtime.runs.reports import told_findings
from quorate.runtime.runs.run_files import RunFiles
from quorate.runtime.runs.seat import Seat
from quorate.runtime.runs.submissions import Submissions
from quorate.tools.dispatcher import Dispatcher
from quorate.tools.port import AnyTool
from quorate.tools.request_input import RequestInput
from quorate.tools.workflow.floor import Floor
from quorate.tools.workflow.new_answer import NewAnswer
from quorate.tools.workflow.report_finding import ReportFinding
from quorate.tools.workflow.submit_plan import SubmitPlan
from quorate.tools.workflow.vote import Vote


class AgentRoom:
    """Implements `RunSide` of the agents' loop."""

    def __init__(self, conductor: Conductor, files: RunFiles, decisions: Decisions) -> None:
        self._conductor = conductor
        self._files = files
        self._decisions = decisions
        self._seats: dict[str, Seat] = {}
        self.journal = conductor.journal
        self._submissions = Submissions(
            self.journal, conductor.scope, lambda: self.state, reached_budget=conductor.reached_budget
        )

    @property
    def state(self) -> RunState:
        return self._conductor.chronicle.state

    def work_of(self, member: Member) -> Work | None:
        """What the run wants of the agent at this moment."""
        works = (each for each in self._conductor.chronicle.wanted if isinstance(each, Deliberate | Present))
        return next((work for work in works if work.agent_id == member.agent_id), None)

    async def next_fact(self) -> None:
        await self._conductor.chronicle.next_fact()

    def scope_of(self, member: Member) -> Scope:
        return self._conductor.scope.of_agent(member.agent_id)

    def note(self, event: DurableEvent, scope: Scope) -> None:
        self._conductor.note(event, scope)

    def seat(self, member: Member, closing: Closing) -> Floor:
        agent_id = member.agent_id
        self._seats[agent_id] = seat = Seat(
            agent_id,
            state=lambda: self.state,
            journal=self.journal,
            submissions=self._submissions,
            scope=self.scope_of(member),
            decisions=self._decisions,
            save_plan=self._files.save_plan,
            uri_of=self._files.uri_of,
            keep_files=lambda label: self._files.keep_answer(agent_id, label),
            closing=closing,
        )
        return seat

    def dispatcher(self, member: Member, work: Work, *, last_call: bool) -> Dispatcher:
        """With what the agent may call now; at the last call it can only submit what it has, or vote."""
        role = _role(work)
        tools = self._workflow_tools(member, work)
        if not last_call:
            tools = (*tools, *self._aside(member, work), *member.toolkit(role))
        return Dispatcher(member.rules(role), tools, lambda action, question: self._ask(member, action, question))

    def _workflow_tools(self, member: Member, work: Work) -> tuple[AnyTool, ...]:
        floor = self._seats[member.agent_id]
        tools: list[AnyTool] = []
        for name in work.tools:
            match name:
                case "new_answer":
                    tools.append(NewAnswer(floor))
                case "submit_plan":
                    tools.append(SubmitPlan(floor))
                case "vote":
                    votable = tuple(alias(self.state.spec, each.agent_id) for each in candidates(self.state))
                    tools.append(Vote(floor, votable))
        return tuple(tools)

    def _aside(self, member: Member, work: Work) -> tuple[AnyTool, ...]:
        """What an agent may do in its run besides answering and voting."""
        if not isinstance(work, Deliberate) or _role(work) != "agent":
            return ()
        floor = self._seats[member.agent_id]
        tools: list[AnyTool] = []
        if self.state.spec.review:
            tools.append(ReportFinding(floor))
        if self.state.autonomy == "hitl":
            tools.append(RequestInput(floor.ask_person))
        return tuple(tools)

    async def answered_questions(self, member: Member) -> list[tuple[str, str]]:
        return await self._decisions.answered_questions(self.scope_of(member))

    def findings_so_far(self) -> str:
        return findings_digest(told_findings(self.state, self._files.shown_path))

    async def note_spending(self) -> None:
        await self._conductor.note_spending()

    async def _ask(self, member: Member, action: Action, question: str) -> bool:
        """Only commands are left to a person while an agent works; whatever else would be is refused."""
        if not isinstance(action, RunCommand):
            return False
        decision = CommandDecision(
            decision_id=DecisionId(fresh_id("dec")),
            title=question,
            choices=(Choice(id="approve", label="Run it"), Choice(id="cancel", label="Do not")),
            detail=CommandDetail(argv=action.argv, cwd="scratch"),
        )
        return (await self._decisions.ask(decision, self.scope_of(member))).choice == "approve"


def _role(work: Work) -> Role:
    return "presenter" if work.writes else "agent"
