"""What files written for MassGen may ask for and we lack. Each is named in a warning, never dropped silently."""

from collections.abc import Mapping
from typing import Final

from teamwright.config.backend_settings import BackendSettings, HttpServer, ReasoningSettings, StdioServer
from teamwright.config.section import Section
from teamwright.config.settings import AgentSettings, CoordinationSettings, OrchestratorSettings, Settings

_OWN_WORKSPACES: Final = "a directory of its own (agents work in scratch copies)"
_DOCKER: Final = "running commands in Docker"
_COMMANDS: Final = "running commands per agent (see `commands` in your own configuration)"
_MEDIA: Final = "making and reading images, sound and video"
_CUSTOM_TOOLS: Final = "custom Python tools (use MCP servers)"
_TOOL_FILTERS: Final = "filtering an agent's tools (use `allowed_tools` of an MCP server)"
_SUBAGENTS: Final = "subagents"
_SKILLS: Final = "choosing skills (they are read from .teamwright/skills)"
_MEMORY: Final = "memory modes (MEMORY.md is always read)"
_FIRST_VERSION: Final = "agents as the first version of MassGen wrote them (see `id` and `backend`)"
_DEBATES: Final = "debates of MassGen's first version"
_CHECKLISTS: Final = "voting by checklist"

_MCP_SERVER: Final = {"security": "security levels of MCP servers", "cwd": "a server's own directory"}

_KEYS: Final[Mapping[type[Section], Mapping[str, str]]] = {
    Settings: {
        "ui": "terminal display settings",
        "display": "terminal display settings",
        "memory": _MEMORY,
        "gemini": "settings of a provider at this place (see the agent's `backend`)",
        "hooks": "hooks",
        "logging": "logging settings (see `teamwright serve --help`)",
        "streaming_display": "terminal display settings",
        "task": "a task in the configuration (give it to `teamwright run`)",
        "webhooks": "hooks",
        "rate_limits": "rate limits",
        "timeout": "`timeout` at this place (see `timeout_settings`)",
    },
    AgentSettings: {
        "append_system_prompt": "`append_system_prompt` of an agent (see `system_message`)",
        "agent_id": _FIRST_VERSION,
        "agent_type": _FIRST_VERSION,
        "hooks": "hooks",
        "model_config": _FIRST_VERSION,
        "subtasks": "subtasks of an agent",
    },
    BackendSettings: {
        "agent_config": "AG2 agents",
        "allowed_tools": _TOOL_FILTERS,
        "api_version": "API versions (the current one is used)",
        "betas": "beta features of a provider",
        "chat_template_kwargs": "further request parameters",
        "custom_tools": _CUSTOM_TOOLS,
        "auto_discover_custom_tools": _CUSTOM_TOOLS,
        "exclude_custom_tools": _CUSTOM_TOOLS,
        "shared_tools_directory": _CUSTOM_TOOLS,
        "cwd": _OWN_WORKSPACES,
        "direct_mcp_servers": _TOOL_FILTERS,
        "disallowed_tools": _TOOL_FILTERS,
        "enable_code_based_tools": _CUSTOM_TOOLS,
        "enable_code_execution": "code execution at the provider",
        "enable_code_interpreter": "code execution at the provider",
        "enable_mcp_command_line": _COMMANDS,
        "enable_multimodal_tools": _MEDIA,
        "enable_programmatic_flow": "programmatic tool calls",
        "enable_web_search": "web search",
        "exclude_file_operation_mcps": _TOOL_FILTERS,
        "exclude_tools": _TOOL_FILTERS,
        "extra_body": "further request parameters",
        "group_config": "AG2 agents",
        "hooks": "hooks",
        "max_thinking_tokens": "a limit of thinking tokens (see `reasoning`)",
        "permission_mode": "permission modes of a program (they are ours to decide)",
        "permissions": "permissions per agent (see `context_paths`)",
        "system_prompt": "`system_prompt` of a backend (see the agent's `system_message`)",
        "text": "verbosity of a provider",
        "top_k": "further request parameters",
        "top_p": "further request parameters",
        "upload_files": "uploading files",
        "websocket_mode": "websockets to a provider",
    },
    ReasoningSettings: {"type": "`type` of reasoning", "budget_tokens": "a limit of thinking tokens (see `effort`)"},
    StdioServer: _MCP_SERVER,
    HttpServer: _MCP_SERVER,
    OrchestratorSettings: {
        "agent_temporary_workspace": _OWN_WORKSPACES,
        "allow_midstream_peer_updates_before_checklist_submit": _CHECKLISTS,
        "consensus_threshold": _DEBATES,
        "debug_final_answer": "debugging switches",
        "defer_peer_updates_until_restart": "restarting agents (they see new answers where they are)",
        "dspy": "paraphrasing the task",
        "enable_multimodal_tools": _MEDIA,
        "max_debate_rounds": _DEBATES,
        "max_duration": "`max_duration` (see `timeout_settings`)",
        "max_midstream_injections_per_round": "counting injections (see `disable_injection`)",
        "session_storage": _OWN_WORKSPACES,
        "skip_coordination_rounds": "debugging switches",
        "snapshot_storage": _OWN_WORKSPACES,
        "status_check_interval": _DEBATES,
        "thread_pool_timeout": _DEBATES,
        "timeout": "`timeout` at this place (see `timeout_settings`)",
        "voting_threshold": _CHECKLISTS,
    },
    CoordinationSettings: {
        "enable_agent_task_planning": "task lists of agents",
        "enable_changedoc": "change documents",
        "enable_memory_filesystem_mode": _MEMORY,
        "enable_subagents": _SUBAGENTS,
        "evaluation_criteria_generator": _CHECKLISTS,
        "fast_iteration_mode": _CHECKLISTS,
        "learning_capture_mode": _MEMORY,
        "load_previous_session_skills": _SKILLS,
        "massgen_skills": _SKILLS,
        "max_internal_fix_loops": _CHECKLISTS,
        "max_tasks_per_plan": "task lists of agents",
        "max_verifications_per_round": _CHECKLISTS,
        "persona_generator": "generated personas (see the agents' `system_message`)",
        "planning_mode_instruction": "instructions of your own for planning",
        "skills_directory": _SKILLS,
        "skip_redundant_scaffolding": _CHECKLISTS,
        "standalone_checkpoint": "checkpoints",
        "task_planning_filesystem_mode": "task lists of agents",
        "use_skills": _SKILLS,
        "write_mode": _OWN_WORKSPACES,
    },
}

_PREFIXES: Final[Mapping[type[Section], Mapping[str, str]]] = {
    BackendSettings: {
        "command_line_docker_": _DOCKER,
        "command_line_": _COMMANDS,
        "enable_audio_": _MEDIA,
        "enable_file_generation": _MEDIA,
        "enable_image_": _MEDIA,
        "enable_video_": _MEDIA,
    },
    OrchestratorSettings: {
        "audio_generation_": _MEDIA,
        "image_generation_": _MEDIA,
        "video_generation_": _MEDIA,
        "checklist_": _CHECKLISTS,
    },
    CoordinationSettings: {"subagent_": _SUBAGENTS, "broadcast": "questions between agents"},
}

_VOTING_STYLES: Final = (
    "adversarial",
    "checklist",
    "checklist_gated",
    "checklist_scored",
    "consistency",
    "diversity",
    "reflective",
    "roi",
    "roi_aggressive",
    "roi_balanced",
    "roi_conservative",
    "sequential",
)
_VALUES: Final[Mapping[tuple[type[Section], str], tuple[str, ...]]] = {
    (OrchestratorSettings, "voting_sensitivity"): _VOTING_STYLES,
}


def missing_feature(section: type[Section], key: str) -> str | None:
    exact = _KEYS.get(section, {}).get(key)
    if exact is not None:
        return exact
    by_prefix = (name for prefix, name in _PREFIXES.get(section, {}).items() if key.startswith(prefix))
    return next(by_prefix, None)


def is_missing_value(section: type[Section], key: str, value: object) -> bool:
    return value in _VALUES.get((section, key), ())
