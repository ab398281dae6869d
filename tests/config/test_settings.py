"""What the settings say where a file says nothing, and how their values may be written."""

from collections.abc import Iterator

import pytest
from pydantic import ValidationError

from teamwright.config.backend_settings import HttpServer, PriceSettings, StdioServer
from teamwright.config.load import load_text
from teamwright.config.outline import field_at, keys_at, sections_in
from teamwright.config.secrets import Secret
from teamwright.config.section import Section
from teamwright.config.settings import (
    ApprovalThreshold,
    BudgetSettings,
    ContextPathSettings,
    InteractiveSettings,
    OrchestratorSettings,
    Settings,
    TimeoutSettings,
)


def loaded(text: str) -> Settings:
    outcome = load_text(text, "f")
    assert outcome.settings is not None, outcome.faults
    assert outcome.warnings == ()
    return outcome.settings


def test_the_defaults_are_those_that_are_promised() -> None:
    settings = loaded("orchestrator: {}")
    assert settings.orchestrator == OrchestratorSettings(
        context_paths=(),
        voting_sensitivity="lenient",
        max_new_answers_per_agent=3,
        max_new_answers_global=None,
        answer_novelty_requirement="lenient",
        fairness_enabled=True,
        fairness_lead_cap_answers=2,
        defer_voting_until_all_answered=False,
        disable_injection=False,
        skip_voting=False,
        skip_final_presentation=False,
        final_answer_strategy=None,
        interactive_mode=InteractiveSettings(
            enabled=True,
            require_approval=True,
            apply_changes="ask",
            backend=None,
            override="offer",
            override_seconds=5,
            autonomy="hitl",
            resume="ask",
            max_steps=10,
            max_active_sessions=5,
            idle_minutes=30,
            budget=BudgetSettings(usd=None, tokens=None, seconds=None),
            session_budget=BudgetSettings(usd=None, tokens=None, seconds=None),
        ),
    )
    assert settings.timeout_settings == TimeoutSettings(
        orchestrator_timeout_seconds=1800,
        initial_round_timeout_seconds=None,
        subsequent_round_timeout_seconds=None,
        round_timeout_grace_seconds=120,
        first_answer_grace_seconds=120,
    )
    assert (settings.agents, settings.mcp_servers, settings.commands.enabled) == ((), (), False)


def test_an_explicit_null_for_the_answers_of_an_agent_is_ten_and_never_unlimited() -> None:
    assert loaded("orchestrator: {max_new_answers_per_agent: null}").orchestrator.max_new_answers_per_agent == 10


@pytest.mark.parametrize(
    ("written", "meant"), [("off", "off"), ('"off"', "off"), ("no", "off"), ("on", "offer"), ("ask", "ask")]
)
def test_a_bare_off_is_understood_as_it_is_meant(written: str, meant: str) -> None:
    settings = loaded(f"orchestrator: {{interactive_mode: {{override: {written}}}}}")
    assert settings.orchestrator.interactive_mode.override == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [("true", True), ("false", False), ("{above_usd: 0.5}", ApprovalThreshold(above_usd=0.5))],
)
def test_approval_is_a_switch_or_a_threshold(written: str, meant: bool | ApprovalThreshold) -> None:
    settings = loaded(f"orchestrator: {{interactive_mode: {{require_approval: {written}}}}}")
    assert settings.orchestrator.interactive_mode.require_approval == meant


def test_a_section_whose_lines_are_all_commented_out_says_nothing() -> None:
    text = """\
orchestrator:
  context_paths:
  coordination:
  interactive_mode:
    budget:
timeout_settings:
mcp_servers:
commands:
"""
    assert loaded(text) == Settings()


def test_one_agent_needs_neither_a_list_nor_a_name() -> None:
    (agent,) = loaded("agent: {backend: {type: OpenAI}}").agents
    assert (agent.id, agent.backend.type) == ("agent1", "openai")


def test_a_backend_may_say_what_it_costs_and_how_its_model_calls_tools() -> None:
    price = "{input_per_mtok: 3, output_per_mtok: 15, cached_per_mtok: 0.3}"
    plain, told = loaded(
        f"agents: [{{backend: {{type: codex}}}}, {{backend: {{type: codex, tool_calling: fenced, price: {price}}}}}]"
    ).agents
    assert (plain.backend.tool_calling, plain.backend.price) == ("auto", None)
    assert told.backend.tool_calling == "fenced"
    assert told.backend.price == PriceSettings(input_per_mtok=3, output_per_mtok=15, cached_per_mtok=0.3)


def test_mcp_servers_are_a_list_or_a_mapping_and_need_no_type() -> None:
    expected = (
        StdioServer(name="a", command="x", args=("-y",), env={"TOKEN": Secret("${T}")}),
        HttpServer(name="b", type="streamable-http", url="https://host/mcp"),
    )
    listed = '[{name: a, command: x, args: ["-y"], env: {TOKEN: "${T}"}}, {name: b, url: "https://host/mcp"}]'
    mapped = '{a: {command: x, args: ["-y"], env: {TOKEN: "${T}"}}, b: {url: "https://host/mcp/"}}'
    for written in (listed, mapped):
        assert loaded(f"mcp_servers: {written}").mcp_servers == expected
        (agent,) = loaded(f"agent: {{id: a, backend: {{type: claude, mcp_servers: {written}}}}}").agents
        assert agent.backend.mcp_servers == expected


def test_context_paths_are_read_only_unless_they_say_otherwise() -> None:
    settings = loaded(
        "orchestrator: {context_paths: [{path: src}, {path: doc, permission: write, protected_paths: [a]}]}"
    )
    assert settings.orchestrator.context_paths == (
        ContextPathSettings(path="src", permission="read"),
        ContextPathSettings(path="doc", permission="write", protected_paths=("a",)),
    )


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().timeout_settings.orchestrator_timeout_seconds = 1


def test_every_setting_says_what_it_is_for() -> None:
    silent = [
        f"{section.__name__}.{name}"
        for section in _all_sections(Settings)
        for name, field in section.model_fields.items()
        if not field.description
    ]
    assert silent == []


def _all_sections(section: type[Section]) -> Iterator[type[Section]]:
    yield section
    for field in section.model_fields.values():
        for inner in sections_in(field.annotation):
            yield from _all_sections(inner)


@pytest.mark.parametrize(
    ("steps", "keys"),
    [
        (("timeout_settings",), set(TimeoutSettings.model_fields)),
        (("agents", 0, "backend", "reasoning"), {"effort", "summary"}),
        (("agent", "backend", "mcp_servers", 0), set(StdioServer.model_fields) | set(HttpServer.model_fields)),
        (("orchestrator", "interactive_mode", "require_approval"), {"above_usd"}),
        (("orchestrator", "nonsense"), set[str]()),
        (("agents", 0, "id"), set[str]()),
    ],
)
def test_the_keys_of_a_place_are_known_for_completion(steps: tuple[str | int, ...], keys: set[str]) -> None:
    assert set(keys_at(steps)) == keys


def test_a_setting_is_found_by_its_path_for_hover() -> None:
    field = field_at(("agents", 0, "backend", "temperature"))
    assert field is not None
    assert field.description == "How much chance there is in the answers, where the model takes it."
    assert field_at(("agent", "system_message")) is not None
    assert field_at(("agents", 0, "nonsense")) is None
    assert field_at(()) is None
