"""The members of a run: for each agent its model, its prompt, its view of the files and its tools."""

from collections.abc import Callable
from pathlib import Path
from typing import get_args

from anyio import to_thread

from quorate.config.mcp_settings import McpServer
from quorate.engine.labels import alias
from quorate.permissions.rules import Role, Roots, Rules, roots_of
from quorate.prompts.agent_messages import task_message
from quorate.prompts.agent_system import AgentBrief, agent_prompt
from quorate.protocol.ids import AgentId
from quorate.protocol.modes import Autonomy
from quorate.protocol.runs import ResolvedRunSpec
from quorate.runtime.agents.loop import MOST_STEPS
from quorate.runtime.agents.member import Member
from quorate.runtime.house import House
from quorate.runtime.runs.defaults import protected_paths
from quorate.runtime.runs.run_files import RunFiles
from quorate.tools.command.run_command import RunCommand
from quorate.tools.command.sandbox import Sandbox, unavailable
from quorate.tools.files.toolkit import reading_tools, writing_tools
from quorate.tools.port import AnyTool
from quorate.workspace.scratch import AgentFiles

# A sentence for the user about something that is missing.
Notify = Callable[[str], None]


def file_tools(files: AgentFiles, rules: Rules) -> tuple[AnyTool, ...]:
    return (*reading_tools(files, rules), *writing_tools(files, rules))


async def _unheard(progress: str) -> None:
    del progress


class Members:
    def __init__(self, house: House, spec: ResolvedRunSpec, files: RunFiles, history: str, autonomy: Autonomy) -> None:
        self._house = house
        self._spec = spec
        self._autonomy: Autonomy = autonomy
        self._files = files
        self._history = history
        self._places = house.premises.folders.places
        self._roots = roots_of(spec.context_paths, protected_paths(house.team.settings), self._places)

    @classmethod
    async def gather(
        cls,
        house: House,
        spec: ResolvedRunSpec,
        files: RunFiles,
        notify: Notify,
        *,
        history: str,
        autonomy: Autonomy,
    ) -> tuple[Member, ...]:
        members = cls(house, spec, files, history, autonomy)
        # Makes each agent's directory, so it belongs beside the event loop.
        await to_thread.run_sync(files.open, spec.agents)
        return tuple([await members._member(agent_id, notify) for agent_id in spec.agents])

    async def _member(self, agent_id: AgentId, notify: Notify) -> Member:
        configured = await self._configured_tools(agent_id, notify)
        toolkits = {
            role: (*file_tools(self._files.of(agent_id), self._rules(agent_id, role)), *configured)
            for role in get_args(Role)
        }
        return Member(
            agent_id=agent_id,
            model=self._house.team.model_of(agent_id),
            system=agent_prompt(self._brief(agent_id)),
            first_message=task_message(self._spec.task, self._spec.context or "", self._history),
            rules=lambda role: self._rules(agent_id, role),
            toolkit=lambda role: toolkits[role],
            most_steps=self._most_steps(),
        )

    def _most_steps(self) -> int:
        if self._autonomy == "hitl":
            return MOST_STEPS
        return min(MOST_STEPS, self._house.team.settings.orchestrator.interactive_mode.max_steps)

    async def _configured_tools(self, agent_id: AgentId, notify: Notify) -> tuple[AnyTool, ...]:
        """What the user's configuration adds: the tools of MCP servers, and commands."""
        settings = self._house.team.settings
        offered = await self._house.mcp.toolkit(self._mcp_servers(agent_id), _unheard)
        for problem in offered.problems:
            notify(problem)
        if not settings.commands.enabled:
            return offered.tools
        if (reason := await to_thread.run_sync(unavailable)) is not None:
            notify(f"Agents run no commands: {reason}.")
            return offered.tools
        sandbox = Sandbox((Path.home(), self._house.state_path, *self._folder_paths()))
        scratch = self._files.of(agent_id).lend_scratch()
        return (*offered.tools, RunCommand(scratch, sandbox, settings.commands.timeout_seconds))

    def _folder_paths(self) -> tuple[Path, ...]:
        return tuple(folder.root.path for folder in self._house.premises.folders.folders)

    def _brief(self, agent_id: AgentId) -> AgentBrief:
        spec = self._spec
        return AgentBrief(
            label=alias(spec, agent_id),
            team_size=len(spec.agents),
            work="plan" if spec.planning_mode else "review" if spec.review else "answer",
            coordinated=spec.agent_mode == "multi" or spec.refinement,
            refinement=spec.refinement,
            voting_sensitivity=spec.coordination_overrides.voting_sensitivity,
            readable=tuple(path.path for path in spec.context_paths),
            writable=tuple(path.path for path in spec.context_paths if path.permission == "write"),
            run_additions=spec.agent_system_prompts.get(agent_id, ""),
            own_instructions=self._house.team.agent(agent_id).system_message or "",
        )

    def _mcp_servers(self, agent_id: AgentId) -> tuple[McpServer, ...]:
        """Those of the whole team, and the agent's own."""
        team = self._house.team
        return (*team.settings.mcp_servers, *team.agent(agent_id).backend.mcp_servers)

    def _rules(self, agent_id: AgentId, role: Role) -> Rules:
        settings = self._house.team.settings
        return Rules(
            role=role,
            places=self._places,
            roots=self._roots if role == "presenter" else Roots(self._roots.read, (), self._roots.protected),
            autonomy=self._autonomy,
            trusted=self._house.premises.trusted,
            commands=settings.commands.enabled,
            mcp_servers=frozenset(server.name for server in self._mcp_servers(agent_id)),
        )
