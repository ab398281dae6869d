"""The members of a run: for each agent its model, its prompt, its view of the files and its tools."""

from collections.abc import Callable, Sequence

from anyio import to_thread

from quorate.engine.labels import alias
from quorate.permissions.rules import Role, Roots, Rules, roots_of
from quorate.prompts.agent_messages import task_message
from quorate.prompts.agent_system import AgentBrief, agent_prompt
from quorate.protocol.ids import AgentId
from quorate.protocol.runs import ResolvedRunSpec
from quorate.runtime.agents.member import Member
from quorate.runtime.house import House
from quorate.runtime.runs.defaults import protected_paths
from quorate.runtime.runs.run_files import RunFiles
from quorate.tools.port import AnyTool

# The tools that an agent has besides those of the workflow, for the part it plays.
ToolsFor = Callable[[AgentId, Role], Sequence[AnyTool]]


class Members:
    def __init__(self, house: House, spec: ResolvedRunSpec, files: RunFiles, tools: ToolsFor, history: str) -> None:
        self._house = house
        self._spec = spec
        self._files = files
        self._tools = tools
        self._history = history
        self._places = house.premises.folders.places
        self._roots = roots_of(spec.context_paths, protected_paths(house.team.settings), self._places)

    @classmethod
    async def gather(
        cls, house: House, spec: ResolvedRunSpec, files: RunFiles, tools: ToolsFor, *, history: str
    ) -> tuple[Member, ...]:
        members = cls(house, spec, files, tools, history)
        # Makes each agent's directory, so it belongs beside the event loop.
        await to_thread.run_sync(files.open, spec.agents)
        return tuple(members._member(agent_id) for agent_id in spec.agents)

    def _member(self, agent_id: AgentId) -> Member:
        return Member(
            agent_id=agent_id,
            model=self._house.team.model_of(agent_id),
            system=agent_prompt(self._brief(agent_id)),
            first_message=task_message(self._spec.task, self._spec.context or "", self._history),
            rules=self._rules,
            toolkit=lambda role: tuple(self._tools(agent_id, role)),
        )

    def _brief(self, agent_id: AgentId) -> AgentBrief:
        spec = self._spec
        return AgentBrief(
            label=alias(spec, agent_id),
            team_size=len(spec.agents),
            work="plan" if spec.planning_mode else "answer",
            coordinated=spec.agent_mode == "multi" or spec.refinement,
            refinement=spec.refinement,
            voting_sensitivity=spec.coordination_overrides.voting_sensitivity,
            readable=tuple(path.path for path in spec.context_paths),
            writable=tuple(path.path for path in spec.context_paths if path.permission == "write"),
            run_additions=spec.agent_system_prompts.get(agent_id, ""),
            own_instructions=self._house.team.agent(agent_id).system_message or "",
        )

    def _rules(self, role: Role) -> Rules:
        settings = self._house.team.settings
        return Rules(
            role=role,
            places=self._places,
            roots=self._roots if role == "presenter" else Roots(self._roots.read, (), self._roots.protected),
            autonomy=settings.orchestrator.interactive_mode.autonomy,
            trusted=self._house.premises.trusted,
            commands=settings.commands.enabled,
        )
