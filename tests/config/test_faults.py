"""Faults in a file that is YAML: each with its place, what is wrong and what would be right."""

import pytest

from teamwright.config.load import load_text

OFFLINE = "backend: {type: offline}"
NO_NAME = "is not the name of an agent, write 1 to 64 characters with no slash, line break or outer blank"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        pytest.param("agents: 3", ["1:9: agents: must be a list, not 3"], id="a number for a list"),
        pytest.param("agents:", ["1:8: agents: must be a list, not nothing"], id="nothing for a list"),
        pytest.param(
            "agents: []", ["1:9: agents: the team is empty, list an agent or remove this key"], id="no agents"
        ),
        pytest.param("agents: [x]", ["1:10: agents[0]: must be a mapping, not 'x'"], id="text for an agent"),
        pytest.param("agents: [{id: a}]", ["1:10: agents[0].backend: is missing, add this key"], id="no backend"),
        pytest.param("agent: {id: a}", ["1:8: agent.backend: is missing, add this key"], id="the one agent's path"),
        pytest.param("agent: [1]", ["1:8: agent: must be a mapping, not a list"], id="a list for one agent"),
        pytest.param(
            "agent: {backend: {model: m}}", ["1:18: agent.backend.type: is missing, add this key"], id="no type"
        ),
        pytest.param(
            "agent: {id: '', " + OFFLINE + "}",
            ["1:13: agent.id: " + NO_NAME],
            id="an empty id",
        ),
        pytest.param(
            "agent: {id: ../x, " + OFFLINE + "}",
            ["1:13: agent.id: " + NO_NAME],
            id="an id that is a path",
        ),
        pytest.param(
            "agent: {id: 7, " + OFFLINE + "}",
            ["1:13: agent.id: must be text, not 7, put quotes around it"],
            id="an id 7",
        ),
        pytest.param(
            "agents: [{id: a, " + OFFLINE + "}]\nagent: {id: b, " + OFFLINE + "}",
            ["2:1: agent: stands beside `agents`, keep one of the two"],
            id="agent and agents",
        ),
        pytest.param(
            "agents:\n- {id: a, " + OFFLINE + "}\n- {id: b, " + OFFLINE + "}\n- {id: a, " + OFFLINE + "}",
            ["4:8: agents[2].id: two agents are called 'a', the first on line 2, rename one"],
            id="two agents of one name",
        ),
        pytest.param(
            "agents: [" + ", ".join(f"{{id: a{i}, {OFFLINE}}}" for i in range(101)) + "]",
            ["1:9: agents: 101 agents are too many, list at most 100"],
            id="a crowd",
        ),
        pytest.param(
            'orchestrator: {context_paths: [{path: "a\\0b"}]}\nmcp_servers: [{name: a, command: "\\0"}]',
            [
                "1:39: orchestrator.context_paths[0].path: holds a character that no program can take, remove it",
                "2:34: mcp_servers[0].command: holds a character that no program can take, remove it",
            ],
            id="a NUL that only the escape shows",
        ),
        pytest.param(
            "mcp_servers: [{name: a, command: x, env: {A=B: x}}, {name: b, url: 'http://x', headers: {a b: x}}]",
            [
                (
                    '1:48: mcp_servers[0].env["A=B"]: '
                    "is not the name of a variable, write letters, digits and underscores"
                ),
                '1:95: mcp_servers[1].headers["a b"]: is not the name of a header, write letters, digits and dashes',
            ],
            id="names that are none",
        ),
        pytest.param(
            "agent: {id: a, backend: {type: anthropik}}",
            ["1:32: agent.backend.type: unknown backend type 'anthropik', did you mean 'anthropic'?"],
            id="a type that is misspelt",
        ),
        pytest.param(
            "agent: {id: a, backend: {type: offline, model: magic}}",
            ["1:48: agent.backend.model: 'magic' is not known, use one of lint, security, structure"],
            id="an analyser that is not there",
        ),
        pytest.param(
            "agent: {id: a, backend: {type: openai, base_url: localhost:8000}}",
            ["1:50: agent.backend.base_url: must be an address such as https://host/v1, with no reference in it"],
            id="an address without a scheme",
        ),
        pytest.param(
            "agent: {id: a, backend: {type: openai, base_url: 'https://me:secret@host/v1'}}",
            ["1:50: agent.backend.base_url: must not carry a user name or password, use api_key"],
            id="a password in an address",
        ),
        pytest.param(
            "agent: {id: a, backend: {type: openai, base_url: 'https://host/v1?key=secret'}}",
            ["1:50: agent.backend.base_url: must not carry a query or fragment, end it with the path"],
            id="a query in an address",
        ),
        pytest.param(
            "agent: {id: a, backend: {type: openai, base_url: 'https://host:99999/v1'}}",
            ["1:50: agent.backend.base_url: must be an address such as https://host/v1, with no reference in it"],
            id="a port that is none",
        ),
        pytest.param(
            "agent: {id: a, backend: {type: openai, api_key: '${A:-b}'}}",
            [
                (
                    "1:49: agent.backend.api_key: has a reference that cannot be read, "
                    "write ${NAME} and nothing else in it"
                )
            ],
            id="a reference with a default",
        ),
        pytest.param(
            "agent: {id: a, backend: {type: openai, api_key: 12345678}}",
            ["1:49: agent.backend.api_key: must be text, write ${NAME} with the name of an environment variable"],
            id="a number for a key",
        ),
        pytest.param(
            "agent: {id: a, backend: {type: openai, temperature: 3, max_tokens: -1, reasoning: {effort: hihg}}}",
            [
                "1:53: agent.backend.temperature: must be at most 2, not 3",
                "1:68: agent.backend.max_tokens: must be at least 1, not -1",
                "1:92: agent.backend.reasoning.effort: 'hihg' is not known, did you mean 'high'?",
            ],
            id="values out of range",
        ),
        pytest.param(
            "agent: {id: a, backend: {type: openai, tool_calling: fence, price: {input_per_mtok: -1, output: 2}}}",
            [
                "1:54: agent.backend.tool_calling: 'fence' is not known, did you mean 'fenced'?",
                "1:68: agent.backend.price.output_per_mtok: is missing, add this key",
                "1:85: agent.backend.price.input_per_mtok: must be at least 0, not -1",
                (
                    "1:89: agent.backend.price.output: unknown key, known here are "
                    "input_per_mtok, output_per_mtok, cached_per_mtok"
                ),
            ],
            id="a price and a way to call tools that are none",
        ),
        pytest.param(
            "mcp_servers: [{name: a, type: sse, url: 'http://x'}, {name: b, type: stdio}, {type: http, url: x}]",
            [
                "1:31: mcp_servers[0].type: 'sse' is not known, use one of stdio, streamable-http, http",
                "1:54: mcp_servers[1].command: is missing, add this key",
                "1:78: mcp_servers[2].name: is missing, add this key",
                "1:96: mcp_servers[2].url: must be an address such as https://host/v1, with no reference in it",
            ],
            id="MCP servers",
        ),
        pytest.param(
            "mcp_servers: [{name: a, command: x}, {name: a, command: y}]",
            ["1:45: mcp_servers[1].name: two servers are called 'a', the first on line 1, rename one"],
            id="two servers of one name",
        ),
        pytest.param(
            "orchestrator: {context_paths: [{path: ''}, {permission: delete}, 3], interactive_mode: [on]}",
            [
                "1:39: orchestrator.context_paths[0].path: must not be empty, write something",
                "1:44: orchestrator.context_paths[1].path: is missing, add this key",
                "1:57: orchestrator.context_paths[1].permission: 'delete' is not known, use one of read, write",
                "1:66: orchestrator.context_paths[2]: must be a mapping, not 3",
                "1:88: orchestrator.interactive_mode: must be a mapping, not a list",
            ],
            id="context paths",
        ),
        pytest.param(
            "orchestrator: {interactive_mode: {require_approval: maybe}}",
            [
                (
                    "1:53: orchestrator.interactive_mode.require_approval: "
                    "must be true, false or a threshold such as {above_usd: 0.5}"
                )
            ],
            id="approval that is neither",
        ),
        pytest.param(
            "orchestrator: {interactive_mode: {require_approval: {above: 1}}}",
            [
                "1:53: orchestrator.interactive_mode.require_approval.above_usd: is missing, add this key",
                "1:54: orchestrator.interactive_mode.require_approval.above: unknown key, did you mean 'above_usd'?",
            ],
            id="a threshold without its key",
        ),
        pytest.param(
            "orchestrator: {interactive_mode: {budget: {eur: 1}}}",
            ["1:44: orchestrator.interactive_mode.budget.eur: unknown key, known here are usd, tokens, seconds"],
            id="a budget in another currency",
        ),
        pytest.param(
            "orchestrator: {voting_sensitivity: 'é\n very long text that goes on and on and on and on'}",
            [
                (
                    "1:36: orchestrator.voting_sensitivity: 'é very long text that goes on and on an… is not known, "
                    "use one of lenient, balanced, strict"
                )
            ],
            id="a long value is cut",
        ),
    ],
)
def test_a_fault_has_its_place_and_says_what_would_be_right(text: str, faults: list[str]) -> None:
    loaded = load_text(text, "f")
    assert [str(fault) for fault in loaded.faults] == [f"f:{fault}" for fault in faults]
    assert loaded.settings is None


def test_a_place_has_an_end_and_columns_count_characters() -> None:
    (fault,) = load_text("orchestrator:\n  {skip_voting: 'ä😀'}", "f").faults
    at = fault.place
    assert (at.line, at.column, at.end_line, at.end_column) == (2, 17, 2, 21)


def test_a_fault_hides_no_other() -> None:
    text = "agents: [{id: a, backend: {type: vllm, temperature: hot, nonsense: 1}}]\ntimeout_settings: {x: 1}"
    loaded = load_text(text, "f")
    assert [fault.path for fault in loaded.faults] == [
        "agents[0].backend.model",
        "agents[0].backend.temperature",
        "timeout_settings.x",
    ]
    assert [warning.path for warning in loaded.warnings] == ["agents[0].backend.nonsense"]


TAKEN = "cannot be the name of an agent, an agent would be taken for somebody else; choose another name"
NOT_SEEN = "is not the name of an agent, write it with letters of one script, all of which are seen"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("user", TAKEN),
        ("System", TAKEN),
        ("ASSISTANT", TAKEN),
        ("the_user", TAKEN),
        ("\uff55\uff53er", TAKEN),
        ("cancel", TAKEN),
        ("us\u0435r", NOT_SEEN),
        ("us\u200ber", NOT_SEEN),
        ("ada\u202e", NOT_SEEN),
    ],
)
def test_an_agent_cannot_pass_for_somebody_else(name: str, fault: str) -> None:
    (found,) = load_text(f'agents: [{{id: "{name}", {OFFLINE}}}]', "f").faults
    assert str(found).startswith("f:1:15: agents[0].id: ")
    assert str(found).endswith(fault)
