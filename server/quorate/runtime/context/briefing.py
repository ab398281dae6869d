"""The brief for the assistant's prompt, from the configuration and the files that were given. Pure."""

from collections.abc import Mapping

from quorate.config.backends import ApiBackend, CliBackend, OfflineBackend, resolve_backend
from quorate.config.settings import AgentSettings, ApprovalThreshold, Settings
from quorate.models.targets import label_of
from quorate.prompts.assistant.system_prompt import AssistantBrief
from quorate.prompts.assistant.team import RunPolicy, TeamMember
from quorate.protocol.runs import ContextPath
from quorate.runtime.context.given_files import Given


def brief_of(
    settings: Settings, given: Given, *, project: str | None, longest_given_text: int, environ: Mapping[str, str]
) -> AssistantBrief:
    return AssistantBrief(
        team=tuple(_member(agent, settings, environ) for agent in settings.agents),
        policy=_policy(settings),
        skills=given.skills,
        memory=given.memory,
        project=project,
        other_projects=tuple(other for other in given.projects if other.name != project),
        instructions=given.instructions,
        appended=settings.orchestrator.interactive_mode.append_system_prompt or "",
        longest_given_text=longest_given_text,
    )


def _member(agent: AgentSettings, settings: Settings, environ: Mapping[str, str]) -> TeamMember:
    servers = (*settings.mcp_servers, *agent.backend.mcp_servers)
    return TeamMember(
        agent_id=agent.id,
        mind=_mind(agent, environ),
        role=agent.system_message or "",
        mcp_servers=tuple(dict.fromkeys(server.name for server in servers)),
    )


def _mind(agent: AgentSettings, environ: Mapping[str, str]) -> str:
    match resolve_backend(agent.backend, environ):
        case ApiBackend(model=model, settings=backend):
            return f"{model} at {label_of(backend.type)}"
        case CliBackend(model=model, settings=backend):
            return f"the program {label_of(backend.type)}" + (f" with {model}" if model else "")
        case OfflineBackend():
            return "rule-based analyser, no language model: reviews and explains code, writes none"


def _policy(settings: Settings) -> RunPolicy:
    interactive, orchestrator = settings.orchestrator.interactive_mode, settings.orchestrator
    match interactive.require_approval:
        case ApprovalThreshold(above_usd=usd):
            approval = usd
        case asked:
            approval = "always" if asked else "never"
    return RunPolicy(
        approval=approval,
        apply_changes=interactive.apply_changes,
        seconds=settings.timeout_settings.orchestrator_timeout_seconds,
        context_paths=tuple(
            ContextPath(path=entry.path, permission=entry.permission) for entry in orchestrator.context_paths
        ),
        plans_first=orchestrator.coordination.enable_planning_mode,
    )
