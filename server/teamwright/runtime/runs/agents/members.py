"""The members of a run: for each agent its model, its prompt, its view of the files and its tools."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from anyio import to_thread

from teamwright.config.backend_settings import McpServer
from teamwright.engine.run.answers import alias
from teamwright.engine.run.voting import MAX_STEPS_PER_ATTEMPT
from teamwright.models.port import Model
from teamwright.permissions.rules import Role, Roots, Rules, roots_of
from teamwright.prompts.agent_messages import task_message
from teamwright.prompts.agent_system import AgentBrief, agent_prompt
from teamwright.prompts.assistant.given import GivenText
from teamwright.protocol.ids import AgentId
from teamwright.protocol.modes import Autonomy
from teamwright.protocol.runs import ResolvedRunSpec
from teamwright.runtime.context.layout import longest_given_text
from teamwright.runtime.runs.files import RunFiles
from teamwright.runtime.runs.specification import protected_paths
from teamwright.runtime.services import Services
from teamwright.tools.command import RunCommandTool
from teamwright.tools.files.reading import ListFilesTool, ReadFileTool, SearchFilesTool, reading_tools
from teamwright.tools.files.writing import DeleteFileTool, EditFileTool, WriteFileTool, writing_tools
from teamwright.tools.mcp.supervision import unheard
from teamwright.tools.port import AnyTool
from teamwright.workspace.copies.sandbox import Unavailable, availability
from teamwright.workspace.copies.scratch import AgentFiles
from teamwright.workspace.copies.working_copy import WorkingCopy

# Of an attempt's steps the last ones, in which an agent can only submit what it has.
LAST_STEPS = 5
_MOST_STEPS = MAX_STEPS_PER_ATTEMPT + LAST_STEPS

# Those of `file_tools`.
FILE_TOOLS = frozenset(
    tool.name for tool in (ReadFileTool, ListFilesTool, SearchFilesTool, WriteFileTool, EditFileTool, DeleteFileTool)
)


@dataclass(frozen=True, slots=True)
class ToldToAgents:
    """Beside the task: what was said in the session before, and how the owners of the workspace want work done."""

    history: str
    instructions: tuple[GivenText, ...] = ()


# A sentence for the user about something that is missing.
Notify = Callable[[str], None]
# The file tools and their like, for the part that the agent plays at the moment.
Toolkit = Callable[[Role], tuple[AnyTool, ...]]


@dataclass(frozen=True, slots=True)
class RunMember:
    agent_id: AgentId
    model: Model
    system: str
    first_message: str
    rules: Callable[[Role], Rules]
    toolkit: Toolkit
    # Model calls of one attempt.
    most_steps: int


def file_tools(files: AgentFiles, rules: Rules) -> tuple[AnyTool, ...]:
    return (*reading_tools(files, rules), *writing_tools(files, rules))


class Members:
    def __init__(
        self, services: Services, spec: ResolvedRunSpec, files: RunFiles, told: ToldToAgents, autonomy: Autonomy
    ) -> None:
        self._services = services
        self._spec = spec
        self._autonomy: Autonomy = autonomy
        self._files = files
        self._told = told
        self._places = services.client_context.folders.places
        self._roots = roots_of(spec.context_paths, protected_paths(services.team.settings), self._places)

    @classmethod
    async def gather(
        cls,
        services: Services,
        spec: ResolvedRunSpec,
        files: RunFiles,
        notify: Notify,
        *,
        told: ToldToAgents,
        autonomy: Autonomy,
    ) -> tuple[RunMember, ...]:
        members = cls(services, spec, files, told, autonomy)
        # Makes each agent's directory, so it belongs beside the event loop.
        await to_thread.run_sync(files.open, spec.agents)
        return tuple([await members._member(agent_id, notify) for agent_id in spec.agents])

    async def _member(self, agent_id: AgentId, notify: Notify) -> RunMember:
        configured = await self._configured_tools(agent_id, notify)
        toolkits = {
            role: (*file_tools(self._files.of(agent_id), self._rules(agent_id, role)), *configured)
            for role in get_args(Role)
        }
        model = self._services.team.model_of(agent_id)
        longest = longest_given_text(await model.window()) if self._told.instructions else 0
        return RunMember(
            agent_id=agent_id,
            model=model,
            system=agent_prompt(self._brief(agent_id, longest)),
            first_message=task_message(self._spec.task, self._spec.context or "", self._told.history),
            rules=lambda role: self._rules(agent_id, role),
            toolkit=lambda role: toolkits[role],
            most_steps=self._most_steps(),
        )

    def _most_steps(self) -> int:
        if self._autonomy == "hitl":
            return _MOST_STEPS
        return min(_MOST_STEPS, self._services.team.settings.orchestrator.interactive_mode.max_steps)

    async def _configured_tools(self, agent_id: AgentId, notify: Notify) -> tuple[AnyTool, ...]:
        """What the user adds: the tools of MCP servers by their configuration, commands by that or for this run."""
        settings = self._services.team.settings
        offered = await self._services.mcp.toolkit(self._mcp_servers(agent_id), unheard, self._services.tool_choices)
        for problem in offered.problems:
            notify(problem)
        rules = self._rules(agent_id, "agent")
        if not (rules.commands or rules.commands_granted):
            return offered.tools
        if isinstance(found := await to_thread.run_sync(availability, settings.commands.sandbox), Unavailable):
            notify(found.sentence)
            return offered.tools
        copy = WorkingCopy(self._files.of(agent_id), rules.roots)
        toolchains = tuple(Path(path) for path in settings.commands.toolchains)
        commands = settings.commands
        tool = RunCommandTool(copy, self._places, commands.timeout_seconds, toolchains, commands.sandbox)
        return (*offered.tools, tool)

    def _brief(self, agent_id: AgentId, longest: int) -> AgentBrief:
        spec = self._spec
        return AgentBrief(
            label=alias(spec, agent_id),
            team_size=len(spec.agents),
            work="plan" if spec.planning_mode else "review" if spec.review else "answer",
            coordinated=spec.agent_mode == "multi" or spec.refinement,
            refinement=spec.refinement,
            voting_sensitivity=spec.coordination_overrides.voting_sensitivity,
            readable=tuple(path.path for path in spec.context_paths),
            writable=tuple(
                path.path for path in spec.context_paths if path.permission == "write" and not self._only_reads
            ),
            instructions=self._told.instructions,
            longest_given_text=longest,
            run_additions=spec.agent_system_prompts.get(agent_id, ""),
            own_instructions=self._services.team.agent(agent_id).system_message or "",
        )

    def _mcp_servers(self, agent_id: AgentId) -> tuple[McpServer, ...]:
        """Those of the whole team, and the agent's own."""
        team = self._services.team
        return (*team.settings.mcp_servers, *team.agent(agent_id).backend.mcp_servers)

    @property
    def _only_reads(self) -> bool:
        return self._spec.planning_mode

    def _rules(self, agent_id: AgentId, role: Role) -> Rules:
        settings = self._services.team.settings
        return Rules(
            role=role,
            places=self._places,
            roots=Roots(self._roots.read, () if self._only_reads else self._roots.write, self._roots.protected),
            autonomy=self._autonomy,
            trusted=self._services.client_context.trusted,
            commands=settings.commands.enabled,
            commands_granted=self._spec.allow_commands and self._services.client_context.trusted,
            mcp_servers=frozenset(server.name for server in self._mcp_servers(agent_id)),
        )
