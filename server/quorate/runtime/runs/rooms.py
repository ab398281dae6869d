"""What an agent's loop finds in its run: its place, its workflow tools, the dispatcher for its part."""

from quorate.engine.commands import Deliberate, Work
from quorate.engine.labels import alias
from quorate.engine.state import RunState
from quorate.engine.voting import candidates
from quorate.permissions.actions import Action, RunCommand
from quorate.permissions.rules import Role
from quorate.protocol.decisions import Choice, CommandDecision, CommandDetail
from quorate.protocol.ids import DecisionId
from quorate.runtime.agents.member import Member
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Scope
from quorate.runtime.runs.conductor import Conductor
from quorate.runtime.runs.run_files import RunFiles
from quorate.runtime.runs.seat import Seat
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

    @property
    def state(self) -> RunState:
        return self._conductor.state

    def scope_of(self, member: Member) -> Scope:
        return self._conductor.scope.of_agent(member.agent_id)

    def floor_of(self, member: Member) -> Floor:
        return self._seats.setdefault(member.agent_id, self._seat(member))

    def workflow_tools(self, member: Member, work: Work) -> tuple[AnyTool, ...]:
        floor = self.floor_of(member)
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
        if self.state.spec.review and isinstance(work, Deliberate):
            tools.append(ReportFinding(floor))
        if self.state.autonomy == "hitl" and isinstance(work, Deliberate):
            tools.append(RequestInput(floor.ask_person))
        return tuple(tools)

    def dispatcher(self, member: Member, work: Work, tools: tuple[AnyTool, ...]) -> Dispatcher:
        role: Role = "presenter" if work.writes else "agent"
        return Dispatcher(member.rules(role), tools, lambda action, question: self._ask(member, action, question))

    async def note_spending(self) -> None:
        await self._conductor.note_spending()

    async def _ask(self, member: Member, action: Action, question: str) -> bool:
        """Only commands are left to a person while an agent works; whatever else would be is refused."""
        if not isinstance(action, RunCommand):
            return False
        decision_id = DecisionId(fresh_id("dec"))
        decision = CommandDecision(
            decision_id=decision_id,
            title=question,
            choices=(Choice(id="approve", label="Run it"), Choice(id="cancel", label="Do not")),
            detail=CommandDetail(argv=action.argv, cwd="scratch"),
        )
        await self._decisions.request(decision, self.scope_of(member))
        return (await self._decisions.answer_to(decision_id)).choice == "approve"

    def _seat(self, member: Member) -> Seat:
        agent_id = member.agent_id
        return Seat(
            agent_id,
            state=lambda: self._conductor.state,
            journal=self.journal,
            scope=self.scope_of(member),
            decisions=self._decisions,
            save_plan=self._files.save_plan,
            uri_of=self._files.uri_of,
            keep_files=lambda label: self._files.keep_answer(agent_id, label),
        )
