"""What an agent's loop finds in its run: its place, its workflow tools, the dispatcher for its part."""

from quorate.engine.commands import Work
from quorate.engine.labels import alias
from quorate.engine.state import RunState
from quorate.engine.voting import candidates
from quorate.permissions.actions import Action
from quorate.permissions.rules import Role
from quorate.runtime.agents.member import Member
from quorate.runtime.decisions import Decisions
from quorate.runtime.journal import Scope
from quorate.runtime.runs.conductor import Conductor
from quorate.runtime.runs.run_files import RunFiles
from quorate.runtime.runs.seat import Seat
from quorate.tools.dispatcher import Dispatcher
from quorate.tools.port import AnyTool
from quorate.tools.workflow.floor import Floor
from quorate.tools.workflow.new_answer import NewAnswer
from quorate.tools.workflow.request_input import RequestInput
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
        if self.state.autonomy == "hitl":
            tools.append(RequestInput(floor))
        return tuple(tools)

    def dispatcher(self, member: Member, work: Work, tools: tuple[AnyTool, ...]) -> Dispatcher:
        role: Role = "presenter" if work.writes else "agent"
        return Dispatcher(member.rules(role), tools, self._ask_nobody)

    async def note_spending(self) -> None:
        await self._conductor.note_spending()

    async def _ask_nobody(self, action: Action, question: str) -> bool:
        del action, question
        return False

    def _seat(self, member: Member) -> Seat:
        agent_id = member.agent_id
        return Seat(
            agent_id,
            state=lambda: self._conductor.state,
            journal=self.journal,
            scope=self.scope_of(member),
            decisions=self._decisions,
            save_plan=self._files.save_plan,
            keep_files=lambda label: self._files.keep_answer(agent_id, label),
        )
