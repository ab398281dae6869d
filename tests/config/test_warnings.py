"""What loads nevertheless, and is told: unknown keys, features of MassGen that are lacking, keys of no effect."""

import pytest

from teamwright.config.load import load_text

FULL_OF_MASSGEN = """\
agents:
  - id: worker
    append_system_prompt: Be brief.
    backend:
      type: openai
      model: gpt-5-nano
      text: {verbosity: medium}
      reasoning: {effort: medium, summary: auto}
      cwd: workspace
      enable_web_search: true
      enable_code_interpreter: true
      enable_image_generation: true
      enable_mcp_command_line: true
      command_line_execution_mode: docker
      command_line_docker_enable_sudo: true
      custom_tools: [{name: [add], path: tool.py, function: [add]}]
      exclude_tools: [mcp__chat__send]
      mcp_servers:
        - name: chat
          type: stdio
          command: npx
          args: ["-y", some-server]
          security: {level: permissive}
orchestrator:
  snapshot_storage: snapshots
  agent_temporary_workspace: temp
  voting_threshold: 3
  max_new_answers_per_agent: 5
  coordination:
    enable_agent_task_planning: true
    subagent_default_timeout: 200
    max_orchestration_restarts: 1
timeout: {orchestrator_timeout_seconds: 60}
memory: {enabled: true}
ui: {display_type: rich_terminal, logging_enabled: true}
"""

IGNORED = "not supported, ignored:"


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        pytest.param(
            "agnets: []",
            ["1:1: agnets: unknown key, ignored, did you mean 'agents'?"],
            id="a misspelt key",
        ),
        pytest.param(
            "orchestrator: {interactive_mode: {enabled: false}, coordination: {max_orchestration_restarts: 2}}",
            [
                f"1:95: orchestrator.coordination.max_orchestration_restarts: {IGNORED} starting a run over",
            ],
            id="settings that nothing reads yet",
        ),
        pytest.param(
            "orchestrator: {interactive_mode: {enabled: true}, coordination: {max_orchestration_restarts: 0}}",
            [],
            id="the same at their defaults",
        ),
        pytest.param(
            "orchestrator: {orchestrator_timeout_seconds: 5}",
            ["1:16: orchestrator.orchestrator_timeout_seconds: unknown key, ignored, it belongs in timeout_settings"],
            id="a key in the wrong place",
        ),
        pytest.param(
            '"a b\\n": {x: 1}',
            [
                (
                    '1:1: ["a b\\n"]: unknown key, ignored, known here are agents, orchestrator, timeout_settings, '
                    "mcp_servers, checks, checks_policy, "
                    "checks_wait_seconds, commands, trusted_base_urls"
                )
            ],
            id="a key that is no word",
        ),
        pytest.param(
            "agents: [{id: a, backend: {type: codex, api_key: '${X}', program: my-codex, temperature: null}}]",
            ["1:41: agents[0].backend.api_key: codex does not take it, this key is ignored"],
            id="a key for a program",
        ),
        pytest.param(
            "agents: [{id: a, backend: {type: codex, reasoning: {effort: high}}}, "
            "{id: b, backend: {type: gemini_cli, reasoning: {effort: high}}}]",
            ["1:106: agents[1].backend.reasoning: gemini_cli does not take it, this key is ignored"],
            id="an effort that only some programs take",
        ),
        pytest.param(
            "agents: [{id: a, backend: {type: claude, temperature: 0.2}}]",
            ["1:42: agents[0].backend.temperature: claude does not take it, this key is ignored"],
            id="a temperature where there is none",
        ),
        pytest.param(
            "agents: [{id: a, backend: {type: openai, api_key: $OPENAI_API_KEY}}]",
            [
                (
                    "1:42: agents[0].backend.api_key: a secret stands in the file itself, "
                    "put it in an environment variable and write ${NAME}"
                )
            ],
            id="a reference that is none",
        ),
    ],
)
def test_a_warning_has_its_place_and_the_rest_loads(text: str, warnings: list[str]) -> None:
    loaded = load_text(text, "f")
    assert loaded.faults == ()
    assert loaded.settings is not None
    assert [str(warning) for warning in loaded.warnings] == [f"f:{warning}" for warning in warnings]


def test_a_file_full_of_massgen_loads_and_nothing_of_it_is_dropped_silently() -> None:
    loaded = load_text(FULL_OF_MASSGEN, "f")
    assert loaded.faults == ()
    assert [warning.path for warning in loaded.warnings] == [
        "agents[0].append_system_prompt",
        "agents[0].backend.text",
        "agents[0].backend.cwd",
        "agents[0].backend.enable_web_search",
        "agents[0].backend.enable_code_interpreter",
        "agents[0].backend.enable_image_generation",
        "agents[0].backend.enable_mcp_command_line",
        "agents[0].backend.command_line_execution_mode",
        "agents[0].backend.command_line_docker_enable_sudo",
        "agents[0].backend.custom_tools",
        "agents[0].backend.exclude_tools",
        "agents[0].backend.mcp_servers[0].security",
        "orchestrator.snapshot_storage",
        "orchestrator.agent_temporary_workspace",
        "orchestrator.voting_threshold",
        "orchestrator.coordination.enable_agent_task_planning",
        "orchestrator.coordination.subagent_default_timeout",
        "orchestrator.coordination.max_orchestration_restarts",
        "timeout",
        "memory",
        "ui",
    ]
    assert {warning.message.partition(": ")[0] for warning in loaded.warnings} == {"not supported, ignored"}
    settings = loaded.settings
    assert settings is not None
    assert settings.agents[0].backend.reasoning is not None
    assert settings.agents[0].backend.mcp_servers[0].name == "chat"
    assert settings.orchestrator.max_new_answers_per_agent == 5
    assert settings.orchestrator.coordination.max_orchestration_restarts == 1


def _team(*kinds: str) -> str:
    return "agents:\n" + "".join(f"  - {{id: {kind}, backend: {{type: {kind}, model: m}}}}\n" for kind in kinds)


def test_an_agent_of_a_kind_that_we_lack_costs_that_agent_while_two_others_are_left() -> None:
    loaded = load_text(_team("openai", "ag2", "claude"), "f")
    assert loaded.settings is not None
    assert [agent.id for agent in loaded.settings.agents] == ["openai", "claude"]
    assert [str(warning) for warning in loaded.warnings] == [
        "f:3:31: agents[1].backend.type: 'ag2' is not supported, this agent is left out"
    ]
    alone = load_text(_team("openai", "ag2"), "f")
    assert [fault.message.partition(",")[0] for fault in alone.faults] == ["backend type 'ag2' is not supported"]


def test_keys_of_massgens_first_version_are_not_supported_and_none_is_unknown() -> None:
    text = _team("openai") + "orchestrator: {max_duration: 9, consensus_threshold: 1}\nlogging: {}\ntask: Say it.\n"
    messages = [warning.message for warning in load_text(text, "f").warnings]
    assert len(messages) == 4
    assert all(message.startswith("not supported, ignored: ") for message in messages)
