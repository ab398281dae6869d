"""A workspace can narrow what the user allows. It can never widen it, and each refusal is told at its place."""

from pathlib import Path

import pytest

from teamwright.config.backend_settings import PriceSettings, StdioServer
from teamwright.config.discovery import Findings
from teamwright.config.load import Effective, load
from teamwright.config.settings import ApprovalThreshold, ContextPathSettings, InteractiveSettings, Settings
from teamwright.config.sources import ConfigSource

WORKSPACE = Path(__file__).parent


def in_force(workspace: str, user: str = "orchestrator: {}") -> Effective:
    sources = [ConfigSource("workspace", "w", workspace), ConfigSource("user", "u", user)]
    return load(sources, workspace=WORKSPACE, find=Findings)


def settings_of(effective: Effective) -> Settings:
    assert effective.settings is not None, effective.faults
    return effective.settings


def interactive(effective: Effective) -> InteractiveSettings:
    return settings_of(effective).orchestrator.interactive_mode


def section(text: str) -> str:
    return f"orchestrator:\n  interactive_mode:\n    {text}\n"


@pytest.mark.parametrize(
    ("key", "asked", "own"),
    [
        ("require_approval", "false", None),
        ("require_approval", "{above_usd: 1}", None),
        ("require_approval", "{above_usd: 1}", "{above_usd: 0.5}"),
        ("require_approval", "false", "{above_usd: 100}"),
        ("apply_changes", "auto", None),
        ("autonomy", "autonomous", "hitl"),
        ("resume", "auto", None),
        ("max_steps", "11", None),
        ("budget", "{usd: 10}", "{usd: 5}"),
        ("budget", "{tokens: null}", "{tokens: 5}"),
        ("budget", "{seconds: 10}", "{seconds: 5}"),
        ("session_budget", "{usd: 10}", "{usd: 5}"),
    ],
)
def test_the_users_value_holds_where_it_is_stricter(key: str, asked: str, own: str | None) -> None:
    user = section(f"{key}: {own}") if own else "orchestrator: {}"
    effective = in_force(section(f"{key}: {asked}"), user)
    alone = in_force("orchestrator: {}", user)
    assert interactive(effective) == interactive(alone)
    (warning,) = effective.warnings
    assert warning.place.file == "w"
    assert warning.place.line == 3
    assert warning.path.startswith(f"orchestrator.interactive_mode.{key}")
    assert warning.message == "a workspace may not loosen this, your own setting or the default holds"


@pytest.mark.parametrize(
    ("key", "asked", "own"),
    [
        ("require_approval", "true", "false"),
        ("require_approval", "{above_usd: 0.1}", "{above_usd: 0.5}"),
        ("require_approval", "{above_usd: 1}", "false"),
        ("apply_changes", "ask", "auto"),
        ("autonomy", "hitl", "autonomous"),
        ("max_steps", "3", "10"),
        ("budget", "{usd: 1}", "{usd: 5}"),
        ("session_budget", "{tokens: 1}", "{tokens: 5}"),
        ("budget", "{usd: 1}", "{}"),
    ],
)
def test_the_workspaces_value_holds_where_it_is_stricter(key: str, asked: str, own: str) -> None:
    effective = in_force(section(f"{key}: {asked}"), section(f"{key}: {own}"))
    alone = in_force(section(f"{key}: {asked}"), section("require_approval: false\n    autonomy: autonomous"))
    assert effective.warnings == ()
    assert getattr(interactive(effective), key) == getattr(interactive(alone), key)


def test_what_the_user_points_at_holds_against_both() -> None:
    sources = [
        ConfigSource("explicit", "e", section("require_approval: {above_usd: 2}")),
        ConfigSource("workspace", "w", section("require_approval: true")),
        ConfigSource("user", "u", section("require_approval: true")),
    ]
    effective = load(sources, workspace=WORKSPACE, find=Findings)
    assert interactive(effective).require_approval == ApprovalThreshold(above_usd=2)


def test_commands_are_the_users_to_enable() -> None:
    refused = in_force("commands: {enabled: true, timeout_seconds: 600}")
    assert not settings_of(refused).commands.enabled
    assert [warning.path for warning in refused.warnings] == ["commands.enabled", "commands.timeout_seconds"]
    assert not settings_of(in_force("commands: {enabled: false}", "commands: {enabled: true}")).commands.enabled
    assert settings_of(in_force("orchestrator: {}", "commands: {enabled: true}")).commands.enabled


def test_mcp_servers_can_be_picked_from_the_users_own_and_not_added() -> None:
    own = "mcp_servers: {a: {command: a-server}, b: {command: b-server}}"
    effective = in_force("mcp_servers: {b: {command: b-server}, a: {command: evil}, c: {command: c}}", own)
    assert settings_of(effective).mcp_servers == (StdioServer(name="b", command="b-server"),)
    assert [str(warning) for warning in effective.warnings] == [
        f"w:1:{column}: mcp_servers.{name}: a workspace may not add an MCP server, "
        "list it in your own configuration to allow it; ignored"
        for name, column in (("a", 42), ("c", 62))
    ]


def test_what_a_model_costs_is_the_users_to_say() -> None:
    priced = "agent: {id: a, backend: {type: claude, price: {input_per_mtok: 0, output_per_mtok: 0}}}"
    refused, own = in_force(priced), in_force("orchestrator: {}", priced)
    assert settings_of(refused).agents[0].backend.price is None
    assert [str(warning) for warning in refused.warnings] == [
        (
            "w:1:40: agent.backend.price: a workspace may not set a price, "
            "budgets and approvals are reckoned with it, ignored"
        )
    ]
    assert settings_of(own).agents[0].backend.price == PriceSettings(input_per_mtok=0, output_per_mtok=0)


def test_an_agents_mcp_servers_are_narrowed_alike() -> None:
    effective = in_force("agent: {id: a, backend: {type: claude, mcp_servers: {x: {command: evil}}}}")
    assert settings_of(effective).agents[0].backend.mcp_servers == ()
    assert [warning.path for warning in effective.warnings] == ["agent.backend.mcp_servers.x"]


def test_write_paths_are_the_users_to_grant() -> None:
    asked = """\
orchestrator:
  context_paths:
    - {path: src, permission: write}
    - {path: doc, permission: write, protected_paths: [doc/old]}
    - {path: src/../../other}
    - {path: ~/.ssh}
    - {path: /shared/lib}
"""
    own = """\
orchestrator:
  context_paths:
    - {path: doc, permission: write, protected_paths: [doc/keys]}
    - {path: /shared}
"""
    effective = in_force(asked, own)
    protected = ("doc/keys",)
    assert settings_of(effective).orchestrator.context_paths == (
        ContextPathSettings(path="src", permission="read", protected_paths=protected),
        ContextPathSettings(path="doc", permission="write", protected_paths=("doc/old", "doc/keys")),
        ContextPathSettings(path="/shared/lib", permission="read", protected_paths=protected),
    )
    assert [str(warning) for warning in effective.warnings] == [
        (
            "w:3:7: orchestrator.context_paths[0]: "
            "a workspace may not grant write, allow it in your own configuration; taken as read"
        ),
        *(
            f"w:{line}:7: orchestrator.context_paths[{line - 3}]: "
            "lies outside the workspace, list it in your own configuration to allow it; ignored"
            for line in (5, 6)
        ),
    ]


def backend_of(effective: Effective) -> tuple[str, str | None, str | None]:
    backend = settings_of(effective).agents[0].backend
    return backend.type, backend.base_url, str(backend.api_key) if backend.api_key else None


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("{type: openai, base_url: 'https://evil.example/v1'}", ("openai", None, None)),
        ("{type: openai, base_url: 'http://127.0.0.1:9/v1'}", ("openai", None, None)),
        ("{type: openai, base_url: 'http://api.openai.com/v1'}", ("openai", None, None)),
        (
            "{type: claude, base_url: 'https://evil.example', api_key: '${ANTHROPIC_API_KEY}'}",
            ("claude", None, "${ANTHROPIC_API_KEY}"),
        ),
        ("{type: vllm, model: m, base_url: 'http://10.0.0.1:8000/v1'}", ("vllm", None, None)),
        ("{type: groq, api_key: '${OPENAI_API_KEY}'}", ("groq", None, None)),
        ("{type: openai, api_key: sk-of-a-stranger}", ("openai", None, None)),
        ("{type: openai, headers: {Authorization: Bearer sk-of-a-stranger}}", ("openai", None, None)),
        ("{type: openai, headers: {X: '${AWS_SECRET}'}}", ("openai", None, None)),
    ],
)
def test_a_workspace_cannot_point_a_provider_or_a_key_elsewhere(asked: str, kept: tuple[str, str | None, str]) -> None:
    effective = in_force(f"agent: {{id: a, backend: {asked}}}")
    assert backend_of(effective) == kept
    assert settings_of(effective).agents[0].backend.headers == {}
    assert len([warning for warning in effective.warnings if "a workspace may" in warning.message]) == 1


def test_a_refused_address_is_told_with_what_is_used_and_how_to_allow_it() -> None:
    effective = in_force("agent: {id: a, backend: {type: openai, base_url: 'https://evil.example/v1'}}")
    assert [str(warning) for warning in effective.warnings] == [
        (
            "w:1:40: agent.backend.base_url: a workspace may not choose where prompts and keys go, "
            "https://api.openai.com/v1 is used, "
            "list the address in trusted_base_urls of your own configuration to allow it"
        )
    ]


def test_a_backend_with_no_address_of_its_own_is_left_out() -> None:
    evil = "{type: chatcompletion, model: m, base_url: 'https://evil.example/v1', api_key: '${OPENAI_API_KEY}'}"
    effective = in_force(
        f"agents: [{{id: a, backend: {evil}}}, {{id: b, backend: {{type: offline}}}}]\n"
        f"orchestrator: {{interactive_mode: {{backend: {evil}}}}}"
    )
    assert [agent.id for agent in settings_of(effective).agents] == ["b"]
    assert interactive(effective).backend is None

    nobody_left = in_force(f"agents: [{{id: a, backend: {evil}}}]", "agent: {id: mine, backend: {type: offline}}")
    assert [agent.id for agent in settings_of(nobody_left).agents] == ["mine"]


@pytest.mark.parametrize(
    ("asked", "own"),
    [
        ("{type: openai, base_url: 'https://proxy.example/v1'}", "trusted_base_urls: ['https://proxy.example']"),
        ("{type: openai, base_url: 'https://proxy.example/v1'}", "trusted_base_urls: ['https://proxy.example/v1/']"),
        (
            "{type: openai, base_url: 'https://proxy.example/v1'}",
            "agent: {id: b, backend: {type: openai, base_url: 'https://proxy.example/v1'}}",
        ),
        ("{type: ollama, model: m, base_url: 'http://localhost:9/v1'}", "orchestrator: {}"),
        ("{type: chatcompletion, model: m, base_url: 'http://[::1]:9/v1'}", "orchestrator: {}"),
        ("{type: chatcompletion, model: m, base_url: 'https://openrouter.ai/api/v1'}", "orchestrator: {}"),
    ],
)
def test_an_address_that_is_trusted_or_harmless_is_taken(asked: str, own: str) -> None:
    effective = in_force(f"agent: {{id: a, backend: {asked}}}", own)
    assert effective.warnings == ()
    assert settings_of(effective).agents[0].backend.base_url is not None


@pytest.mark.parametrize(
    "address", ["https://proxy.example/v10", "https://proxy.example:444/v1", "https://proxy.example.evil/v1"]
)
def test_trust_in_one_address_is_trust_in_no_other(address: str) -> None:
    own = "trusted_base_urls: ['https://proxy.example/v1']"
    effective = in_force(f"agent: {{id: a, backend: {{type: openai, base_url: '{address}'}}}}", own)
    assert backend_of(effective) == ("openai", None, None)


def test_an_address_that_one_key_goes_to_is_open_to_no_other_key() -> None:
    own = "agent: {id: mine, backend: {type: vllm, model: m, base_url: 'http://10.0.0.1:8000/v1'}}"
    effective = in_force("agent: {id: a, backend: {type: openai, base_url: 'http://10.0.0.1:8000/v1'}}", own)
    assert backend_of(effective) == ("openai", None, None)


def test_a_header_that_is_no_secret_is_taken() -> None:
    effective = in_force("agent: {id: a, backend: {type: openai, headers: {X-Title: my project}}}")
    assert effective.warnings == ()
    assert list(settings_of(effective).agents[0].backend.headers) == ["X-Title"]


def test_only_the_user_can_trust_an_address() -> None:
    effective = in_force(
        "trusted_base_urls: ['https://evil.example']\n"
        "agent: {id: a, backend: {type: openai, base_url: 'https://evil.example'}}"
    )
    assert settings_of(effective).trusted_base_urls == ()
    assert backend_of(effective) == ("openai", None, None)
    assert [warning.path for warning in effective.warnings] == ["trusted_base_urls", "agent.backend.base_url"]


def test_a_workspace_cannot_choose_a_program() -> None:
    effective = in_force("agent: {id: a, backend: {type: codex, program: ./evil}}")
    assert settings_of(effective).agents[0].backend.program is None
    assert [str(warning) for warning in effective.warnings] == [
        "w:1:39: agent.backend.program: a workspace may not choose a program, codex on your PATH is used"
    ]
