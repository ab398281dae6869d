"""Secrets are references: looked up late, shown never."""

import pytest

from teamwright.config.load import load_text
from teamwright.config.secrets import Secret

TEXT = """\
agents:
  - id: a
    backend:
      type: openai
      api_key: sk-literal
      headers: {X-Key: "Bearer ${PROXY_KEY}-tail"}
      mcp_servers: {s: {command: x, env: {TOKEN: hunter2}}}
"""


def test_no_text_of_the_settings_holds_a_secret() -> None:
    settings = load_text(TEXT, "f").settings
    assert settings is not None
    for shown in (repr(settings), str(settings), settings.model_dump_json(), repr(settings.model_dump())):
        assert "sk-literal" not in shown
        assert "hunter2" not in shown
        assert "tail" not in shown
        assert "PROXY_KEY" in shown


def test_the_value_is_there_for_whoever_calls_the_provider() -> None:
    settings = load_text(TEXT, "f").settings
    assert settings is not None
    backend = settings.agents[0].backend
    assert backend.api_key is not None
    assert backend.api_key.resolve({}) == "sk-literal"
    assert backend.headers["X-Key"].resolve({"PROXY_KEY": "k"}) == "Bearer k-tail"


@pytest.mark.parametrize(
    ("environ", "value"),
    [({}, None), ({"A": ""}, None), ({"A": "1"}, "1"), ({"B": "2"}, "2"), ({"A": "1", "B": "2"}, "1")],
)
def test_of_several_variables_the_first_that_is_set_is_taken(environ: dict[str, str], value: str | None) -> None:
    assert Secret.of_variables(["A", "B"]).resolve(environ) == value


def test_a_value_is_not_expanded_a_second_time() -> None:
    assert Secret("${A}").resolve({"A": "${B}", "B": "x"}) == "${B}"


@pytest.mark.parametrize(
    "text",
    [
        "agent: {id: a, backend: {type: sk-proj-1234567890abcdef}}",
        "agent: {id: a, backend: sk-proj-1234567890abcdef}",
        "mcp_servers: {s: {command: x, env: {TOKEN: [sk-proj-1234567890abcdef]}}}",
        "mcp_servers: {s: {command: x, env: sk-proj-short}}",
        "agent: {id: a, backend: {type: openai, api_key: {sk-proj-1234567890abcdef: 1}}}",
        "agent: {id: a, backend: {type: openai, api_key: *sk-proj-1234567890abcdef}}",
        "agent: {id: a, backend: {type: openai, api_key: !sk-proj-1234567890abcdef x}}",
        'agent: {id: a, backend: {type: openai, api_key: "sk-proj-1234567890abcdef}}',
        "agent: {id: a, backend: {type: openai, api_key: sk-proj-1234567890abcdef: x}}",
        "sk-proj-1234567890abcdef",
    ],
)
def test_no_fault_quotes_what_may_be_a_secret(text: str) -> None:
    loaded = load_text(text, "f")
    assert loaded.faults
    assert "sk-proj" not in " ".join(map(str, (*loaded.faults, *loaded.warnings)))
